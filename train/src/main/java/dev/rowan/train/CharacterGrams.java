package dev.rowan.train;

import dev.rowan.core.OutOfRange;

/**
 * A word's row is the mean of its own and those of its character n-grams, as in fastText
 * (Bojanowski et al. 2017).
 *
 * @param shortest characters of the shortest n-gram, 1 or more
 * @param longest characters of the longest, at most 32
 * @param buckets rows that n-grams are hashed to
 */
public record CharacterGrams(int shortest, int longest, int buckets) {
  /** fastText's: 3 to 6 characters, two million rows. */
  public static final CharacterGrams DEFAULT = new CharacterGrams(3, 6, 2_000_000);

  /** Checks the ranges. */
  public CharacterGrams {
    OutOfRange.check(
        shortest >= 1 && longest >= shortest && longest <= 32,
        "grams",
        shortest + "-" + longest,
        "lengths of 1 to 32 characters, the shorter first");
    OutOfRange.atLeast("buckets", buckets, 1);
  }
}

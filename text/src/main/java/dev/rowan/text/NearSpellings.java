package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Words of a vocabulary spelled almost like a given one, by edit distance: insertions, deletions,
 * substitutions and swaps of neighbours, one each (optimal string alignment).
 *
 * <p>Looks at every token once; a token whose length alone rules it out costs nothing, and a
 * comparison stops when its distance passes the bound: tens of milliseconds for 250,000 tokens.
 */
public final class NearSpellings {
  private NearSpellings() {}

  private record Near(long id, int distance, boolean startsWord, String word) {}

  /**
   * Returns the ids of tokens that are at most two edits away from a word (one, up to four
   * letters), case and marks of space or continuation aside. Nearest first, then those that start a
   * word, then the lower id; each word once.
   *
   * @param limit how many at most
   */
  public static List<Long> of(Vocabulary vocabulary, String typed, int limit) {
    String word = typed.strip().toLowerCase(Locale.ROOT);
    int bound = word.length() <= 4 ? 1 : 2;
    List<Near> near = new ArrayList<>();
    int[][] rows = new int[3][word.length() + 1];
    for (int id = 0; id < vocabulary.size(); id++) {
      if (!vocabulary.has(id)) {
        continue;
      }
      String other = Spellings.word(vocabulary, id);
      if (other.length() < 2 || Math.abs(other.length() - word.length()) > bound) {
        continue;
      }
      int distance = distance(word, other, bound, rows);
      if (distance <= bound) {
        near.add(new Near(id, distance, Spellings.startsWord(vocabulary, id), other));
      }
    }
    near.sort(
        Comparator.comparingInt(Near::distance)
            .thenComparing(Near::startsWord, Comparator.reverseOrder())
            .thenComparingLong(Near::id));
    List<Long> ids = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    for (Near candidate : near) {
      if (ids.size() < limit && !seen.contains(candidate.word())) {
        seen.add(candidate.word());
        ids.add(candidate.id());
      }
    }
    return ids;
  }

  /** Returns the distance, or {@code bound} + 1 if it is larger than the bound. */
  static int distance(String a, String b, int bound) {
    return distance(a, b, bound, new int[3][a.length() + 1]);
  }

  /** As {@link #distance(String, String, int)} with scratch: three rows of |a| + 1 places. */
  private static int distance(String a, String b, int bound, int[][] rows) {
    int[] before = rows[0];
    int[] above = rows[1];
    int[] row = rows[2];
    Arrays.setAll(above, i -> i);
    for (int j = 1; j <= b.length(); j++) {
      row[0] = j;
      int least = j;
      for (int i = 1; i <= a.length(); i++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int d = Math.min(above[i - 1] + same, Math.min(above[i], row[i - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d = Math.min(d, before[i - 2] + 1);
        }
        row[i] = d;
        least = Math.min(least, d);
      }
      if (least > bound) {
        return bound + 1;
      }
      int[] free = before;
      before = above;
      above = row;
      row = free;
    }
    return Math.min(above[a.length()], bound + 1);
  }
}

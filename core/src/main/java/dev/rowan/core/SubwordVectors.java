package dev.rowan.core;

import java.util.Optional;

/**
 * Makes vectors for words that have no row, from parts of their spelling, as fastText models can.
 *
 * <p>Safe for any number of threads until the lexicon that it came from is closed.
 */
public interface SubwordVectors {

  /**
   * Returns the vector of a word as the model makes it: d numbers, the same as its row if it has
   * one.
   *
   * @param word the word as a person types it
   * @return empty if no part of the word has a vector; never a row of zeros instead
   */
  Optional<float[]> vectorOf(String word);

  /**
   * Returns how many parts of a word have a vector, repeats counted and its own row not: what
   * {@link #vectorOf} averages where the word has no row.
   *
   * @param word the word as a person types it
   */
  int partsOf(String word);
}

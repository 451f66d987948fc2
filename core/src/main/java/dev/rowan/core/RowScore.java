package dev.rowan.core;

/** Scores rows in double: the numbers that are ordered by and printed. */
interface RowScore {
  /**
   * Returns the score of a row, NaN for a row that is not finite.
   *
   * @param row scratch of d floats
   */
  double score(long id, float[] row);
}

package dev.rowan.layer;

/** Computes the gradient of one touched row from all its occurrences in a call. */
interface SegmentSum {
  /** Writes d numbers: the gradient of the row of {@code segment}. Called once for each segment. */
  void sum(int segment, float[] target, int offset);
}

package dev.rowan.layer;

/** Computes the gradient of one touched row from all its occurrences in a call. */
interface SegmentSum {
  /** Writes d numbers: the gradient of the row of {@code segment}. Called once for each segment. */
  void sum(int segment, float[] target, int offset);

  /** Returns where the gradient of the row of {@code segment} lies as it is, or −1 if nowhere. */
  default int place(int segment) {
    return -1;
  }

  /** Returns the array that {@link #place} refers to. */
  default float[] source() {
    throw new IllegalStateException("this gradient lies nowhere as it is");
  }
}

package dev.rowan.analysis.geometry;

/** The output function of SplitMix64 (Steele et al. 2014). */
final class SplitMix {
  private SplitMix() {}

  /** Returns a well-mixed number in [−1, 1) for a state. */
  static double symmetric(long state) {
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >> 11) * 0x1p-52;
  }
}

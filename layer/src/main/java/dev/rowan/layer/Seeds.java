package dev.rowan.layer;

/** Seeds of independent streams from one seed and a number. */
final class Seeds {
  private Seeds() {}

  /** Returns the seed of stream {@code number}: both are mixed, so streams do not overlap. */
  static long of(long seed, long number) {
    return mix(mix(seed) ^ number);
  }

  /**
   * The finalizer of MurmurHash3 as in Steele, Lea and Flood 2014, constants of Stafford's Mix13.
   */
  private static long mix(long z) {
    long x = z + 0x9E3779B97F4A7C15L;
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return x ^ (x >>> 31);
  }
}

package dev.rowan.train;

/** Random numbers of one thread: xorshift64* (Vigna 2016). The same seed gives the same numbers. */
final class Draw {
  private long state = 1;

  /** Begins anew; parts of a seed that differ anywhere give unrelated numbers. */
  void seed(long seed, long part, long subpart) {
    long mixed = mix(mix(mix(seed) ^ part) ^ subpart);
    state = mixed == 0 ? 1 : mixed; // zero would stay zero
  }

  /** Returns 64 random bits. */
  long bits() {
    long s = state;
    s ^= s >>> 12;
    s ^= s << 25;
    s ^= s >>> 27;
    state = s;
    return s * 0x2545F4914F6CDD1DL;
  }

  /** Returns a number in [0, {@code bound}), from the upper 32 of some bits. */
  static int below(int bound, long bits) {
    return (int) (((bits >>> 32) * bound) >>> 32);
  }

  /** Returns a number in [0, {@code bound}). */
  int below(int bound) {
    return below(bound, bits());
  }

  /** SplitMix64's finaliser (Steele et al. 2014). */
  private static long mix(long x) {
    long z = x + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}

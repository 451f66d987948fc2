package dev.rowan.train;

import dev.rowan.core.SplitMix;

/** Random numbers of one thread: xorshift64* (Vigna 2016). The same seed gives the same numbers. */
final class Draw {
  private long state = 1;

  /** Begins anew; parts of a seed that differ anywhere give unrelated numbers. */
  void seed(long seed, long part, long subpart) {
    long mixed = SplitMix.first(SplitMix.stream(seed, part) ^ subpart);
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
}

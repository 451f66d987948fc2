package dev.rowan.analysis.map;

/**
 * Random numbers by place: the i-th number of a seed, whoever asks for it and when, so that threads
 * change nothing. SplitMix64 (Steele et al. 2014), the seed hashed first.
 *
 * @param seed any number
 */
record Noise(long seed) {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  /** Returns the noise of one part of a job, unrelated to that of the others. */
  Noise part(long name) {
    return new Noise(mix(seed + GAMMA) ^ mix(name * GAMMA + 1));
  }

  /** Returns 64 random bits. */
  long bits(long index) {
    return mix(seed + (index + 1) * GAMMA);
  }

  /** Returns a number in [0, 1). */
  double uniform(long index) {
    return (bits(index) >>> 11) * 0x1p-53;
  }

  /** Returns an integer in [0, bound); its bias is below bound / 2^32. */
  int below(long index, int bound) {
    return (int) (((bits(index) >>> 32) * bound) >>> 32);
  }

  /**
   * Returns a number of mean 0 and variance 1, from {@code StrictMath} for the same bits everywhere
   * (Box and Muller 1958).
   */
  double normal(long index) {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform(2 * index)));
    return radius * StrictMath.cos(2 * Math.PI * uniform(2 * index + 1));
  }

  /** Returns {@code count} different integers of [0, bound), ascending; all of them if fewer. */
  int[] sample(int count, int bound) {
    int[] all = new int[bound];
    for (int i = 0; i < bound; i++) {
      all[i] = i;
    }
    if (count >= bound) {
      return all;
    }
    for (int i = 0; i < count; i++) { // Fisher and Yates
      int other = i + below(i, bound - i);
      int held = all[i];
      all[i] = all[other];
      all[other] = held;
    }
    int[] chosen = java.util.Arrays.copyOf(all, count);
    java.util.Arrays.sort(chosen);
    return chosen;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

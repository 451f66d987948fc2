package dev.rowan.analysis.map;

import dev.rowan.core.SplitMix;
import java.util.Arrays;

/**
 * Random numbers by place: the i-th number of a seed, whoever asks for it and when, so that threads
 * change nothing: those of {@link SplitMix}.
 *
 * @param seed any number
 */
record Noise(long seed) {
  /** Returns the noise of one part of a job, unrelated to that of the others. */
  Noise part(long name) {
    return new Noise(SplitMix.first(seed) ^ SplitMix.mix(name * SplitMix.GAMMA + 1));
  }

  /** Returns 64 random bits. */
  long bits(long index) {
    return SplitMix.mix(seed + (index + 1) * SplitMix.GAMMA);
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
    int[] chosen = Arrays.copyOf(all, count);
    Arrays.sort(chosen);
    return chosen;
  }
}

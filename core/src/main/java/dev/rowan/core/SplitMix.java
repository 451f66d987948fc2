package dev.rowan.core;

/**
 * The mixing function of SplitMix64 (Steele, Lea and Flood 2014): any number becomes one that looks
 * random. Numbers drawn by their place, {@code mix(seed + (i + 1) * GAMMA)}, are the same whoever
 * asks for them and when, so that threads change nothing.
 */
public final class SplitMix {
  /** The step from one state of the generator to the next: 2^64 over the golden ratio, odd. */
  public static final long GAMMA = 0x9E3779B97F4A7C15L;

  private SplitMix() {}

  /** Returns the 64 bits of a state (variant 13 of Stafford's finalisers of MurmurHash3). */
  public static long mix(long state) {
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns the number of a state in [−1, 1). */
  public static double symmetric(long state) {
    return (mix(state) >> 11) * 0x1p-52;
  }

  /** Returns the first 64 bits of the generator with a seed. */
  public static long first(long seed) {
    return mix(seed + GAMMA);
  }

  /** Returns the seed of stream {@code number}: both are mixed, so streams do not overlap. */
  public static long stream(long seed, long number) {
    return first(first(seed) ^ number);
  }
}

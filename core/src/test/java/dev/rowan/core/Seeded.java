package dev.rowan.core;

import java.util.Random;

/** Seeded randomness for tests: the seed is in the failure message and can be replayed. */
final class Seeded {
  static final long SEED = Long.getLong("rowan.seed", 20_261_129L);

  private Seeded() {}

  static Random random(long salt) {
    return new Random(SEED * 31 + salt);
  }

  /** Returns what to add to a message so that a failure can be replayed. */
  static String replay() {
    return "replay with -Drowan.seed=" + SEED;
  }

  static float[] normals(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}

package dev.rowan.core.kernel;

/** Some rows as bytes, and one of them unpacked to whole numbers: scratch space for one thread. */
final class Unpacked {
  final byte[] row;

  /** A small whole number for each number. */
  final byte[] quants;

  /** Factors for each 16 numbers. */
  final float[] scales;

  /** What to take away, for each 16 numbers. */
  final float[] least;

  /** Makes space for rows of a width; a load may reach beyond what it uses. */
  Unpacked(int width, int bytes) {
    this.row = new byte[Math.addExact(bytes, Lanes.COUNT)];
    this.quants = new byte[width + Lanes.COUNT];
    this.scales = new float[width / 16];
    this.least = new float[width / 16];
  }

  void factors(int to, int count, float scale, float minus) {
    for (int g = to / 16; g < (to + count) / 16; g++) {
      scales[g] = scale;
      least[g] = minus;
    }
  }
}

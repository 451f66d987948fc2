package dev.rowan.core.kernel;

/**
 * Sums in double that are the same on every machine.
 *
 * <p>The product of two floats is exact in double (24 + 24 bits of fraction fit in 53), so only the
 * order of the additions matters. It is fixed: eight sums, sum j over the positions i ≡ j (mod 8),
 * then ((0+4)+(2+6))+((1+5)+(3+7)). SIMD code of any width can keep that order.
 */
public final class Exact {
  private Exact() {}

  /** Returns Σ a[aFrom+i]·b[bFrom+i] for i in [0, count), in double. */
  public static double dot(float[] a, int aFrom, float[] b, int bFrom, int count) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      int x = aFrom + i;
      int y = bFrom + i;
      s0 += (double) a[x] * b[y];
      s1 += (double) a[x + 1] * b[y + 1];
      s2 += (double) a[x + 2] * b[y + 2];
      s3 += (double) a[x + 3] * b[y + 3];
      s4 += (double) a[x + 4] * b[y + 4];
      s5 += (double) a[x + 5] * b[y + 5];
      s6 += (double) a[x + 6] * b[y + 6];
      s7 += (double) a[x + 7] * b[y + 7];
    }
    double[] s = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int i = whole; i < count; i++) {
      s[i - whole] += (double) a[aFrom + i] * b[bFrom + i];
    }
    return sum(s);
  }

  /** Returns Σ row[i]·query[i] in double, in the same order as {@link #dot}. */
  public static double dot(float[] row, double[] query) {
    double[] s = new double[8];
    for (int i = 0; i < row.length; i++) {
      s[i & 7] += row[i] * query[i];
    }
    return sum(s);
  }

  /** Returns Σ row[i]·vectors[from+i] in double, in the same order as {@link #dot}. */
  static double dot(float[] row, double[] vectors, int from) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int whole = row.length & ~7;
    for (int i = 0; i < whole; i += 8) {
      int at = from + i;
      s0 += row[i] * vectors[at];
      s1 += row[i + 1] * vectors[at + 1];
      s2 += row[i + 2] * vectors[at + 2];
      s3 += row[i + 3] * vectors[at + 3];
      s4 += row[i + 4] * vectors[at + 4];
      s5 += row[i + 5] * vectors[at + 5];
      s6 += row[i + 6] * vectors[at + 6];
      s7 += row[i + 7] * vectors[at + 7];
    }
    double[] s = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int i = whole; i < row.length; i++) {
      s[i - whole] += row[i] * vectors[from + i];
    }
    return sum(s);
  }

  /** Returns Σ (row[i] − query[i])² in double, in the same order as {@link #dot}. */
  public static double squaredDistance(float[] row, double[] query) {
    double[] s = new double[8];
    for (int i = 0; i < row.length; i++) {
      double difference = row[i] - query[i];
      s[i & 7] += difference * difference;
    }
    return sum(s);
  }

  /** Returns Σ v[i]² in double, in the same order as {@link #dot}. */
  public static double squaredNorm(double[] v) {
    double[] s = new double[8];
    for (int i = 0; i < v.length; i++) {
      s[i & 7] += v[i] * v[i];
    }
    return sum(s);
  }

  /**
   * Returns Σ row[i]² in double, in sixteen sums: sum j over the positions i ≡ j (mod 16), then
   * each with its odd neighbour, then as the eight of {@link #dot}. Two of bf16 lie in 32 bits.
   */
  static double squares(float[] row) {
    double[] s = new double[16];
    for (int i = 0; i < row.length; i++) {
      s[8 * (i & 1) + (i & 15) / 2] += (double) row[i] * row[i];
    }
    return evenOddSum(s, 0);
  }

  /** Adds up sixteen sums: eight over even places, eight over odd ones. Changes the first. */
  static double evenOddSum(double[] s, int at) {
    for (int i = at; i < at + 8; i++) {
      s[i] += s[i + 8];
    }
    return sum(s, at);
  }

  /** Adds up the eight sums. */
  static double sum(double[] s) {
    return sum(s, 0);
  }

  /** Adds up the eight sums from a place on. */
  static double sum(double[] s, int at) {
    return ((s[at] + s[at + 4]) + (s[at + 2] + s[at + 6]))
        + ((s[at + 1] + s[at + 5]) + (s[at + 3] + s[at + 7]));
  }
}

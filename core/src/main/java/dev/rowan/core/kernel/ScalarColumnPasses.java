package dev.rowan.core.kernel;

/** The reference: plain loops. */
final class ScalarColumnPasses implements ColumnPasses {
  static final ScalarColumnPasses INSTANCE = new ScalarColumnPasses();

  /** sin 60°. */
  static final float SIN_60 = (float) 0.8660254037844386;

  /** cos 72°. */
  static final float COS_72 = (float) 0.30901699437494745;

  /** sin 72°. */
  static final float SIN_72 = (float) 0.9510565162951535;

  /** cos 144°. */
  static final float COS_144 = (float) -0.8090169943749475;

  /** sin 144°. */
  static final float SIN_144 = (float) 0.5877852522924731;

  private ScalarColumnPasses() {}

  @Override
  public void two(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      for (int q = 0; q < width; q++) {
        int a = p * width + q;
        int b = a + m * width;
        int y = 2 * p * width + q;
        yr[y] = xr[a] + xr[b];
        yi[y] = xi[a] + xi[b];
        turn(xr[a] - xr[b], xi[a] - xi[b], w, 2 * p, yr, yi, y + width);
      }
    }
  }

  @Override
  public void three(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      for (int q = 0; q < width; q++) {
        int a = p * width + q;
        int b = a + m * width;
        int c = b + m * width;
        int y = 3 * p * width + q;
        float sumR = xr[b] + xr[c];
        float sumI = xi[b] + xi[c];
        float crossR = (xr[b] - xr[c]) * SIN_60;
        float crossI = (xi[b] - xi[c]) * SIN_60;
        float midR = xr[a] - sumR * 0.5f;
        float midI = xi[a] - sumI * 0.5f;
        yr[y] = xr[a] + sumR;
        yi[y] = xi[a] + sumI;
        turn(midR + crossI, midI - crossR, w, 4 * p, yr, yi, y + width);
        turn(midR - crossI, midI + crossR, w, 4 * p + 2, yr, yi, y + 2 * width);
      }
    }
  }

  @Override
  public void four(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      for (int q = 0; q < width; q++) {
        int a = p * width + q;
        int b = a + m * width;
        int c = b + m * width;
        int d = c + m * width;
        int y = 4 * p * width + q;
        float evenR = xr[a] + xr[c];
        float evenI = xi[a] + xi[c];
        float oddR = xr[b] + xr[d];
        float oddI = xi[b] + xi[d];
        float acR = xr[a] - xr[c];
        float acI = xi[a] - xi[c];
        float bdR = xr[b] - xr[d];
        float bdI = xi[b] - xi[d];
        yr[y] = evenR + oddR;
        yi[y] = evenI + oddI;
        turn(acR + bdI, acI - bdR, w, 6 * p, yr, yi, y + width);
        turn(evenR - oddR, evenI - oddI, w, 6 * p + 2, yr, yi, y + 2 * width);
        turn(acR - bdI, acI + bdR, w, 6 * p + 4, yr, yi, y + 3 * width);
      }
    }
  }

  @Override
  public void five(float[] xr, float[] xi, float[] yr, float[] yi, int m, int width, float[] w) {
    for (int p = 0; p < m; p++) {
      for (int q = 0; q < width; q++) {
        int a = p * width + q;
        int b = a + m * width;
        int c = b + m * width;
        int d = c + m * width;
        int e = d + m * width;
        int y = 5 * p * width + q;
        float beR = xr[b] + xr[e];
        float beI = xi[b] + xi[e];
        float cdR = xr[c] + xr[d];
        float cdI = xi[c] + xi[d];
        float beCrossR = xr[b] - xr[e];
        float beCrossI = xi[b] - xi[e];
        float cdCrossR = xr[c] - xr[d];
        float cdCrossI = xi[c] - xi[d];
        float firstR = xr[a] + beR * COS_72 + cdR * COS_144;
        float firstI = xi[a] + beI * COS_72 + cdI * COS_144;
        float secondR = xr[a] + beR * COS_144 + cdR * COS_72;
        float secondI = xi[a] + beI * COS_144 + cdI * COS_72;
        float thirdR = beCrossR * SIN_72 + cdCrossR * SIN_144;
        float thirdI = beCrossI * SIN_72 + cdCrossI * SIN_144;
        float fourthR = beCrossR * SIN_144 - cdCrossR * SIN_72;
        float fourthI = beCrossI * SIN_144 - cdCrossI * SIN_72;
        yr[y] = xr[a] + beR + cdR;
        yi[y] = xi[a] + beI + cdI;
        turn(firstR + thirdI, firstI - thirdR, w, 8 * p, yr, yi, y + width);
        turn(secondR + fourthI, secondI - fourthR, w, 8 * p + 2, yr, yi, y + 2 * width);
        turn(secondR - fourthI, secondI + fourthR, w, 8 * p + 4, yr, yi, y + 3 * width);
        turn(firstR - thirdI, firstI + thirdR, w, 8 * p + 6, yr, yi, y + 4 * width);
      }
    }
  }

  private static void turn(float r, float i, float[] w, int at, float[] yr, float[] yi, int y) {
    yr[y] = r * w[at] - i * w[at + 1];
    yi[y] = r * w[at + 1] + i * w[at];
  }
}

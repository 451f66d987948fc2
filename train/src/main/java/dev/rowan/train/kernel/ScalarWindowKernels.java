package dev.rowan.train.kernel;

import java.util.Arrays;

/** The reference: plain loops. */
final class ScalarWindowKernels implements WindowKernels {
  static final ScalarWindowKernels INSTANCE = new ScalarWindowKernels();

  /** Inputs that are updated together. */
  private static final int BLOCK = 3;

  private ScalarWindowKernels() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void step(float[] in, float[] out, Window window, float rate) {
    int m = window.inputCount();
    int n = window.targetCount();
    int[] x = window.inputs();
    dots(in, x, m, out, window);
    factors(window, rate);
    for (int i = 0; i < m; ) {
      int block = blockOf(x, i, m);
      for (int j = 0; j < n; j += GROUP) {
        update(in, i, block, out, j, window);
      }
      i += block;
    }
  }

  /**
   * Returns how many inputs from i on are updated together: three, but two and two rather than
   * three and one, and one at a time where the same row comes twice.
   */
  static int blockOf(int[] x, int i, int m) {
    int left = m - i;
    int block = left == 4 ? 2 : Math.min(BLOCK, left);
    boolean twice =
        (block > 1 && x[i] == x[i + 1])
            || (block > 2 && (x[i] == x[i + 2] || x[i + 1] == x[i + 2]));
    return twice ? 1 : block;
  }

  private static void dots(float[] in, int[] x, int m, float[] out, Window window) {
    int n = window.targetCount();
    int[] o = window.targets();
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < window.stride(); k++) {
          sum = Math.fma(in[x[i] + k], out[o[j] + k], sum);
        }
        window.sums[i * n + j] = sum;
      }
    }
  }

  private static void factors(Window window, float rate) {
    int pairs = window.inputCount() * window.targetCount();
    float[] labels = window.labels();
    for (int p = 0; p < pairs; p++) {
      window.factors[p] = rate * (labels[p] - sigmoid(window.sums[p]));
    }
  }

  /**
   * Returns σ(x) = ½ + ½ tanh(x/2), with tanh by its continued fraction cut after seven terms
   * (Lambert 1768): within 6·10⁻⁷ on [−6, 6].
   */
  static float sigmoid(float x) {
    if (x > 6) {
      return 1;
    }
    if (x < -6) {
      return 0;
    }
    float y = 0.5f * x;
    float y2 = y * y;
    float above = Math.fma(Math.fma(y2 + 378f, y2, 17_325f), y2, 135_135f);
    float below = Math.fma(Math.fma(Math.fma(28f, y2, 3_150f), y2, 62_370f), y2, 135_135f);
    return Math.fma(0.5f, y * above / below, 0.5f);
  }

  private static void update(float[] in, int i, int block, float[] out, int j, Window window) {
    int n = window.targetCount();
    int[] x = window.inputs();
    int[] o = window.targets();
    float[] g = window.factors;
    float[] before = new float[block];
    for (int k = 0; k < window.stride(); k++) {
      for (int b = 0; b < block; b++) {
        before[b] = in[x[i + b] + k];
        float moved = before[b];
        for (int t = 0; t < GROUP; t++) {
          moved = Math.fma(g[(i + b) * n + j + t], out[o[j + t] + k], moved);
        }
        in[x[i + b] + k] = moved;
      }
      for (int t = 0; t < GROUP; t++) {
        float moved = out[o[j + t] + k];
        for (int b = 0; b < block; b++) {
          moved = Math.fma(g[(i + b) * n + j + t], before[b], moved);
        }
        out[o[j + t] + k] = moved;
      }
    }
  }

  @Override
  public void stepHidden(float[] out, Window window, float rate) {
    int n = window.targetCount();
    float[] hidden = window.hidden();
    float[] error = window.error();
    window.size(1, n);
    dots(hidden, new int[] {0}, 1, out, window);
    factors(window, rate);
    Arrays.fill(error, 0);
    for (int j = 0; j < n; j++) {
      int o = window.targets()[j];
      float g = window.factors[j];
      for (int k = 0; k < window.stride(); k++) {
        error[k] = Math.fma(g, out[o + k], error[k]);
        out[o + k] = Math.fma(g, hidden[k], out[o + k]);
      }
    }
  }

  @Override
  public void sum(
      float[] from, int[] rows, int count, float factor, float[] target, int at, int stride) {
    for (int k = 0; k < stride; k++) {
      float sum = 0;
      for (int r = 0; r < count; r++) {
        sum += from[rows[r] + k];
      }
      target[at + k] = factor * sum;
    }
  }

  @Override
  public void merge(float[] rows, int row, int replica, float[] base, int at, int stride) {
    for (int k = 0; k < stride; k++) {
      float shared = rows[row + k];
      float before = base[at + k];
      float own = rows[replica + k];
      float merged = shared == before ? own : shared + (own - before);
      rows[row + k] = merged;
      rows[replica + k] = merged;
      base[at + k] = merged;
    }
  }

  @Override
  public void add(float[] to, int[] rows, int count, float[] what, int at, int stride) {
    for (int r = 0; r < count; r++) {
      for (int k = 0; k < stride; k++) {
        to[rows[r] + k] += what[at + k];
      }
    }
  }
}

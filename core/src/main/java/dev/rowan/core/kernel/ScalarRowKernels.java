package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The reference of the training loops: plain Java that a reader can check. */
final class ScalarRowKernels implements RowKernels {
  static final ValueLayout.OfFloat FLOAT = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ScalarRowKernels INSTANCE = new ScalarRowKernels();

  private ScalarRowKernels() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void add(float[] x, int xFrom, float[] y, int yFrom, int count) {
    for (int i = 0; i < count; i++) {
      y[yFrom + i] += x[xFrom + i];
    }
  }

  @Override
  public void addScaled(float a, float[] x, int xFrom, float[] y, int yFrom, int count) {
    for (int i = 0; i < count; i++) {
      y[yFrom + i] = Math.fma(a, x[xFrom + i], y[yFrom + i]);
    }
  }

  @Override
  public void scale(float a, float[] y, int yFrom, int count) {
    for (int i = 0; i < count; i++) {
      y[yFrom + i] *= a;
    }
  }

  @Override
  public void adagrad(float[] w, float[] g, float[] s, int count, float rate, float epsilon) {
    for (int i = 0; i < count; i++) {
      s[i] = Math.fma(g[i], g[i], s[i]);
      w[i] -= rate * g[i] / ((float) Math.sqrt(s[i]) + epsilon);
    }
  }

  @Override
  public void adam(float[] w, float[] g, float[] m, float[] v, int count, AdamFactors f) {
    for (int i = 0; i < count; i++) {
      m[i] = Math.fma(f.beta1(), m[i], f.rest1() * g[i]);
      v[i] = Math.fma(f.beta2(), v[i], f.rest2() * g[i] * g[i]);
      float root = Math.fma((float) Math.sqrt(v[i]), f.rootScale(), f.epsilon());
      w[i] -= f.rate() * m[i] / root;
    }
  }

  @Override
  public void max(float[] x, int xFrom, float[] y, int yFrom, int count) {
    for (int i = 0; i < count; i++) {
      y[yFrom + i] = Math.max(x[xFrom + i], y[yFrom + i]);
    }
  }

  @Override
  public void addExponentials(float[] x, int xFrom, float[] shift, float[] sum, int count) {
    for (int i = 0; i < count; i++) {
      sum[i] += RowKernels.exponential(x[xFrom + i] - shift[i]);
    }
  }

  @Override
  public void exponentials(float[] x, int xFrom, float[] shift, float[] factor, int count) {
    for (int i = 0; i < count; i++) {
      x[xFrom + i] = factor[i] * RowKernels.exponential(x[xFrom + i] - shift[i]);
    }
  }

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c) {
    RowKernels.checkProduct(a, b, c);
    for (int i = 0; i < c.rows(); i++) {
      int target = c.offset() + i * c.rowStride();
      for (int p = 0; p < a.columns(); p++) {
        float factor = a.values()[a.offset() + i * a.rowStride() + p * a.columnStride()];
        addScaled(
            factor, b.values(), b.offset() + p * b.rowStride(), c.values(), target, c.columns());
      }
    }
  }

  @Override
  public void addRows(
      MemorySegment data, long[] ids, int from, int to, float[] y, int yFrom, int count) {
    for (int p = from; p < to; p++) {
      long row = 4L * count * ids[p];
      for (int i = 0; i < count; i++) {
        y[yFrom + i] += data.get(FLOAT, row + 4L * i);
      }
    }
  }

  @Override
  public void addScaledRows(
      MemorySegment data,
      long[] ids,
      float[] weights,
      int from,
      int to,
      float[] y,
      int yFrom,
      int count) {
    for (int p = from; p < to; p++) {
      long row = 4L * count * ids[p];
      for (int i = 0; i < count; i++) {
        y[yFrom + i] = Math.fma(weights[p], data.get(FLOAT, row + 4L * i), y[yFrom + i]);
      }
    }
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, long[] ids, int from, int to, float[] target) {
    for (int p = from; p < to; p++) {
      MemorySegment.copy(data, FLOAT, 4L * width * ids[p], target, p * width, width);
    }
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, long[] ids, int from, int to, MemorySegment target) {
    long rowBytes = 4L * width;
    for (int p = from; p < to; p++) {
      MemorySegment.copy(data, ids[p] * rowBytes, target, p * rowBytes, rowBytes);
    }
  }

  @Override
  public void copyRows(MemorySegment data, int width, int[] ids, int from, int to, float[] target) {
    for (int p = from; p < to; p++) {
      MemorySegment.copy(data, FLOAT, 4L * width * ids[p], target, p * width, width);
    }
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, int[] ids, int from, int to, MemorySegment target) {
    long rowBytes = 4L * width;
    for (int p = from; p < to; p++) {
      MemorySegment.copy(data, ids[p] * rowBytes, target, p * rowBytes, rowBytes);
    }
  }

  @Override
  public void addScaled(float a, float[] x, int xFrom, MemorySegment table, long row, int count) {
    for (int i = 0; i < count; i++) {
      long at = row + 4L * i;
      table.set(FLOAT, at, Math.fma(a, x[xFrom + i], table.get(FLOAT, at)));
    }
  }

  @Override
  public double squaredNorm(float[] x, int xFrom, int count) {
    return Exact.dot(x, xFrom, x, xFrom, count);
  }
}

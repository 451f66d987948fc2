package dev.rowan.core.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * SIMD twin of {@link ScalarRowKernels}, equal to it to the last bit: whole vectors, then the
 * reference for the rest of a row.
 */
final class VectorRowKernels implements RowKernels {
  static final VectorRowKernels INSTANCE = new VectorRowKernels();
  private static final VectorSpecies<Float> S = Lanes.FLOATS;
  private static final int LANES = S.length();
  private static final int DOUBLE_LANES = Lanes.DOUBLES.length();
  private static final VectorSpecies<Float> HALF =
      VectorSpecies.of(float.class, VectorShape.forBitSize(Math.max(64, Lanes.BITS / 2)));
  private static final RowKernels REST = ScalarRowKernels.INSTANCE;

  private VectorRowKernels() {}

  @Override
  public String name() {
    return "vector-" + S.vectorBitSize();
  }

  private static FloatVector load(float[] from, int at) {
    return FloatVector.fromArray(S, from, at);
  }

  @Override
  public void add(float[] x, int xFrom, float[] y, int yFrom, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(y, yFrom + i).add(load(x, xFrom + i)).intoArray(y, yFrom + i);
    }
    REST.add(x, xFrom + whole, y, yFrom + whole, count - whole);
  }

  @Override
  public void addScaled(float a, float[] x, int xFrom, float[] y, int yFrom, int count) {
    int whole = S.loopBound(count);
    FloatVector factor = FloatVector.broadcast(S, a);
    for (int i = 0; i < whole; i += LANES) {
      factor.fma(load(x, xFrom + i), load(y, yFrom + i)).intoArray(y, yFrom + i);
    }
    REST.addScaled(a, x, xFrom + whole, y, yFrom + whole, count - whole);
  }

  @Override
  public void scale(float a, float[] y, int yFrom, int count) {
    REST.scale(a, y, yFrom, count); // one array: the compiler vectorises the plain loop
  }

  @Override
  public void adagrad(float[] w, float[] g, float[] s, int count, float rate, float epsilon) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector gradient = load(g, i);
      FloatVector state = gradient.fma(gradient, load(s, i));
      state.intoArray(s, i);
      FloatVector step = gradient.mul(rate).div(state.sqrt().add(epsilon));
      load(w, i).sub(step).intoArray(w, i);
    }
    for (int i = whole; i < count; i++) {
      s[i] = Math.fma(g[i], g[i], s[i]);
      w[i] -= rate * g[i] / ((float) Math.sqrt(s[i]) + epsilon);
    }
  }

  @Override
  public void adam(float[] w, float[] g, float[] m, float[] v, int count, AdamFactors f) {
    FloatVector beta1 = FloatVector.broadcast(S, f.beta1());
    FloatVector beta2 = FloatVector.broadcast(S, f.beta2());
    FloatVector rootScale = FloatVector.broadcast(S, f.rootScale());
    FloatVector epsilon = FloatVector.broadcast(S, f.epsilon());
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector gradient = load(g, i);
      FloatVector first = beta1.fma(load(m, i), gradient.mul(f.rest1()));
      FloatVector second = beta2.fma(load(v, i), gradient.mul(f.rest2()).mul(gradient));
      first.intoArray(m, i);
      second.intoArray(v, i);
      FloatVector root = second.sqrt().fma(rootScale, epsilon);
      load(w, i).sub(first.mul(f.rate()).div(root)).intoArray(w, i);
    }
    for (int i = whole; i < count; i++) {
      m[i] = Math.fma(f.beta1(), m[i], f.rest1() * g[i]);
      v[i] = Math.fma(f.beta2(), v[i], f.rest2() * g[i] * g[i]);
      float root = Math.fma((float) Math.sqrt(v[i]), f.rootScale(), f.epsilon());
      w[i] -= f.rate() * m[i] / root;
    }
  }

  @Override
  public void max(float[] x, int xFrom, float[] y, int yFrom, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      load(x, xFrom + i).max(load(y, yFrom + i)).intoArray(y, yFrom + i);
    }
    REST.max(x, xFrom + whole, y, yFrom + whole, count - whole);
  }

  @Override
  public void addExponentials(float[] x, int xFrom, float[] shift, float[] sum, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector e = exponential(load(x, xFrom + i).sub(load(shift, i)));
      load(sum, i).add(e).intoArray(sum, i);
    }
    for (int i = whole; i < count; i++) {
      sum[i] += RowKernels.exponential(x[xFrom + i] - shift[i]);
    }
  }

  @Override
  public void exponentials(float[] x, int xFrom, float[] shift, float[] factor, int count) {
    int whole = S.loopBound(count);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector e = exponential(load(x, xFrom + i).sub(load(shift, i)));
      load(factor, i).mul(e).intoArray(x, xFrom + i);
    }
    for (int i = whole; i < count; i++) {
      x[xFrom + i] = factor[i] * RowKernels.exponential(x[xFrom + i] - shift[i]);
    }
  }

  /** The twin of {@link RowKernels#exponential}, step by step. */
  private static FloatVector exponential(FloatVector x) {
    FloatVector rounder = FloatVector.broadcast(S, ROUNDER);
    FloatVector t = x.fma(FloatVector.broadcast(S, LOG2_E), rounder);
    FloatVector k = t.sub(rounder);
    FloatVector r = k.fma(FloatVector.broadcast(S, -LN2_HIGH), x);
    r = k.fma(FloatVector.broadcast(S, -LN2_LOW), r);
    FloatVector p = r.fma(FloatVector.broadcast(S, C7), FloatVector.broadcast(S, C6));
    p = p.fma(r, FloatVector.broadcast(S, C5));
    p = p.fma(r, FloatVector.broadcast(S, C4));
    p = p.fma(r, FloatVector.broadcast(S, C3));
    p = p.fma(r, FloatVector.broadcast(S, C2));
    p = p.fma(r, FloatVector.broadcast(S, 1f));
    p = p.fma(r, FloatVector.broadcast(S, 1f));
    IntVector exponent = t.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23);
    FloatVector e = p.reinterpretAsInts().add(exponent).reinterpretAsFloats();
    VectorMask<Float> low = x.compare(VectorOperators.LT, LEAST);
    VectorMask<Float> high = x.compare(VectorOperators.GT, MOST);
    VectorMask<Float> nan = x.test(VectorOperators.IS_NAN);
    return e.blend(0f, low).blend(Float.POSITIVE_INFINITY, high).blend(x, nan);
  }

  @Override
  public void multiply(Matrix a, Matrix b, Matrix c) {
    RowKernels.checkProduct(a, b, c);
    MultiplyTiles.multiply(a, b, c);
  }

  @Override
  public void addRows(
      MemorySegment data, long[] ids, int from, int to, float[] y, int yFrom, int count) {
    int whole = S.loopBound(count);
    int p = from;
    if (4L * count <= RowStreams.NARROW_BYTES) {
      RowStreams.addNarrow(data, ids, from, to, y, yFrom, count);
    } else {
      for (; p + 8 <= to; p += 8) {
        RowStreams.addEight(data, ids, p, y, yFrom, count);
      }
      for (; p < to; p++) {
        RowStreams.addOne(data, 4L * count * ids[p], y, yFrom, count);
      }
    }
    for (p = from; whole < count && p < to; p++) {
      long row = 4L * count * ids[p];
      for (int i = whole; i < count; i++) {
        y[yFrom + i] += data.get(ScalarRowKernels.FLOAT, row + 4L * i);
      }
    }
  }

  private static FloatVector load(MemorySegment data, long at) {
    return FloatVector.fromMemorySegment(S, data, at, LITTLE_ENDIAN);
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
    int whole = S.loopBound(count);
    for (int p = from; p < to; p++) {
      long row = 4L * count * ids[p];
      FloatVector weight = FloatVector.broadcast(S, weights[p]);
      for (int i = 0; i < whole; i += LANES) {
        weight.fma(load(data, row + 4L * i), load(y, yFrom + i)).intoArray(y, yFrom + i);
      }
      for (int i = whole; i < count; i++) {
        float x = data.get(ScalarRowKernels.FLOAT, row + 4L * i);
        y[yFrom + i] = Math.fma(weights[p], x, y[yFrom + i]);
      }
    }
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, long[] ids, int from, int to, float[] target) {
    int p = from;
    if (4L * width <= RowStreams.NARROW_BYTES) {
      for (; p < to; p++) {
        RowStreams.copyNarrow(data, ids[p], width, target, p * width);
      }
      return;
    }
    long rowBytes = 4L * width;
    for (; p + 8 <= to; p += 8) {
      RowStreams.copyEight(
          data,
          ids[p] * rowBytes,
          ids[p + 1] * rowBytes,
          ids[p + 2] * rowBytes,
          ids[p + 3] * rowBytes,
          ids[p + 4] * rowBytes,
          ids[p + 5] * rowBytes,
          ids[p + 6] * rowBytes,
          ids[p + 7] * rowBytes,
          width,
          target,
          p * width);
    }
    REST.copyRows(data, width, ids, p, to, target);
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, long[] ids, int from, int to, MemorySegment target) {
    int p = from;
    long rowBytes = 4L * width;
    if (rowBytes <= RowStreams.NARROW_BYTES) {
      for (; p < to; p++) {
        RowStreams.copyNarrow(data, ids[p] * rowBytes, rowBytes, target, p * rowBytes);
      }
      return;
    }
    for (; p + 8 <= to; p += 8) {
      RowCopy.eight(
          data,
          ids[p] * rowBytes,
          ids[p + 1] * rowBytes,
          ids[p + 2] * rowBytes,
          ids[p + 3] * rowBytes,
          ids[p + 4] * rowBytes,
          ids[p + 5] * rowBytes,
          ids[p + 6] * rowBytes,
          ids[p + 7] * rowBytes,
          rowBytes,
          target,
          p * rowBytes);
    }
    REST.copyRows(data, width, ids, p, to, target);
  }

  @Override
  public void copyRows(MemorySegment data, int width, int[] ids, int from, int to, float[] target) {
    int p = from;
    if (4L * width <= RowStreams.NARROW_BYTES) {
      for (; p < to; p++) {
        RowStreams.copyNarrow(data, ids[p], width, target, p * width);
      }
      return;
    }
    long rowBytes = 4L * width;
    for (; p + 8 <= to; p += 8) {
      RowStreams.copyEight(
          data,
          ids[p] * rowBytes,
          ids[p + 1] * rowBytes,
          ids[p + 2] * rowBytes,
          ids[p + 3] * rowBytes,
          ids[p + 4] * rowBytes,
          ids[p + 5] * rowBytes,
          ids[p + 6] * rowBytes,
          ids[p + 7] * rowBytes,
          width,
          target,
          p * width);
    }
    REST.copyRows(data, width, ids, p, to, target);
  }

  @Override
  public void copyRows(
      MemorySegment data, int width, int[] ids, int from, int to, MemorySegment target) {
    int p = from;
    long rowBytes = 4L * width;
    if (rowBytes <= RowStreams.NARROW_BYTES) {
      for (; p < to; p++) {
        RowStreams.copyNarrow(data, ids[p] * rowBytes, rowBytes, target, p * rowBytes);
      }
      return;
    }
    for (; p + 8 <= to; p += 8) {
      RowCopy.eight(
          data,
          ids[p] * rowBytes,
          ids[p + 1] * rowBytes,
          ids[p + 2] * rowBytes,
          ids[p + 3] * rowBytes,
          ids[p + 4] * rowBytes,
          ids[p + 5] * rowBytes,
          ids[p + 6] * rowBytes,
          ids[p + 7] * rowBytes,
          rowBytes,
          target,
          p * rowBytes);
    }
    REST.copyRows(data, width, ids, p, to, target);
  }

  @Override
  public void addScaled(float a, float[] x, int xFrom, MemorySegment table, long row, int count) {
    int whole = S.loopBound(count);
    FloatVector factor = FloatVector.broadcast(S, a);
    for (int i = 0; i < whole; i += LANES) {
      factor
          .fma(load(x, xFrom + i), load(table, row + 4L * i))
          .intoMemorySegment(table, row + 4L * i, LITTLE_ENDIAN);
    }
    REST.addScaled(a, x, xFrom + whole, table, row + 4L * whole, count - whole);
  }

  @Override
  public void addScaledFour(
      float[] a, float[][] x, int[] xFrom, MemorySegment table, long[] rows, int count) {
    int whole = S.loopBound(count);
    RowStreams.addScaledFour(a, x, xFrom, table, rows, whole);
    for (int r = 0; r < 4; r++) {
      REST.addScaled(a[r], x[r], xFrom[r] + whole, table, rows[r] + 4L * whole, count - whole);
    }
  }

  @Override
  public double squaredNorm(float[] x, int xFrom, int count) {
    return DOUBLE_LANES == 8 ? squaresOfEight(x, xFrom, count) : REST.squaredNorm(x, xFrom, count);
  }

  /** The eight sums of {@link Exact} as the eight lanes of one vector. */
  private static double squaresOfEight(float[] x, int xFrom, int count) {
    DoubleVector sums = DoubleVector.zero(Lanes.DOUBLES);
    int whole = count & ~7;
    for (int i = 0; i < whole; i += 8) {
      DoubleVector value =
          (DoubleVector)
              FloatVector.fromArray(HALF, x, xFrom + i)
                  .convertShape(VectorOperators.F2D, Lanes.DOUBLES, 0);
      sums = value.fma(value, sums); // the square of a float is exact: rounds as the reference does
    }
    if (whole < count) { // lanes beyond the end add +0, which changes no sum
      DoubleVector value =
          (DoubleVector)
              FloatVector.fromArray(HALF, x, xFrom + whole, HALF.indexInRange(whole, count))
                  .convertShape(VectorOperators.F2D, Lanes.DOUBLES, 0);
      sums = value.fma(value, sums);
    }
    return ((sums.lane(0) + sums.lane(4)) + (sums.lane(2) + sums.lane(6)))
        + ((sums.lane(1) + sums.lane(5)) + (sums.lane(3) + sums.lane(7)));
  }
}

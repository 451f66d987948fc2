package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The reference: plain loops that a reader can check.
 *
 * <p>Also the fastest path for a short job, because it needs no warm-up: the dot product keeps
 * eight independent sums, which is as far as plain Java goes.
 */
final class ScalarKernels implements Kernels {
  static final ScalarKernels INSTANCE = new ScalarKernels();

  private ScalarKernels() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public Queries pack(float[] values, int count, int width) {
    return new Queries(count, width, values, null);
  }

  @Override
  public void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found) {
    int width = rows.width();
    float[] row = new float[width];
    float[] values = queries.values();
    for (long r = 0; r < rows.count(); r++) {
      rows.format().decode(rows.data(), rows.offset() + r * rows.rowBytes(), width, row, 0);
      long id = rows.firstId() + r;
      float scale = weights.scale().get(id);
      float bias = weights.bias().get(id);
      for (int q = 0; q < queries.count(); q++) {
        found.offer(q, id, dot(row, values, q * width, width) * scale + bias);
      }
    }
  }

  /** Returns the float32 dot product of a row and the query that starts at {@code from}. */
  private static float dot(float[] row, float[] values, int from, int width) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    float s4 = 0;
    float s5 = 0;
    float s6 = 0;
    float s7 = 0;
    int i = 0;
    for (; i + 8 <= width; i += 8) {
      s0 += row[i] * values[from + i];
      s1 += row[i + 1] * values[from + i + 1];
      s2 += row[i + 2] * values[from + i + 2];
      s3 += row[i + 3] * values[from + i + 3];
      s4 += row[i + 4] * values[from + i + 4];
      s5 += row[i + 5] * values[from + i + 5];
      s6 += row[i + 6] * values[from + i + 6];
      s7 += row[i + 7] * values[from + i + 7];
    }
    for (; i < width; i++) {
      s0 += row[i] * values[from + i];
    }
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
  }

  @Override
  public void squaredNorms(RowBlock rows, double[] target, int targetOffset) {
    float[] row = new float[rows.width()];
    for (int r = 0; r < rows.count(); r++) {
      rows.format().decode(rows.data(), rows.offset() + r * rows.rowBytes(), row.length, row, 0);
      target[targetOffset + r] = Exact.dot(row, 0, row, 0, row.length);
    }
  }

  @Override
  public void digest(RowBlock rows, RowDigest digest, double[] sum) {
    float[] row = new float[rows.width()];
    int[] state = new int[RowDigest.PARTS];
    Arrays.fill(sum, 0);
    for (int r = 0; r < rows.count(); r++) {
      rows.format().decode(rows.data(), rows.offset() + r * rows.rowBytes(), row.length, row, 0);
      double squares = Exact.squares(row);
      Arrays.fill(state, 0);
      boolean subnormal = RowDigest.look(row, 0, state);
      digest.put(r, squares, state, subnormal, RowDigest.isConstant(row));
      if (Double.isFinite(squares)) {
        addScaled(1, row, sum);
      }
    }
  }

  @Override
  public void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    float[] row = new float[rows.width()];
    for (int r = 0; r < rows.count(); r++) {
      double factor = factors[factorOffset + r];
      if (factor != 0) {
        rows.format().decode(rows.data(), rows.offset() + r * rows.rowBytes(), row.length, row, 0);
        addScaled(factor, row, sum);
      }
    }
  }

  /** A method of its own is compiled after a few rows; a loop in the middle of one much later. */
  static void addScaled(double factor, float[] row, double[] sum) {
    for (int i = 0; i < row.length; i++) {
      sum[i] += factor * row[i];
    }
  }

  @Override
  public void products(RowBlock rows, double[] vectors, int count, double[] target) {
    int width = rows.width();
    float[] row = new float[width];
    for (int r = 0; r < rows.count(); r++) {
      rows.format().decode(rows.data(), rows.offset() + r * rows.rowBytes(), width, row, 0);
      for (int v = 0; v < count; v++) {
        target[r * count + v] = Exact.dot(row, vectors, v * width);
      }
    }
  }

  @Override
  public void gather(RowBlock rows, long[] ids, MemorySegment target) {
    int width = rows.width();
    if (rows.format() == FloatFormat.F32) {
      for (int i = 0; i < ids.length; i++) {
        MemorySegment.copy(
            rows.data(),
            rows.offset() + ids[i] * rows.rowBytes(),
            target,
            4L * i * width,
            4L * width);
      }
      return;
    }
    float[] row = new float[width];
    for (int i = 0; i < ids.length; i++) {
      rows.format().decode(rows.data(), rows.offset() + ids[i] * rows.rowBytes(), width, row, 0);
      MemorySegment.copy(row, 0, target, JAVA_FLOAT_UNALIGNED, 4L * i * width, width);
    }
  }
}

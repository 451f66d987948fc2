package dev.rowan.analysis.audit;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowDigest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What one pass over a table tells of each row: its norm, a hash of its stored numbers, and whether
 * they are constant or denormal; and the mean of all finite rows.
 *
 * <p>Sums run in double over chunks of a fixed size that are added in order: the same bits for any
 * number of threads.
 */
final class RowScan {
  private static final byte CONSTANT = 1;
  private static final byte DENORMAL = 2;
  private static final long CHUNK_BYTES = 512 << 10;
  private static final float LEAST_NORMAL_F16 = 0x1p-14f;

  private final Table table;
  private final double[] norms;
  private final long[] hashes;
  private final byte[] flags;
  private final double[] mean;
  private final int finite;

  private RowScan(
      Table table, double[] norms, long[] hashes, byte[] flags, double[] mean, int finite) {
    this.table = table;
    this.norms = norms;
    this.hashes = hashes;
    this.flags = flags;
    this.mean = mean;
    this.finite = finite;
  }

  /** Reads a table of fewer than 2³¹ rows once. */
  static RowScan of(Table table, Workers workers) {
    int rows = (int) table.rows();
    double[] norms = new double[rows];
    long[] hashes = new long[rows];
    byte[] flags = new byte[rows];
    RowChunks chunks = RowChunks.of(table, CHUNK_BYTES);
    double[][] sums = new double[chunks.count()][];
    int[] finite = new int[chunks.count()];
    workers.run(
        chunks.count(),
        () -> {
          RowDigest digest = new RowDigest(chunks.rows());
          float[] row = new float[table.width()];
          return chunk -> {
            RowBlock block = chunks.block(chunk);
            int first = (int) block.firstId();
            int here = 0;
            double[] sum = new double[table.width()];
            Kernels.best().digest(block, digest, sum);
            for (int r = 0; r < block.count(); r++) {
              double squares = digest.squaredNorm(r);
              norms[first + r] = Math.sqrt(squares);
              hashes[first + r] = digest.hash(r);
              boolean isFinite = Double.isFinite(squares);
              here += isFinite ? 1 : 0;
              if (isFinite && squares > 0) {
                boolean denormal =
                    table.format() == FloatFormat.F16
                        ? isDenormalF16(table, first + r, squares, row)
                        : digest.hasSubnormal(r);
                flags[first + r] =
                    (byte) ((digest.isConstant(r) ? CONSTANT : 0) | (denormal ? DENORMAL : 0));
              }
            }
            sums[(int) chunk] = sum;
            finite[(int) chunk] = here;
          };
        });
    int all = 0;
    for (int n : finite) {
      all += n;
    }
    return new RowScan(table, norms, hashes, flags, mean(sums, all, table.width()), all);
  }

  /** Returns whether an f16 row has no normal number; such a row has a small norm. */
  private static boolean isDenormalF16(Table table, int id, double squares, float[] row) {
    if (squares >= row.length * (double) LEAST_NORMAL_F16 * LEAST_NORMAL_F16) {
      return false;
    }
    table.copyRow(id, row, 0);
    for (float x : row) {
      if (Math.abs(x) >= LEAST_NORMAL_F16) {
        return false;
      }
    }
    return true;
  }

  private static double[] mean(double[][] sums, int finite, int width) {
    double[] mean = new double[width];
    for (double[] sum : sums) {
      for (int i = 0; i < width; i++) {
        mean[i] += sum[i];
      }
    }
    for (int i = 0; i < width; i++) {
      mean[i] /= Math.max(1, finite);
    }
    return mean;
  }

  Table table() {
    return table;
  }

  int rows() {
    return norms.length;
  }

  /** Returns the norm of a row, in double; not finite for a non-finite row. */
  double norm(int id) {
    return norms[id];
  }

  boolean isFinite(int id) {
    return Double.isFinite(norms[id]);
  }

  /** Returns whether a row is finite and not zero. */
  boolean isUsable(int id) {
    return norms[id] > 0 && Double.isFinite(norms[id]);
  }

  boolean isConstant(int id) {
    return (flags[id] & CONSTANT) != 0;
  }

  boolean isDenormal(int id) {
    return (flags[id] & DENORMAL) != 0;
  }

  /** Returns a hash of what a row stores: equal rows have equal hashes. */
  long hash(int id) {
    return hashes[id];
  }

  /** Returns the mean of the finite rows; not to be changed. */
  double[] mean() {
    return mean;
  }

  /** Returns how many rows are finite. */
  int finite() {
    return finite;
  }

  /** Returns whether two rows store the same numbers. */
  boolean isSame(int a, int b) {
    if (!(table.format() instanceof FloatFormat)) {
      return Arrays.equals(table.row(a), table.row(b));
    }
    long bytes = table.format().rowBytes(table.width());
    return MemorySegment.mismatch(
            table.data(), a * bytes, (a + 1) * bytes, table.data(), b * bytes, (b + 1) * bytes)
        < 0;
  }
}

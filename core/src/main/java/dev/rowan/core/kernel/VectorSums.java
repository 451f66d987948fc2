package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Sums in double, in the order of {@link Exact}, of rows read once: norms, digests, products and
 * sums of scaled rows. Walks over the rows; the loops are {@link RowSums} for decoded rows and
 * {@link Bf16Sums} for bf16 read in place, four rows at a time.
 *
 * <p>Rows narrower than two vectors go to the scalar kernels.
 */
final class VectorSums {
  private VectorSums() {}

  static void squaredNorms(RowBlock rows, double[] target, int targetOffset) {
    if (isSummedHere(rows)) {
      double[] sums = new double[8 * RowSums.ROWS];
      double[] squares = new double[Panel.ROWS];
      Panel.forEach(
          rows,
          panel -> {
            squares(panel, sums, squares);
            System.arraycopy(squares, 0, target, targetOffset + before(panel, rows), panel.count);
          });
    } else {
      Kernels.scalar().squaredNorms(rows, target, targetOffset);
    }
  }

  /** Returns whether rows are summed by {@link RowSums}. */
  private static boolean isSummedHere(RowBlock rows) {
    return rows.width() >= 2 * Lanes.COUNT && RowSums.isSupported();
  }

  private static int before(Panel.Rows panel, RowBlock rows) {
    return (int) (panel.firstId - rows.firstId());
  }

  private static void squares(Panel.Rows panel, double[] sums, double[] squares) {
    for (int r = 0; r < panel.count; r += RowSums.ROWS) {
      RowSums.squares(panel.values, r, sums, squares, r);
    }
  }

  static void digest(RowBlock rows, RowDigest digest, double[] sum) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().digest(rows, digest, sum);
      return;
    }
    Arrays.fill(sum, 0);
    int done = isBf16InPlace(rows) ? digestBf16(rows, digest, sum) : 0;
    digestDecoded(rows, done, digest, sum);
    double[] finite = new double[(int) rows.count()];
    boolean all = true;
    for (int r = 0; r < finite.length; r++) {
      finite[r] = Double.isFinite(digest.squaredNorm(r)) ? 1 : 0;
      all &= finite[r] == 1;
    }
    if (!all) { // rare; and a look ahead at each row takes as long as all the rest
      Arrays.fill(sum, 0);
      addScaledRows(rows, finite, 0, sum);
    }
  }

  /**
   * Looks at rows by fours and returns how many that were. The look at one row after the other is
   * short work beside fetching it, so that memory is busy; the squares then find it in cache.
   */
  private static int digestBf16(RowBlock rows, RowDigest digest, double[] sum) {
    MemorySegment data = rows.data();
    long rowBytes = rows.rowBytes();
    int width = rows.width();
    double[] sums = new double[16 * RowSums.ROWS];
    double[] squares = new double[RowSums.ROWS];
    double[] columns = new double[width];
    int[] pairs = new int[RowSums.ROWS * RowDigest.PAIRS];
    boolean[] subnormal = new boolean[RowSums.ROWS];
    int done = 0;
    for (; done + RowSums.ROWS <= rows.count(); done += RowSums.ROWS) {
      long offset = rows.offset() + done * rowBytes;
      for (int r = 0; r < RowSums.ROWS; r++) {
        long row = offset + r * rowBytes;
        subnormal[r] = Bf16Sums.look(data, row, width, pairs, r * RowDigest.PAIRS);
      }
      Bf16Sums.squares(data, offset, rowBytes, sums, squares, 0, columns);
      for (int r = 0; r < RowSums.ROWS; r++) {
        boolean constant = Bf16Sums.isConstant(data, offset + r * rowBytes, width);
        digest.put(done + r, squares[r], pairs, r * RowDigest.PAIRS, subnormal[r], constant);
      }
    }
    Bf16Sums.inOrder(columns, sum);
    return done;
  }

  private static void digestDecoded(RowBlock rows, int first, RowDigest digest, double[] sum) {
    double[] sums = new double[16 * RowSums.ROWS];
    double[] squares = new double[Panel.ROWS];
    double[] ones = new double[Panel.ROWS];
    Arrays.fill(ones, 1);
    int[] state = new int[RowDigest.PARTS];
    Panel.forEach(
        rows.slice(first, rows.count() - first),
        panel -> {
          for (int r = 0; r < panel.count; r += RowSums.ROWS) {
            RowSums.evenOddSquares(panel.values, r, sums, squares, r);
          }
          for (int r = 0; r < panel.count; r++) {
            float[] row = panel.values[r];
            boolean subnormal = RowBits.look(row, state);
            int at = before(panel, rows) + r;
            digest.put(at, squares[r], state, subnormal, RowDigest.isConstant(row));
          }
          addScaled(panel, ones, 0, sum);
        });
  }

  private static boolean isBf16InPlace(RowBlock rows) {
    return rows.format() == FloatFormat.BF16 && rows.data().isNative();
  }

  static void products(RowBlock rows, double[] vectors, int count, double[] target) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().products(rows, vectors, count, target);
      return;
    }
    double[] sums = new double[2 * 8 * RowSums.ROWS];
    long done = 0;
    if (isBf16InPlace(rows)) {
      for (; done + RowSums.ROWS <= rows.count(); done += RowSums.ROWS) {
        productsOfFour(rows, (int) done, vectors, count, sums, target);
      }
    }
    double[] here = new double[Panel.ROWS * count];
    Panel.forEach(
        rows.slice(done, rows.count() - done),
        panel -> {
          float[][] values = panel.values;
          for (int r = 0; r < panel.count; r += RowSums.ROWS) {
            int v = 0;
            for (; v + 1 < count; v += 2) {
              int from = v * panel.width;
              RowSums.twoProducts(values, r, vectors, from, sums, here, r * count + v, count);
            }
            if (v < count) {
              int from = v * panel.width;
              RowSums.products(values, r, vectors, from, sums, here, r * count + v, count);
            }
          }
          System.arraycopy(here, 0, target, before(panel, rows) * count, panel.count * count);
        });
  }

  private static void productsOfFour(
      RowBlock rows, int r, double[] vectors, int count, double[] sums, double[] target) {
    long offset = rows.offset() + r * rows.rowBytes();
    int v = 0;
    for (; v + 1 < count; v += 2) {
      int from = v * rows.width();
      Bf16Sums.twoProducts(rows, offset, vectors, from, sums, target, r * count + v, count);
    }
    if (v < count) {
      int from = v * rows.width();
      Bf16Sums.products(rows, offset, vectors, from, sums, target, r * count + v, count);
    }
  }

  static void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    if (!isSummedHere(rows)) {
      Kernels.scalar().addScaledRows(rows, factors, factorOffset, sum);
    } else if (isBf16InPlace(rows)) {
      long r = 0;
      for (; r + RowSums.ROWS <= rows.count(); r += RowSums.ROWS) {
        int from = factorOffset + (int) r;
        if (areAllNeeded(factors, from)) {
          long offset = rows.offset() + r * rows.rowBytes();
          Bf16Sums.addScaled(rows.data(), offset, rows.rowBytes(), factors, from, sum);
        } else {
          addDecoded(rows, (int) r, RowSums.ROWS, factors, factorOffset, sum);
        }
      }
      addDecoded(rows, (int) r, rows.count() - r, factors, factorOffset, sum);
    } else {
      addDecoded(rows, 0, rows.count(), factors, factorOffset, sum);
    }
  }

  private static void addDecoded(
      RowBlock rows, int first, long count, double[] factors, int factorOffset, double[] sum) {
    Panel.forEach(
        rows.slice(first, count),
        panel -> addScaled(panel, factors, factorOffset + before(panel, rows), sum));
  }

  private static boolean areAllNeeded(double[] factors, int from) {
    boolean all = true;
    for (int i = 0; i < RowSums.ROWS; i++) {
      all &= factors[from + i] != 0;
    }
    return all;
  }

  /** Four rows at a time; one by one where a row is skipped, and those left over. */
  private static void addScaled(Panel.Rows panel, double[] factors, int from, double[] sum) {
    int r = 0;
    for (; r + RowSums.ROWS <= panel.count; r += RowSums.ROWS) {
      if (areAllNeeded(factors, from + r)) {
        RowSums.addScaled(panel.values, r, factors, from + r, sum);
      } else {
        addOneByOne(panel, r, r + RowSums.ROWS, factors, from, sum);
      }
    }
    addOneByOne(panel, r, panel.count, factors, from, sum);
  }

  private static void addOneByOne(
      Panel.Rows panel, int r, int end, double[] factors, int from, double[] sum) {
    for (int i = r; i < end; i++) {
      double factor = factors[from + i];
      if (factor != 0) {
        ScalarKernels.addScaled(factor, panel.values[i], sum);
      }
    }
  }
}

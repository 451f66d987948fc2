package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;

/**
 * The inner loops over rows. Two implementations give equal answers: {@link ScalarKernels}, the
 * readable reference, and {@link VectorKernels}, chosen when the JVM has the incubating Vector API.
 *
 * <p>Stateless; safe for any number of threads.
 */
public interface Kernels {

  /** Returns the scalar reference. Also the fastest for a first, small job: nothing to warm up. */
  static Kernels scalar() {
    return ScalarKernels.INSTANCE;
  }

  /** Returns the kernels chosen for this JVM; see {@link KernelChoice}. */
  static Kernels best() {
    return KernelChoice.INSTANCE.kernels();
  }

  /** Returns the name shown to users: {@code scalar} or {@code vector-512} and the like. */
  String name();

  /**
   * Prepares a batch of queries for {@link #scan}.
   *
   * @param values count × width numbers, row-major, finite; not copied, not to be changed
   */
  Queries pack(float[] values, int count, int width);

  /**
   * Scores every row of a block against every query and offers each score above the query's
   * threshold.
   *
   * <p>score = (float) dot × scale[id] + bias[id], where the dot product is summed in float32 in an
   * order of the kernel's own: its error is at most {@link #dotErrorBound} × ‖row‖ × ‖query‖. Reads
   * each row once.
   *
   * @param rows of the queries' width
   * @param weights for all rows of the table, by id
   * @param queries packed by these kernels
   * @param found one heap a query
   */
  void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found);

  /**
   * Returns γ such that |float dot − exact dot| ≤ γ ‖a‖ ‖b‖ for any order of summation of {@code
   * width} products with float32 rounding (Higham 2002, section 3.1), short of overflow.
   */
  static double dotErrorBound(int width) {
    double u = 0x1p-24;
    return width * u / (1 - width * u);
  }

  /**
   * Sums the squares of each row in double, in an order that is the same for every implementation.
   *
   * @param target receives one sum a row from {@code targetOffset} on
   */
  void squaredNorms(RowBlock rows, double[] target, int targetOffset);

  /**
   * Looks at every number of each row once: squared norm, hash, constant or subnormal. The same for
   * every implementation.
   *
   * @param digest has room for the rows of the block
   * @param sum receives d numbers: the sum of the finite rows, in order, in double
   */
  void digest(RowBlock rows, RowDigest digest, double[] sum);

  /**
   * Adds scaled rows: {@code sum[i] += factor[r] × row_r[i]}, rows in order, in double, the same to
   * the last bit for every implementation. A row whose factor is 0 is skipped, whatever it holds.
   *
   * @param factors one a row, from {@code factorOffset} on
   * @param sum d numbers
   */
  void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum);

  /**
   * Multiplies each row with a few vectors in double, in the order of {@link Exact}: the same to
   * the last bit for every implementation.
   *
   * @param vectors count × width numbers, row-major
   * @param count how many vectors, 1 or more
   * @param target receives {@code count} products a row, row after row
   */
  void products(RowBlock rows, double[] vectors, int count, double[] target);

  /**
   * Copies rows as float32 in native byte order, one after the other.
   *
   * @param rows the whole table; ids are relative to its first row
   * @param ids checked by the caller
   * @param target at least {@code ids.length × d} floats
   */
  void gather(RowBlock rows, long[] ids, MemorySegment target);
}

package dev.rowan.train.kernel;

import dev.rowan.core.kernel.KernelChoice;

/**
 * One step of stochastic gradient descent for one window: m input rows against n target rows.
 *
 * <p>With x_i the input rows, o_j the target rows, y_ij ∈ {0, 1} the labels and σ the logistic
 * function, the step descends the loss −Σ_ij log σ(±x_i·o_j) (Mikolov et al. 2013b, eq. 4):
 *
 * <pre>
 *   g_ij = rate · (y_ij − σ(x_i · o_j))       all from the rows before the step
 *   x_i += Σ_j g_ij o_j                       in blocks of up to three inputs; a later block sees
 *   o_j += Σ_i g_ij x_i                       the o_j that earlier ones have moved
 * </pre>
 *
 * <p>σ is 0 below −6 and 1 above 6, as in word2vec.c, and accurate to 10⁻⁶ between. Rows lie in
 * {@code float[]} at offsets, {@code stride} numbers each, a multiple of {@link #PADDING}; the
 * places beyond d hold zeros and keep them.
 *
 * <p>Two implementations: {@link ScalarWindowKernels} and, with the incubating Vector API, a SIMD
 * twin whose dot products are summed in another, fixed order: the same bytes come out of every run
 * with the same lanes. Stateless; any number of threads may share the rows without locks (Niu et
 * al. 2011, Hogwild), each with a {@link Window} of its own.
 */
public interface WindowKernels {
  /** Rows are padded to a multiple of so many numbers: a cache line, and a vector of 512 bits. */
  int PADDING = 16;

  /** Targets come in groups of so many: six accumulators for each of four inputs fit registers. */
  int GROUP = 6;

  /** Returns the reference. */
  static WindowKernels scalar() {
    return ScalarWindowKernels.INSTANCE;
  }

  /** Returns the kernels for this JVM, by the rule of {@link KernelChoice}. */
  static WindowKernels best() {
    return KernelChoice.INSTANCE.kernels().name().equals("scalar")
        ? scalar()
        : VectorWindowKernels.INSTANCE;
  }

  /** Returns the name shown to users: {@code scalar}, {@code vector-512} and the like. */
  String name();

  /** Returns the numbers that a row of width d takes. */
  static int stride(int width) {
    return Math.ceilDiv(width, PADDING) * PADDING;
  }

  /**
   * Does one step on the window's inputs in {@code in} and targets in {@code out}. No two targets
   * may be the same row, except rows of zeros whose labels are ½, which stay as they are.
   */
  void step(float[] in, float[] out, Window window, float rate);

  /**
   * Does one step with the window's hidden row as the only input: the targets move, the hidden row
   * does not, and what it would have moved by is left in {@link Window#error}.
   */
  void stepHidden(float[] out, Window window, float rate);

  /** Sets {@code target} to the sum of rows times a factor. */
  void sum(float[] from, int[] rows, int count, float factor, float[] target, int at, int stride);

  /**
   * Brings a thread's replica of a row together with the row: what the replica has moved by since
   * the last time, its difference from {@code base}, is added to the row, and all three become that
   * sum. Where nobody else has changed the row it becomes the replica exactly.
   */
  void merge(float[] rows, int row, int replica, float[] base, int at, int stride);

  /** Adds one row to each of several; a row named twice gets it twice. */
  void add(float[] to, int[] rows, int count, float[] what, int at, int stride);
}

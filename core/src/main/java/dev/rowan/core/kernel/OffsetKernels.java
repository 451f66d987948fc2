package dev.rowan.core.kernel;

/**
 * The inner loop of analogy questions: three columns of scores taken together, number by number, to
 * find the rows that may matter. {@link ScalarOffsetKernels} is the reference; the Vector twin
 * gives the same positions, because every number goes through the same operations.
 *
 * <p>Stateless; safe for any number of threads.
 */
public interface OffsetKernels {

  /** Returns the scalar reference. */
  static OffsetKernels scalar() {
    return ScalarOffsetKernels.INSTANCE;
  }

  /** Returns the kernels chosen for this JVM; the rule is that of {@link KernelChoice}. */
  static OffsetKernels best() {
    return KernelChoice.INSTANCE.kernels() instanceof ScalarKernels
        ? scalar()
        : VectorOffsetKernels.INSTANCE;
  }

  /**
   * Three runs of numbers in one array.
   *
   * @param a where the first starts
   * @param b where the second starts
   * @param c where the third starts
   * @param count how long each is
   */
  record Runs(int a, int b, int c, int count) {}

  /**
   * Finds the positions i, in order, at which {@code (v[b+i] − v[a+i]) + v[c+i]} is above a
   * threshold; NaN never is.
   *
   * @param found receives the positions; at least {@code count} places
   * @return how many there are
   */
  int aboveSum(float[] v, Runs runs, float threshold, int[] found);

  /** As {@link #aboveSum} for {@code (v[b+i] × v[c+i]) × v[a+i]}. */
  int aboveProduct(float[] v, Runs runs, float threshold, int[] found);

  /** Returns {@code (b − a) + c}, rounded as {@link #aboveSum} rounds it. */
  static float sum(float[] v, Runs runs, int i) {
    return (v[runs.b() + i] - v[runs.a() + i]) + v[runs.c() + i];
  }

  /** Returns {@code (b × c) × a}, rounded as {@link #aboveProduct} rounds it. */
  static float product(float[] v, Runs runs, int i) {
    return (v[runs.b() + i] * v[runs.c() + i]) * v[runs.a() + i];
  }
}

package dev.rowan.core.kernel;

/** SIMD twin of the scalar kernels. */
final class VectorKernels {
  private VectorKernels() {}

  static KernelChoice choose(String wanted) {
    return new KernelChoice(Kernels.scalar(), "no vector kernels yet, " + wanted + " asked for");
  }
}

package dev.rowan.core.kernel;

/** Which training loops this JVM uses: vectors exactly where {@link KernelChoice} uses them. */
final class RowKernelChoice {
  static final RowKernels BEST =
      KernelChoice.INSTANCE.kernels() instanceof ScalarKernels
          ? RowKernels.scalar()
          : VectorRowKernels.INSTANCE;

  private RowKernelChoice() {}
}

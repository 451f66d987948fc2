package dev.rowan.core.kernel;

import java.util.Locale;

/**
 * Which training loops this JVM uses. The rule is that of {@link KernelChoice}: the property {@code
 * rowan.kernels}, and scalar where the Vector API module is missing.
 */
final class RowKernelChoice {
  static final RowKernels BEST = choose();

  private RowKernelChoice() {}

  private static RowKernels choose() {
    String wanted = System.getProperty("rowan.kernels", "auto").toLowerCase(Locale.ROOT);
    boolean vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    if (wanted.equals("scalar") || !vectors) {
      return RowKernels.scalar();
    }
    return VectorRowKernels.choose(wanted);
  }
}

package dev.rowan.core.kernel;

import java.util.Locale;

/**
 * Which kernels this JVM uses, and why.
 *
 * <p>The system property {@code rowan.kernels} asks for {@code scalar}, {@code 128}, {@code 256},
 * {@code 512} (lanes of that many bits) or {@code auto} (the default: the widest the CPU prefers).
 * Chosen once.
 *
 * @param kernels the kernels in use
 * @param reason one sentence on why these
 */
public record KernelChoice(Kernels kernels, String reason) {

  /** The choice of this JVM. */
  public static final KernelChoice INSTANCE = choose();

  private static KernelChoice choose() {
    String wanted = System.getProperty("rowan.kernels", "auto").toLowerCase(Locale.ROOT);
    return switch (wanted) {
      case "scalar" -> new KernelChoice(Kernels.scalar(), "asked for by rowan.kernels");
      case "auto", "128", "256", "512" -> vector(wanted);
      default ->
          throw new IllegalArgumentException(
              "rowan.kernels is \"%s\"; it takes scalar, 128, 256, 512 or auto".formatted(wanted));
    };
  }

  private static KernelChoice vector(String wanted) {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return new KernelChoice(
          Kernels.scalar(), "the JVM was started without --add-modules jdk.incubator.vector");
    }
    return VectorKernels.choose(wanted);
  }
}

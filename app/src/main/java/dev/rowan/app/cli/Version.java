package dev.rowan.app.cli;

import dev.rowan.core.kernel.KernelChoice;
import picocli.CommandLine.IVersionProvider;

/** What is running, and on what. */
final class Version implements IVersionProvider {

  /** Returns the version of Rowan. */
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packed)" : version;
  }

  /** Returns the JVM and the platform. */
  static String machine() {
    return "JDK %s on %s %s"
        .formatted(Runtime.version(), System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  @Override
  public String[] getVersion() {
    KernelChoice choice = KernelChoice.INSTANCE;
    return new String[] {
      "rowan " + text(),
      machine(),
      "kernels: %s (%s)".formatted(choice.kernels().name(), choice.reason())
    };
  }
}

package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs once for each value of {@code rowan.kernels} and once without the Vector API. */
class KernelChoiceTest {
  private final String wanted = System.getProperty("rowan.kernels", "auto");
  private final KernelChoice choice = KernelChoice.INSTANCE;

  @Test
  void kernelsAreTheOnesAskedForOrTheReasonSaysWhyNot() {
    String name = choice.kernels().name();
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      assertThat(name).isEqualTo("scalar");
      assertThat(choice.reason()).contains("--add-modules jdk.incubator.vector");
    } else if (wanted.equals("scalar")) {
      assertThat(name).isEqualTo("scalar");
      assertThat(choice.reason()).contains("rowan.kernels");
    } else if (wanted.equals("auto")) {
      assertThat(name).isEqualTo("vector-" + Lanes.PREFERRED_BITS);
    } else if (Integer.parseInt(wanted) <= Lanes.PREFERRED_BITS) {
      assertThat(name).isEqualTo("vector-" + wanted);
      assertThat(choice.reason()).contains("rowan.kernels");
    } else {
      assertThat(name).isEqualTo("scalar");
      assertThat(choice.reason()).contains(wanted).contains(String.valueOf(Lanes.PREFERRED_BITS));
    }
  }

  @Test
  void kernelsAreChosenOnce() {
    assertThat(Kernels.best()).isSameAs(choice.kernels());
  }
}

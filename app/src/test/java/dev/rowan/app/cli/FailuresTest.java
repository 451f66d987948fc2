package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.file.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int report(Throwable failure) {
    return Failures.report(failure, new PrintStream(err, true, StandardCharsets.UTF_8), false);
  }

  private String printed() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wrongUseIsTwoAndPrintsTheMessageAlone() {
    assertThat(report(new UseException("it takes 0 or more"))).isEqualTo(2);
    assertThat(printed()).isEqualTo("rowan: it takes 0 or more" + System.lineSeparator());
  }

  @Test
  void longMessagesLoseTheirMiddle() {
    report(new UseException("a" + "x".repeat(5_000_000) + "z"));
    assertThat(printed().strip()).startsWith("rowan: axx").contains("xx … xx").endsWith("xxz");
    assertThat(printed().length()).isLessThan(6_100);
  }

  @Test
  void badFilesAreThree() {
    assertThat(report(new FormatException(Path.of("a/x.bin"), "is empty"))).isEqualTo(3);
    assertThat(report(new IOException("disk full"))).isEqualTo(3);
    assertThat(report(new UncheckedIOException(new IOException("cut off")))).isEqualTo(3);
    assertThat(printed()).contains("x.bin: is empty", "disk full", "rowan: cut off");
  }

  @Test
  void whatTheJdkRefusesIsOurBug() {
    try {
      Integer.parseInt("x");
    } catch (NumberFormatException e) {
      assertThat(report(e)).isEqualTo(1);
    }
    assertThat(printed()).contains("this is a bug in Rowan", "NumberFormatException", "JDK ");
  }

  @Test
  void tooLittleMemoryIsNoBug() {
    assertThat(report(new OutOfMemoryError("Java heap space"))).isEqualTo(3);
    assertThat(printed())
        .startsWith("rowan: this takes more memory than the JVM may use, ")
        .contains("(Java heap space); give it more with ROWAN_JAVA_OPTS=-Xmx");
  }

  @Test
  void interruptIsNoBug() {
    assertThat(report(new CancellationException("interrupted"))).isEqualTo(130);
    assertThat(report(new ClosedByInterruptException())).isEqualTo(130);
    assertThat(report(new UncheckedIOException(new ClosedByInterruptException()))).isEqualTo(130);
    assertThat(printed()).doesNotContain("ClosedBy");
  }

  @Test
  void aFileCutWhileItIsReadIsNoBug() {
    InternalError lost = new InternalError("a fault occurred in an unsafe memory access operation");
    assertThat(report(lost)).isEqualTo(3);
    assertThat(printed())
        .startsWith("rowan: a file changed or became shorter while it was read")
        .doesNotContain("bug");
    assertThat(report(new InternalError("anything else"))).isEqualTo(1);
  }
}

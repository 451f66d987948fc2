package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterruptsTest {
  // 128 + the number of the signal, as POSIX shells say it and the JVM by itself
  @ParameterizedTest
  @CsvSource({"SIGINT,130,rowan: interrupted", "SIGTERM,143,rowan: terminated"})
  void aJobEndsAsItsSignalWouldHaveEndedIt(String signal, int code, String said) {
    AtomicInteger asked = new AtomicInteger();
    try (Interrupts interrupts = Interrupts.asking(asked::incrementAndGet)) {
      interrupts.heard(signal);
      assertThat(asked).hasValue(1);
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int ended =
          Failures.report(
              interrupts.ending("stopped"),
              new PrintStream(err, true, StandardCharsets.UTF_8),
              false);
      assertThat(ended).isEqualTo(code);
      assertThat(err.toString(StandardCharsets.UTF_8).strip()).isEqualTo(said);
    }
  }
}

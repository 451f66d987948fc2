package dev.rowan.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class StandardStreamTest {
  private static StandardStream after(String failure) {
    StandardStream stream =
        new StandardStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException(failure);
              }
            });
    PrintStream printer = stream.printer();
    printer.println("an answer");
    printer.flush();
    return stream;
  }

  @Test
  void tellsOfADiskThatIsFull() {
    assertThat(after("No space left on device").failure())
        .hasValueSatisfying(e -> assertThat(e).hasMessage("No space left on device"));
  }

  @Test
  void isSilentWhereTheReaderLeft() {
    assertThat(after("Broken pipe").failure()).isEmpty();
  }

  @Test
  void hasNothingToTellWhereAllWasWritten() {
    StandardStream stream = new StandardStream(OutputStream.nullOutputStream());
    PrintStream printer = stream.printer();
    printer.println("an answer");
    printer.flush();
    assertThat(stream.failure()).isEmpty();
  }
}

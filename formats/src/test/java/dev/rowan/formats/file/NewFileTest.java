package dev.rowan.formats.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
  @TempDir Path folder;

  @Test
  void nothingHalfWrittenStaysBehindAProcessThatIsHalted() {
    Path target = folder.resolve("rows.npy");
    assertThatThrownBy(() ->
            NewFile.write(
                target,
                file -> {
                  file.append(MemorySegment.ofArray(new byte[100]));
                  assertThat(folder).isNotEmptyDirectory();
                  NewFile.abandonAll();
                  assertThat(folder).isEmptyDirectory();
                }))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(folder).isEmptyDirectory();
  }

  /** Linux has a device that is always full. */
  @Test
  void fullDiskIsToldWithTheNameOfTheFile() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
      assertThatThrownBy(
              () -> {
                try {
                  channel.write(ByteBuffer.allocate(8));
                } catch (IOException e) {
                  throw NewFile.naming(Path.of("rows.safetensors"), e);
                }
              })
          .hasMessage("rows.safetensors: cannot be written: No space left on device");
    }
  }

  @Test
  void interruptsStayWhatTheyAre() {
    ClosedByInterruptException interrupt = new ClosedByInterruptException();
    assertThat(NewFile.naming(Path.of("x"), interrupt)).isSameAs(interrupt);
  }
}

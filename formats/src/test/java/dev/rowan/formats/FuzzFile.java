package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes of a fuzz test as a file. */
public final class FuzzFile {
  private FuzzFile() {}

  /** Reads a file. */
  public interface Reader {
    void read(Path file) throws IOException;
  }

  /** Checks that a reader reads any bytes without an exception, or refuses them with a reason. */
  public static void refusesOrReads(byte[] bytes, String suffix, Reader reader) throws IOException {
    Path file = Files.createTempFile("rowan", suffix);
    try {
      Files.write(file, bytes);
      reader.read(file);
    } catch (FormatException e) {
      assertThat(e.getMessage()).contains(": ");
    } finally {
      Files.delete(file);
    }
  }
}

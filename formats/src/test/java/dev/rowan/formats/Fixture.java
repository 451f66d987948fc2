package dev.rowan.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Small files for tests: kept as base64 resources, or cut off. */
public final class Fixture {
  private Fixture() {}

  /**
   * Returns the bytes of a fixture.
   *
   * @param name its name under this package's resources, without {@code .b64}
   */
  public static byte[] bytes(String name) throws IOException {
    try (InputStream in = Fixture.class.getResourceAsStream(name + ".b64")) {
      assertThat(in).as("fixture %s", name).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return Base64.getMimeDecoder().decode(text);
    }
  }

  /** Writes a fixture to a folder under the last part of its name. */
  public static Path write(Path folder, String name) throws IOException {
    return Files.write(folder.resolve(name.substring(name.lastIndexOf('/') + 1)), bytes(name));
  }

  /**
   * Cuts a file at every byte and checks that opening what is left, and reading its tokens and
   * rows, says what is wrong: no other exception, and no table.
   */
  public static void refusesEveryCut(Path folder, byte[] whole, String suffix) throws IOException {
    for (int length = 0; length < whole.length; length++) {
      Path cut = folder.resolve("cut-" + length + suffix);
      Files.write(cut, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> readAll(cut))
          .as("cut to %d of %d bytes", length, whole.length)
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith(cut.getFileName() + ": ");
      Files.delete(cut);
    }
  }

  /** Returns the bytes of several fixtures. */
  public static Stream<byte[]> all(String... names) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (String name : names) {
      all.add(bytes(name));
    }
    return all.stream();
  }

  /** Checks that any bytes are read without an exception, or refused with a reason. */
  public static void refusesOrReads(byte[] bytes, String suffix) throws IOException {
    Path file = Files.createTempFile("rowan", suffix);
    try {
      Files.write(file, bytes);
      readAll(file);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith(file.getFileName() + ": ");
    } finally {
      Files.delete(file);
    }
  }

  /** Opens a model and reads all there is. */
  public static void readAll(Path path) throws IOException {
    try (Lexicon lexicon = Models.open(path)) {
      lexicon.vocabulary();
      lexicon.tie();
      long rows = Math.min(1000, lexicon.input().table().rows());
      for (long row = 0; row < rows; row++) {
        lexicon.input().table().row(row);
      }
    }
  }
}

package dev.rowan.formats.word2vec;

import static dev.rowan.formats.word2vec.WordVectorsFixture.GENSIM_BINARY;
import static dev.rowan.formats.word2vec.WordVectorsFixture.GENSIM_TEXT;
import static dev.rowan.formats.word2vec.WordVectorsFixture.binary;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordVectorsRefusalsTest {
  @TempDir Path folder;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("vectors.txt"), bytes);
  }

  private void refuses(byte[] bytes, String... parts) throws IOException {
    Path file = file(bytes);
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(parts);
  }

  private void refuses(String text, String... parts) throws IOException {
    refuses(text.getBytes(StandardCharsets.UTF_8), parts);
  }

  @Test
  void refusesAHeaderThatCountsMoreRows() throws IOException {
    refuses("5 2\na 1 2\nb 3 4\n", "the header says 5 rows but the file has 2");
  }

  @Test
  void refusesAHeaderThatCountsFewerRows() throws IOException {
    refuses("1 2\na 1 2\nb 3 4\n", "the header says 1 rows but the file has 2");
  }

  @Test
  void refusesAHeaderWithAnotherWidth() throws IOException {
    refuses("2 3\na 1 2\nb 3 4\n", "the header says 3 numbers a row but most lines have 2");
    refuses("2 1\na 1 2\nb 3 4\n", "the header says 1 numbers a row but most lines have 2");
  }

  @Test
  void refusesABinaryHeaderThatCountsMoreRows() throws IOException {
    float[] row = {1e-3f, 0.3f};
    refuses(binary("9999999 2\n", "", "a", row), "the header says 9,999,999 rows of 2 numbers");
    refuses(binary("2 2\n", "", "abcdefghijklm", row), "file ends within row 1");
  }

  @Test
  void refusesABinaryHeaderThatCountsFewerRows() throws IOException {
    float[] row = {1e-3f, 0.3f};
    refuses(
        binary("1 2\n", "", "a", row, "b", row),
        "the header says 1 rows but 10 bytes follow the last");
  }

  @Test
  void refusesALineThatIsTooShort() throws IOException {
    refuses(
        "a 1 2\nb 3\nc 5 6\nd 7 8\n", "line 2 has 2 fields; a word and 2 numbers", "most lines");
    refuses("3 2\na 1 2\n\nc 5 6\n", "line 3 has 0 fields", "the header says");
  }

  @Test
  void refusesAFieldThatIsNoNumber() throws IOException {
    refuses("a 1 2\nb 3 x4\nc 5 6\n", "line 2: \"x4\" is not a number", "number 2");
  }

  @Test
  void reportsTheFirstOfSeveralWrongLines() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 300_000; i++) {
      text.append(i % 100_000 == 0 ? "word 1.5 wrong\n" : "word 1.5 2.5\n");
    }
    refuses(text.toString(), "line 100,000:");
  }

  @Test
  void refusesFilesWithoutRows() throws IOException {
    refuses("0 5\n", "no rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807 2\n", "2 9223372036854775807\n", "1 536870911\n"})
  void refusesHeadersThatPromiseTheSky(String header) throws IOException {
    byte[] bytes = binary(header, "", "a", new float[] {1, 2});
    assertThatThrownBy(() -> Models.open(file(bytes)).close()).isInstanceOf(FormatException.class);
  }

  @Test
  void cutTextNeverYieldsTheFullTable() throws IOException {
    // cut within the last line's numbers a text may still be well formed, but not before
    int lastLine =
        GENSIM_TEXT.length - "\u00a0 1.0 2.0 3.0\n".getBytes(StandardCharsets.UTF_8).length;
    // and before its first row is whole it is a text of pairs: the word 4, the number 3, and so on
    for (int length = "4 3\nthe 0.5 -1".length(); length < lastLine; length++) {
      Path cut = file(Arrays.copyOf(GENSIM_TEXT, length));
      assertThatThrownBy(() -> Models.open(cut).close())
          .as("cut to %d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void refusesBinaryCutAtEveryByte() throws IOException {
    for (int length = "4 3\n".length(); length < GENSIM_BINARY.length; length++) {
      Path cut = file(Arrays.copyOf(GENSIM_BINARY, length));
      assertThatThrownBy(() -> Models.open(cut).close())
          .as("cut to %d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void refusesLinesThatEndInCarriageReturnsAlone() throws IOException {
    refuses("a 1 2\rb 3 4\rc 5 6\r", "carriage return alone");
    refuses("2 2\ra 1 2\rb 3 4\r", "carriage return alone");
  }

  /** Python: for w, v: f.write(w.encode() + b" " + v.tobytes()), with a word "new york". */
  @Test
  void refusesBinaryRowsThatASpaceInAWordHasShifted() throws IOException {
    float[] row = {-0.3f, 1.25f, 0.1f, -2.25f};
    refuses(
        binary("3 4\n", "", "new york", row, "a", row, "b", row), "row 0, \"new\"", "has a space");
  }
}

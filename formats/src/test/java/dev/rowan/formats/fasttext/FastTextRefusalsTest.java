package dev.rowan.formats.fasttext;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Files that are cut off, damaged or newer. */
class FastTextRefusalsTest extends FastTextFixture {
  @Test
  void refusesNewerVersions() throws IOException {
    Path file = file(modern(13, 3, 2, 10, 1).toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("version 13; 11 and 12 can be read");
  }

  @Test
  void refusesPrunedButUnquantised() throws IOException {
    Path file =
        file(
            plainRows(
                    twoWords(modern(12, 3, 2, 10, 1))
                        .longs(1)
                        .entry("a", 0)
                        .entry("</s>", 0)
                        .ints(0, 0)
                        .bytes(0),
                    3)
                .bytes(0)
                .longs(0, 3)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("pruned but the input matrix is not quantised");
  }

  @Test
  void refusesAMatrixWithTooFewRows() throws IOException {
    Path file =
        file(
            plainRows(
                    plainRows(
                            twoWords(modern(12, 3, 2, 10, 1))
                                .longs(-1)
                                .entry("a", 0)
                                .entry("b", 0)
                                .bytes(0),
                            11)
                        .bytes(0),
                    2)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has 11 rows; 2 words and 10 n-grams need 12");
  }

  @Test
  void refusesBytesBehindTheEnd() throws IOException {
    byte[] bytes = gensim();
    Path file = file(Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("1 bytes follow the output matrix");
  }

  @Test
  void refusesFilesCutAtEveryByte() throws IOException {
    for (byte[] whole : new byte[][] {gensim(), quantized(true).toBytes()}) {
      for (int length = 0; length < whole.length; length++) {
        Path cut = file(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> Models.open(cut).close())
            .as("cut to %d bytes", length)
            .isInstanceOf(FormatException.class);
      }
    }
  }

  @Test
  void refusesCountsThatPromiseTheSky() throws IOException {
    Path file =
        file(
            modern(12, 3, 2, 10, 1)
                .ints(Integer.MAX_VALUE, Integer.MAX_VALUE, 0)
                .longs(1, -1)
                .entry("a", 0)
                .toBytes());
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("2,147,483,647 entries");
  }
}

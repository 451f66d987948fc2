package dev.rowan.formats.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lengths of headers: what older writers padded to, and what none would write. */
class NumpyTrapsTest {
  private static final String HEADER =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";

  @TempDir Path folder;

  /** A file of version 2, whose length of the header takes four bytes. */
  private Path file(long length, String header) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(20 + header.length()).order(ByteOrder.LITTLE_ENDIAN);
    out.put("\u0093NUMPY\2\0".getBytes(StandardCharsets.ISO_8859_1)).putInt((int) length);
    out.put(header.getBytes(StandardCharsets.ISO_8859_1)).putFloat(1.5f).putFloat(2.5f);
    return Files.write(folder.resolve("a.npy"), out.array());
  }

  /** numpy pads to 64 bytes, before 1.14 to 16, and others not at all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 64})
  void readsHeadersPaddedToAnything(int multiple) throws IOException {
    int length = HEADER.length() + 1;
    int total = multiple == 0 ? 12 + length : Math.ceilDiv(12 + length, multiple) * multiple;
    String padded = HEADER + " ".repeat(total - 12 - length) + "\n";
    try (Lexicon lexicon = Models.open(file(padded.length(), padded))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(1.5f, 2.5f);
    }
  }

  /** numpy itself reads 10,000 characters at most. */
  @Test
  void refusesAHeaderLongerThanNumpyWouldRead() throws IOException {
    String tooLong = HEADER + " ".repeat(10_001 - HEADER.length());
    assertThatThrownBy(() -> Models.open(file(tooLong.length(), tooLong)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("header of 10,001 bytes; 10,000 are the most");
    String just = HEADER + " ".repeat(10_000 - HEADER.length());
    try (Lexicon lexicon = Models.open(file(just.length(), just))) {
      assertThat(lexicon.input().table().row(0)).containsExactly(1.5f, 2.5f);
    }
  }

  @Test
  void refusesAHeaderThatClaimsFourGibibytes() throws IOException {
    assertThatThrownBy(() -> Models.open(file(0xFFFFFFFFL, HEADER)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("a.npy: ");
  }
}

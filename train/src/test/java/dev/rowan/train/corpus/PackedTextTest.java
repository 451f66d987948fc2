package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static dev.rowan.train.corpus.CorpusFixture.read;
import static dev.rowan.train.corpus.CorpusFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Place;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedTextTest {
  @TempDir Path folder;

  // made by zstd 1.5.4 from "the cat sat\non the mat\n"
  private static final byte[] ZSTD =
      Base64.getDecoder().decode("KLUv/SQXuQAAdGhlIGNhdCBzYXQKb24gdGhlIG1hdArt+4B6");

  private static Corpus stream(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return new Corpus(
        List.of(new Place.Stream("stdin", new ByteArrayInputStream(all.toByteArray()))),
        new Form.Words(),
        ALL);
  }

  @Test
  void readsZstdWhateverTheFileIsCalled() throws IOException {
    Path file = Files.write(folder.resolve("a.txt"), ZSTD);
    assertThat(text(read(Corpus.ofFiles(file).with(ALL)))).isEqualTo("the cat sat |on the mat |");
  }

  @Test
  void readsPackedStreamsAndSeveralFramesInARow() throws IOException {
    assertThat(text(read(stream(ZSTD, ZSTD))))
        .isEqualTo("the cat sat |on the mat |the cat sat |on the mat |");
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write("a b\nc".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(text(read(stream(zipped.toByteArray())))).isEqualTo("a b |c ");
  }

  /** A zstd frame (RFC 8878, 3.1.1) of runs of 128 KB of blanks, and four bytes at its end. */
  private static byte[] blanks(int window, int runs) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0x00, (byte) window});
    for (int i = 0; i < runs; i++) {
      frame.writeBytes(new byte[] {0x02, 0x00, 0x10, ' '}); // size << 3 | type 1 << 1
    }
    frame.writeBytes(new byte[] {0x21, 0x00, 0x00, 'a', ' ', 'b', '\n'});
    return frame.toByteArray();
  }

  @Test
  void unpacksABombInItsStride() throws IOException {
    byte[] bomb = blanks(11 << 3, 400); // 2 KB that unpack to 52 MB
    assertThat(text(read(stream(bomb)))).isEqualTo("a b |");
  }

  @Test
  void saysWherePackedTextIsCutOff() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write("a b c d e f g h".repeat(1000).getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] whole : List.of(ZSTD, zipped.toByteArray())) {
      for (int length = 5; length < whole.length; length++) {
        Corpus corpus = stream(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> read(corpus))
            .as("of %d bytes", length)
            .isInstanceOf(FormatException.class)
            .hasMessageContaining("stdin")
            .hasMessageContaining("cut off");
      }
    }
  }

  @Test
  void saysThatPackedBytesAreDamaged() {
    byte[] damaged = ZSTD.clone();
    damaged[damaged.length - 1] ^= 1; // of the checksum
    assertThatThrownBy(() -> read(stream(damaged)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("zstd data are damaged");
    assertThatThrownBy(() -> read(stream(ZSTD, "more".getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void saysThatALongWindowIsNotRead() {
    assertThatThrownBy(() -> read(stream(blanks(17 << 3, 400)))) // 128 MB
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("window over 8 MB")
        .hasMessageContaining("zstd -dc --long=31");
    // by zstd 1.5.4 --long=27, to a pipe
    byte[] small =
        Base64.getDecoder()
            .decode("KLUv/QSITQEA2HRoZSBjYXQgc2F0IG9uIHRoZSBtYXQgYW5kCgQAWxUKOpXz6cG3ZQzVsS2b");
    assertThatThrownBy(() -> read(stream(small))).hasMessageContaining("window over 8 MB");
  }

  @Test
  void skipsFramesThatHoldNoText() throws IOException {
    byte[] skippable = {0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'n', 'o', ' '};
    assertThat(text(read(stream(skippable, ZSTD, skippable, ZSTD, skippable))))
        .isEqualTo("the cat sat |on the mat |the cat sat |on the mat |");
  }
}

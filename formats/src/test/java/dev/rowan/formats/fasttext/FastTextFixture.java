package dev.rowan.formats.fasttext;

import static dev.rowan.formats.fasttext.FastTextBytes.MAGIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.io.TempDir;

/** Models of fastText: one that gensim saved, and others made field by field. */
abstract class FastTextFixture {
  /** gensim sums in another order than fastText; rows agree to the last bits of a float. */
  static final Offset<Float> CLOSE = within(1e-7f);

  @TempDir Path folder;

  Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("model.bin"), bytes);
  }

  /**
   * Skip-gram of 4 numbers over 5 words, n-grams of 2 and 3, 50 buckets; trained and saved by
   * gensim 4.4.0 (save_facebook_model). Expected rows below are what gensim's load_facebook_model
   * gives.
   */
  static byte[] gensim() throws IOException {
    try (InputStream in = FastTextFixture.class.getResourceAsStream("gensim.bin")) {
      assertThat(in).isNotNull();
      return in.readAllBytes();
    }
  }

  /** Settings of 3 numbers a row, n-grams of one character in 10 buckets. */
  static FastTextBytes settings(int width, int kind, int bucket, int longest) {
    return new FastTextBytes()
        .ints(width, 5, 5, 1, 5, 1, 2, kind, bucket, Math.min(1, longest), longest, 100)
        .doubles(1e-4);
  }

  static FastTextBytes modern(int version, int width, int kind, int bucket, int longest) {
    FastTextBytes front = new FastTextBytes().ints(MAGIC, version);
    byte[] settings = settings(width, kind, bucket, longest).toBytes();
    for (byte b : settings) {
      front.bytes(b);
    }
    return front;
  }

  // a = mean of row 0 and the n-gram "a": FNV-1a("a") = 3826002220, in 10 buckets: 0, so row 2 + 0
  static FastTextBytes twoWords(FastTextBytes settings) {
    return settings.ints(2, 2, 0).longs(100);
  }

  static FastTextBytes plainRows(FastTextBytes out, int rows) {
    out.longs(rows, 3);
    for (int row = 0; row < rows; row++) {
      out.floats(row + 1, 10 * (row + 1), -row);
    }
    return out;
  }

  static byte[] old() {
    return plainRows(
            plainRows(twoWords(settings(3, 2, 10, 1)).entry("a", 0).entry("</s>", 0), 12), 2)
        .toBytes();
  }

  static byte[] supervised() {
    return plainRows(
            plainRows(
                    modern(11, 3, 3, 10, 4)
                        .ints(3, 1, 2)
                        .longs(100, -1)
                        .entry("word", 0)
                        .entry("__label__a", 1)
                        .entry("__label__b", 1)
                        .bytes(0),
                    11)
                .bytes(0),
            2)
        .toBytes();
  }

  /** Part 0 of two numbers has centroids (c, 10c), part 1 of one number has 100c. */
  static FastTextBytes centroids(FastTextBytes out) {
    out.ints(3, 2, 2, 1);
    for (int c = 0; c < 256; c++) {
      out.floats(c, 10 * c);
    }
    for (int c = 0; c < 256; c++) {
      out.floats(100 * c);
    }
    return out;
  }

  /** Rows (1, 10, 200), 0, (3, 30, 400): a, the end of sentence, and the kept n-gram "a". */
  static FastTextBytes quantized(boolean norms) {
    FastTextBytes out =
        twoWords(modern(12, 3, 2, 10, 1))
            .longs(1)
            .entry("a", 0)
            .entry("</s>", 0)
            .ints(0, 0) // bucket 0 is kept in row 0 behind the words
            .bytes(1);
    centroids(out.bytes(norms ? 1 : 0).longs(3, 3).ints(6).bytes(1, 2, 0, 0, 3, 4));
    if (norms) {
      out.bytes(2, 0, 1).ints(1, 1, 1, 1);
      for (int c = 0; c < 256; c++) {
        out.floats(c + 1);
      }
    }
    return plainRows(out.bytes(0), 2);
  }
}

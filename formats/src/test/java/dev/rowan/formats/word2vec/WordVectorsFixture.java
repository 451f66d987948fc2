package dev.rowan.formats.word2vec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Files of word vectors, made by gensim and by hand. */
final class WordVectorsFixture {
  // Written by gensim 4.4.0, KeyedVectors.save_word2vec_format, from the float32 rows
  //   the [0.5, -1.25, 1e-5]   café [0.1, 0.2, 0.3]   東京 [3.4e38, -1e-40, nan]   NBSP [1, 2, 3]
  static final byte[] GENSIM_TEXT =
      """
      4 3
      the 0.5 -1.25 1e-05
      café 0.1 0.2 0.3
      東京 3.4e+38 -1e-40 nan
      \u00a0 1.0 2.0 3.0
      """
          .getBytes(StandardCharsets.UTF_8);

  static final byte[] GENSIM_BINARY =
      Base64.getDecoder()
          .decode(
              "NCAzCnRoZSAAAAA/AACgv6zFJzdjYWbDqSDNzMw9zcxMPpqZmT7mnbHkuqwgnsl/f8IWAYAAAMB/wqAgAACA"
                  + "PwAAAEAAAEBA");

  private WordVectorsFixture() {}

  /** Rows of word2vec binary, written out by hand. */
  static byte[] binary(String header, String afterRow, Object... wordsAndRows) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(header.getBytes(StandardCharsets.UTF_8));
    for (Object part : wordsAndRows) {
      switch (part) {
        case String word -> out.writeBytes((word + " ").getBytes(StandardCharsets.UTF_8));
        case byte[] word -> {
          out.writeBytes(word);
          out.write(' ');
        }
        case float[] row -> {
          ByteBuffer numbers = ByteBuffer.allocate(4 * row.length).order(ByteOrder.LITTLE_ENDIAN);
          for (float number : row) {
            numbers.putFloat(number);
          }
          out.writeBytes(numbers.array());
          out.writeBytes(afterRow.getBytes(StandardCharsets.UTF_8));
        }
        default -> throw new IllegalArgumentException("unexpected part " + part);
      }
    }
    return out.toByteArray();
  }
}

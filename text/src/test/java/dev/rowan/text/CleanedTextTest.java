package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Models that clean text first: ids that the slow classes of transformers 4.57.3 give with the same
 * file.
 */
class CleanedTextTest {
  private static final List<String> TEXTS =
      List.of(
          "É  `` A\t1,  12, a2, '' ", "<PAD> aΣ[MASK]a", " [mask] A\u001cé 2,", "①,a\u0345 İ 1,2,");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Albert | ''                                             | 3 6 3 11 19 3 8 10 14 10 19 9 10 3 11 / 22 19 15 23 19 / 3 0 4 0 19 3 6 3 9 10 / 3 8 10 4 3 17 3 8 10 9 10
          Albert | , "keep_accents": true                         | 3 7 3 11 19 3 8 10 14 10 19 9 10 3 11 / 22 19 15 23 19 / 3 0 4 0 19 3 7 3 9 10 / 3 0 10 4 0 3 17 0 3 8 10 9 10
          XLNet  | ''                                             | 3 0 3 11 3 5 3 8 10 14 10 19 9 10 3 11 / 3 0 5 0 19 0 5 0 4 / 3 0 4 0 3 5 3 6 3 9 10 / 3 8 10 4 3 0 3 8 10 9 10
          XLNet  | , "do_lower_case": true, "remove_space": false | 3 6 3 11 19 0 8 10 14 10 19 9 10 3 11 / 21 19 15 0 4 0 4 / 3 0 4 0 19 0 6 3 9 10 / 3 8 10 4 3 17 3 8 10 9 10
          FNet   | ''                                             | 3 0 3 11 3 5 3 8 10 14 10 19 9 10 3 11 / 3 0 5 0 19 0 23 19 / 3 0 4 0 3 5 3 7 3 9 10 / 3 0 10 4 0 3 0 3 8 10 9 10
          """)
  void isSplitAsByTheClass(String kind, String more, String ids) throws IOException {
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"tokenizer_class\": \"%sTokenizer\"%s}".formatted(kind, more));
    Path file = Files.write(folder.resolve("spiece.model"), model());
    try (Tokenizer tokenizer = Tokenizers.of(TokenizerFile.of(file).model().orElseThrow())) {
      assertThat(
              TEXTS.stream()
                  .map(tokenizer::encode)
                  .map(found -> Arrays.toString(found).replaceAll("[\\[\\],]", ""))
                  .toList())
          .isEqualTo(List.of(ids.split(" / ", -1)));
    }
  }

  private static byte[] model() {
    ByteArrayOutputStream model = new ByteArrayOutputStream();
    piece(model, "<unk>", 0, 2);
    piece(model, "<s>", 0, 3);
    piece(model, "</s>", 0, 3);
    for (String text : List.of("▁", "a", "A", "e", "é")) {
      piece(model, text, -3, 1);
    }
    piece(model, "1", -4, 1);
    piece(model, "2", -4, 1);
    piece(model, ",", -3, 1);
    piece(model, "\"", -3, 1);
    piece(model, "▁1,", -1, 1);
    piece(model, "2,", -1, 1);
    piece(model, "▁12", -2, 1);
    for (String text : List.of("σ", "ς", "i", "'")) {
      piece(model, text, -3, 1);
    }
    piece(model, "▁a", -2, 1);
    return model.toByteArray();
  }

  /** Field 1 of the model: text, score and kind of a piece, as protobuf. */
  private static void piece(ByteArrayOutputStream model, String text, float score, int kind) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    model.writeBytes(new byte[] {0x0A, (byte) (bytes.length + 9), 0x0A, (byte) bytes.length});
    model.writeBytes(bytes);
    model.write(0x15);
    model.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(score).array());
    model.writeBytes(new byte[] {0x18, (byte) kind});
  }
}

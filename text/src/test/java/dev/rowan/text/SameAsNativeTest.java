package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random text, split here and by the library that defines tokenizer.json, from one and the same
 * vocabulary.
 */
class SameAsNativeTest {
  private static final long SEED = Long.getLong("rowan.seed", 20_261_129L);

  private static final List<String> PARTS =
      List.of(
          " ",
          "  ",
          "\n",
          "\t",
          "'s",
          "'LL",
          "a",
          "the",
          "Cat",
          "walk",
          "ing",
          "é",
          "e\u0301",
          "ß",
          "лиса",
          "猫",
          "が",
          "고",
          "ال",
          "1",
          "2345",
          "½",
          ".",
          "!?",
          "_",
          "-",
          "😀",
          "👍🏽",
          "\u200d",
          "\u00a0",
          "\u3000",
          "<|endoftext|>",
          "[SEP]",
          "##",
          "İ",
          "\u2019",
          "€");

  @TempDir Path folder;

  @Test
  void byteLevelBpe() throws IOException {
    Awkward.write(folder, "bytes/merges.txt");
    Path vocab = Awkward.write(folder, "bytes/vocab.json");
    ByteLevelBpe model = (ByteLevelBpe) TokenizerFile.of(vocab).model().orElseThrow();
    String merges =
        Files.readAllLines(folder.resolve("merges.txt")).stream()
            .skip(1)
            .map(SameAsNativeTest::quoted)
            .collect(Collectors.joining(","));
    compare(
        model,
        """
        {"version": "1.0", "added_tokens": [%s], "normalizer": null,
         "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
                           "use_regex": true},
         "post_processor": null, "decoder": null,
         "model": {"type": "BPE", "vocab": %s, "merges": [%s]}}
        """
            .formatted(special("<|endoftext|>", 0), Files.readString(vocab), merges));
  }

  @Test
  void wordPiece() throws IOException {
    Path file = Awkward.write(folder, "wordpiece-uncased/vocab.txt");
    WordPiece model = (WordPiece) TokenizerFile.of(file).model().orElseThrow();
    Vocabulary vocabulary = model.vocabulary();
    assertThat(vocabulary.spelling()).isEqualTo(Spelling.WORDPIECE);
    String vocab =
        IntStream.range(0, vocabulary.size())
            .mapToObj(id -> quoted(vocabulary.stored(id)) + ":" + id)
            .collect(Collectors.joining(","));
    String added =
        model.markers().inText().stream()
            .sorted()
            .map(id -> special(vocabulary.stored(id), id))
            .collect(Collectors.joining(","));
    compare(
        model,
        """
        {"version": "1.0", "added_tokens": [%s],
         "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                        "strip_accents": null, "lowercase": true},
         "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null, "decoder": null,
         "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": {%s}}}
        """
            .formatted(added, vocab));
  }

  private void compare(TokenizerModel model, String json) throws IOException {
    Path file = Files.writeString(folder.resolve("tokenizer.json"), json);
    Random random = new Random(SEED);
    try (Tokenizer ours = Tokenizers.of(model);
        Tokenizer theirs = NativeTokenizer.open(file)) {
      for (int i = 0; i < 2_000; i++) {
        String text = text(random);
        assertThat(ours.encode(text))
            .as("\"%s\"; replay with -Drowan.seed=%d", text, SEED)
            .isEqualTo(theirs.encode(text));
      }
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int parts = random.nextInt(30);
    for (int i = 0; i < parts; i++) {
      if (random.nextInt(10) == 0) {
        text.appendCodePoint(scalar(random));
      } else {
        text.append(PARTS.get(random.nextInt(PARTS.size())));
      }
    }
    return text.toString();
  }

  /** A character that both libraries' tables of Unicode agree on, because it is old. */
  private static int scalar(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(0x24F);
      case 1 -> 0x370 + random.nextInt(0x250);
      case 2 -> 0x3041 + random.nextInt(0x70);
      default -> 0x1F300 + random.nextInt(0x200);
    };
  }

  private static String special(String token, int id) {
    return """
    {"id": %d, "content": %s, "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": false, "special": true}
    """
        .formatted(id, quoted(token));
  }

  private static String quoted(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    assertThat(escaped.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
    return '"' + escaped + '"';
  }
}

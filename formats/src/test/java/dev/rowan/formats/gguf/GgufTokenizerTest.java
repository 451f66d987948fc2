package dev.rowan.formats.gguf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import dev.rowan.formats.tokenizer.WordSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings written by hand; whole tokenizers are compared with the references in module text. */
class GgufTokenizerTest {
  @TempDir Path folder;

  private TokenizerModel read(int keys, Consumer<GgufBytes> add) throws IOException {
    Path file = Files.write(folder.resolve("x.gguf"), GgufBytes.header(0, keys).also(add).bytes());
    try (GgufFile model = GgufFile.open(file)) {
      return model.tokenizer().orElseThrow().get();
    }
  }

  private static GgufBytes tokens(GgufBytes file, String model, String... tokens) {
    return file.textKey("tokenizer.ggml.model", model).textsKey("tokenizer.ggml.tokens", tokens);
  }

  private static GgufBytes flag(GgufBytes file, String key, int value) {
    return file.key("tokenizer.ggml." + key, 7).raw((byte) value);
  }

  @Test
  void knowsPreTokenizersByName() throws IOException {
    ByteLevelBpe model =
        (ByteLevelBpe)
            read(
                4,
                file ->
                    tokens(file, "gpt2", "a", "b", "ab")
                        .textKey("tokenizer.ggml.pre", "llama-bpe")
                        .textsKey("tokenizer.ggml.merges", "a b"));
    assertThat(model.split()).isEqualTo(WordSplit.LLAMA3);
    assertThat(model.wholeWord()).isEqualTo(WholeWord.TAKEN);
    assertThat(model.merges().orElseThrow().joined(0)).isEqualTo(2);
  }

  @Test
  void refusesAPreTokenizerThatIsNotKnown() {
    assertThatThrownBy(() ->
            read(3, file -> tokens(file, "gpt2", "a").textKey("tokenizer.ggml.pre", "superbpe")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "x.gguf: cuts text into words as \"superbpe\" does (tokenizer.ggml.pre), which cannot"
                + " split text here; name the model's tokenizer.json with --tokenizer, or use whole"
                + " tokens");
  }

  @Test
  void refusesKindsThatAreNotKnown() {
    assertThatThrownBy(() -> read(2, file -> tokens(file, "rwkv", "a")))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("has a tokenizer of the kind \"rwkv\" (tokenizer.ggml.model)");
  }

  @Test
  void refusesByteLevelTokensWithoutMerges() {
    assertThatThrownBy(() -> read(2, file -> tokens(file, "gpt2", "a")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no merges (tokenizer.ggml.merges)");
  }

  @Test
  void refusesMergesOfTokensThatAreNotThere() {
    assertThatThrownBy(() ->
            read(
                3, file -> tokens(file, "gpt2", "a", "b").textsKey("tokenizer.ggml.merges", "a b")))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "x.gguf: merge 0 is none: \"a b\" needs the token \"ab\", which the vocabulary does"
                + " not have");
  }

  @Test
  void refusesSentencePieceWithoutScores() {
    assertThatThrownBy(() -> read(2, file -> tokens(file, "llama", "a")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no scores (tokenizer.ggml.scores)");
  }

  @Test
  void putsASpaceInFrontUnlessToldNotTo() throws IOException {
    Consumer<GgufBytes> scored =
        file -> tokens(file, "llama", "a").key("tokenizer.ggml.scores", 9).u32(6).i64(1).f32(-1);
    SentencePiece silent = (SentencePiece) read(3, scored);
    assertThat(silent.rules().lead()).isEqualTo(Lead.SPACE_BEFORE);
    assertThat(silent.rules().spaces()).isEqualTo(Spaces.KEPT);
    SentencePiece told =
        (SentencePiece) read(4, scored.andThen(file -> flag(file, "add_space_prefix", 0)));
    assertThat(told.rules().lead()).isEqualTo(Lead.NONE);
  }

  @Test
  void refusesADamagedTableOfReplacements() {
    assertThatThrownBy(() ->
            read(
                4,
                file ->
                    tokens(file, "t5", "a")
                        .key("tokenizer.ggml.scores", 9)
                        .u32(6)
                        .i64(1)
                        .f32(-1)
                        .key("tokenizer.ggml.precompiled_charsmap", 9)
                        .u32(0)
                        .i64(5)
                        .u32(8)
                        .raw((byte) 0)))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "x.gguf: has a table of replacements of 5 bytes with a trie of 8; the file is damaged,"
                + " copy it again");
  }

  @Test
  void lowersTextOfWordPieceUnlessToldNotTo() throws IOException {
    Consumer<GgufBytes> cased = file -> tokens(file, "bert", "[UNK]", "▁Paris");
    assertThat(((WordPiece) read(2, cased)).letterCase()).isEqualTo(LetterCase.LOWERED);
    assertThat(
            ((WordPiece) read(3, cased.andThen(file -> flag(file, "normalizer.lowercase", 0))))
                .letterCase())
        .isEqualTo(LetterCase.KEPT);
    assertThatThrownBy(
            () -> read(3, cased.andThen(file -> flag(file, "normalizer.strip_accents", 0))))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("treats capitals and accents differently");
  }

  @Test
  void findsTheFrameOfWordPieceByItsTokens() throws IOException {
    WordPiece model =
        (WordPiece) read(2, file -> tokens(file, "bert", "[CLS]", "[SEP]", "[UNK]", "▁the", "s"));
    assertThat(model.markers().before()).containsExactly(0);
    assertThat(model.markers().after()).containsExactly(1);
    assertThat(model.unknown()).hasValue(2);
  }
}

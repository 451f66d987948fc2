package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as GPT-2 stores them, written by hand. */
class VocabJsonTest {
  private static final String VOCAB =
      "{\"c\": 0, \"a\": 1, \"t\": 2, \"Ġ\": 3, \"at\": 4, \"cat\": 5, \"Ġcat\": 6,"
          + " \"<|endoftext|>\": 7}";
  private static final String MERGES = "#version: 0.2\na t\nc at\nĠ cat\n";

  @TempDir Path folder;

  private Path write(String vocab, String merges) throws IOException {
    Files.writeString(folder.resolve("merges.txt"), merges);
    return Files.writeString(folder.resolve("vocab.json"), vocab);
  }

  @Test
  void readsTokensAndMerges() throws IOException {
    ByteLevelBpe model = VocabJson.read(write(VOCAB, MERGES));
    Vocabulary tokens = model.vocabulary();
    assertThat(tokens.spelling()).isEqualTo(Spelling.BYTE_LEVEL);
    assertThat(tokens.text(6)).isEqualTo(" cat");
    Merges merges = model.merges().orElseThrow();
    assertThat(merges.count()).isEqualTo(3);
    assertThat(new int[] {merges.left(1), merges.right(1), merges.joined(1)})
        .containsExactly(0, 4, 5);
  }

  @Test
  void takesWhatNoMergeMakesAsAdded() throws IOException {
    ByteLevelBpe model = VocabJson.read(write(VOCAB, MERGES));
    assertThat(model.markers().inText()).containsExactly(7);
    assertThat(model.vocabulary().isAdded(7)).isTrue();
    assertThat(model.vocabulary().isAdded(6)).isFalse();
  }

  @Test
  void readsAddedTokensBesideIt() throws IOException {
    Path vocab = write(VOCAB, MERGES);
    Files.writeString(folder.resolve("added_tokens.json"), "{\"<|im_start|>\": 9}");
    ByteLevelBpe model = VocabJson.read(vocab);
    assertThat(model.vocabulary().text(9)).isEqualTo("<|im_start|>");
    assertThat(model.vocabulary().has(8)).isFalse();
    assertThat(model.markers().inText()).containsExactly(7, 9);
  }

  @Test
  void takesTheConfigsWordForSpacesAndCuts() throws IOException {
    Path vocab = write(VOCAB, MERGES);
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"add_prefix_space\": true, \"tokenizer_class\": \"Qwen2Tokenizer\", \"x\": [{}]}");
    ByteLevelBpe model = VocabJson.read(vocab);
    assertThat(model.lead()).isEqualTo(Lead.SPACE_BEFORE);
    assertThat(model.split()).isEqualTo(WordSplit.QWEN2);
  }

  @Test
  void framesTextAsRobertaDoes() throws IOException {
    Path vocab = write("{\"<s>\": 0, \"</s>\": 1, \"a\": 2}", "");
    Files.writeString(
        folder.resolve("tokenizer_config.json"), "{\"tokenizer_class\": \"RobertaTokenizer\"}");
    ByteLevelBpe model = VocabJson.read(vocab);
    assertThat(model.markers().before()).containsExactly(0);
    assertThat(model.markers().after()).containsExactly(1);
  }

  @Test
  void readsTokensWithoutMerges() throws IOException {
    Path vocab = Files.writeString(folder.resolve("vocab.json"), "{\"▁a\": 0, \"b\": 1}");
    assertThat(VocabJson.vocabulary(vocab).spelling()).isEqualTo(Spelling.SENTENCEPIECE);
    assertThatThrownBy(() -> VocabJson.read(vocab))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("needs the file merges.txt beside it");
  }

  @Test
  void namesTheLineOfABadMerge() throws IOException {
    Path vocab = write(VOCAB, "a t\nc dog\n");
    assertThatThrownBy(() -> VocabJson.read(vocab))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "merges.txt: line 2 is no merge: \"c dog\" needs the token \"dog\", which the"
                + " vocabulary does not have (at byte 4)");
  }

  @Test
  void refusesAMergeOfMoreThanTwo() throws IOException {
    Path vocab = write(VOCAB, "a t c\n");
    assertThatThrownBy(() -> VocabJson.read(vocab))
        .hasMessageContaining("line 1 is no merge")
        .hasMessageContaining("not two tokens with one space between them");
  }

  @Test
  void refusesIdsThatAreNone() throws IOException {
    Path vocab = write("{\"a\": -1}", "");
    assertThatThrownBy(() -> VocabJson.read(vocab))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("the id of \"a\" is -1; it should lie in [0, 2^31 − 1)");
    Path sparse = write("{\"a\": 2000000000}", "");
    assertThatThrownBy(() -> VocabJson.read(sparse))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("ids that sparse are not supported");
  }
}

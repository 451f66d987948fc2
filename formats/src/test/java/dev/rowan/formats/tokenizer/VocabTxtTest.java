package dev.rowan.formats.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Spelling;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists written by hand. */
class VocabTxtTest {
  @TempDir Path folder;

  private TokenizerModel read(String lines) throws IOException {
    return VocabTxt.read(Files.writeString(folder.resolve("vocab.txt"), lines));
  }

  @Test
  void readsWordPiece() throws IOException {
    WordPiece model = (WordPiece) read("[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n##s\n");
    assertThat(model.vocabulary().spelling()).isEqualTo(Spelling.WORDPIECE);
    assertThat(model.vocabulary().id("##s")).hasValue(5);
    assertThat(model.unknown()).hasValue(1);
    assertThat(model.markers().inText()).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(model.markers().before()).containsExactly(2);
    assertThat(model.markers().after()).containsExactly(3);
    assertThat(model.letterCase()).isEqualTo(LetterCase.LOWERED);
  }

  @Test
  void seesThatCapitalsCount() throws IOException {
    assertThat(((WordPiece) read("[UNK]\nThe\n##s\n")).letterCase()).isEqualTo(LetterCase.KEPT);
  }

  @Test
  void believesTheConfigOverTheTokens() throws IOException {
    Files.writeString(folder.resolve("tokenizer_config.json"), "{\"do_lower_case\": false}");
    assertThat(((WordPiece) read("[UNK]\nthe\n##s\n")).letterCase()).isEqualTo(LetterCase.KEPT);
  }

  @Test
  void refusesToSplitByRulesThatCannotBeRun() throws IOException {
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"do_lower_case\": true, \"strip_accents\": false}");
    assertThatThrownBy(() -> read("[UNK]\nthe\n##s\n"))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("a strip_accents that differs from do_lower_case");
    assertThat(VocabTxt.vocabulary(folder.resolve("vocab.txt")).size()).isEqualTo(3);
  }

  @Test
  void readsWords() throws IOException {
    WordList model = (WordList) read("the\r\n\r\n<unk>\r\ncat");
    assertThat(model.vocabulary().spelling()).isEqualTo(Spelling.PLAIN);
    assertThat(model.vocabulary().id("cat")).hasValue(3);
    assertThat(model.vocabulary().has(1)).isFalse();
    assertThat(model.unknown()).hasValue(2);
  }

  @Test
  void refusesAnEmptyFileAndAPointer() {
    assertThatThrownBy(() -> read(""))
        .isInstanceOf(FormatException.class)
        .hasMessage("vocab.txt: is empty; a list of tokens has one a line");
    assertThatThrownBy(() -> read("version https://git-lfs.github.com/spec/v1\n"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("fetch the real file with git lfs pull");
  }

  @Test
  void leavesOutTheMarkInFrontOfUtf8AndNotesOtherEncodings() throws IOException {
    Path list = Files.writeString(folder.resolve("marked.txt"), "\ufeffa\nb\n");
    assertThat(VocabTxt.vocabulary(list).text(0)).isEqualTo("a");
    Path latin = folder.resolve("latin.txt");
    Files.writeString(latin, "caf\u00e9\nb\n", StandardCharsets.ISO_8859_1);
    assertThat(VocabTxt.vocabulary(latin).notes())
        .anyMatch(note -> note.startsWith("1 word is not valid UTF-8"));
  }
}

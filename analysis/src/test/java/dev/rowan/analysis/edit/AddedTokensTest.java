package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** New tokens, alone and after other edits. */
class AddedTokensTest extends TokenEditFixture {
  @Test
  void addsTokensToEveryKindOfTokenizer() throws IOException {
    NewToken token = new NewToken("new", NewToken.Kind.WORD, Optional.empty());
    Edit add = new Edit.AddTokens(List.of(token));
    Planted.tied(model);
    Files.delete(model.resolve("tokenizer.json"));
    Files.writeString(model.resolve("vocab.txt"), "[UNK]\ncat\n##s\ndog\n[SEP]");
    Planted.edit(model, target, add);
    assertThat(target.resolve("vocab.txt")).hasContent("[UNK]\ncat\n##s\ndog\n[SEP]\nnew\n");

    Path gpt = Planted.tied(folder.resolve("gpt"));
    Files.delete(gpt.resolve("tokenizer.json"));
    Files.writeString(gpt.resolve("vocab.json"), "{\"a\": 0, \"b\": 1, \"ab\": 2, \"<e>\": 3}");
    Files.writeString(gpt.resolve("merges.txt"), "#version: 0.2\na b\n");
    Path gptTarget = folder.resolve("gpt-edited");
    Planted.edit(gpt, gptTarget, add);
    assertThat(gptTarget.resolve("added_tokens.json")).hasContent("{\n  \"new\": 4\n}\n");
    assertThat(TokenizerFile.of(gptTarget).vocabulary().stored(4)).isEqualTo("new");
  }

  /** A further piece of the file would have the id 6 too, and move the mask from 5 to there. */
  @Test
  void leavesPiecesAloneThatTheModelNumbersAnew() throws IOException {
    Planted.write(
        model,
        "{\"model_type\": \"xlm-roberta\", \"vocab_size\": 6}",
        Planted.f32(Planted.INPUT, List.of(6L, 2L), ramp(6)));
    Files.delete(model.resolve("tokenizer.json"));
    String pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("</s>", 3) + piece("cat", 1);
    Path file = model.resolve("sentencepiece.bpe.model");
    Files.writeString(file, pieces);
    NewToken token = new NewToken("new", NewToken.Kind.WORD, Optional.empty());
    Planted.edit(model, target, new Edit.AddTokens(List.of(token)));
    assertThat(target.resolve("sentencepiece.bpe.model")).hasSameTextualContentAs(file);
    assertThat(target.resolve("added_tokens.json")).hasContent("{\n  \"new\": 6\n}\n");
    Vocabulary vocabulary = TokenizerFile.of(target).vocabulary();
    assertThat(vocabulary.stored(4)).isEqualTo("cat");
    assertThat(vocabulary.stored(5)).isEqualTo("<mask>");
    assertThat(vocabulary.stored(6)).isEqualTo("new");

    Path other = folder.resolve("other");
    assertThatThrownBy(
            () -> Planted.edit(target, other, new Edit.PruneTo(List.of(corpus("cat")), 1)))
        .hasMessageContaining("a SentencePiece or tiktoken file alone cannot");
    assertThat(other).doesNotExist();
    Files.writeString(model.resolve("config.json"), "{\"model_type\": \"marian\"}");
    assertThatThrownBy(() -> Planted.edit(model, other, new Edit.AddTokens(List.of(token))))
        .hasMessageContaining("numbers its pieces in a way that is not known here");
  }

  /** A piece of a SentencePiece model: its text and kind, as protobuf. */
  private static String piece(String text, int kind) {
    return "\n%c\n%c%s\u0018%c".formatted(text.length() + 4, text.length(), text, kind);
  }

  /** Six tokens stay of nine rows; the new one follows them, in the tokenizer as in the table. */
  @Test
  void addsTokensToWhatPruningLeaves() throws IOException {
    bpeModel();
    NewToken token = new NewToken("new", NewToken.Kind.SPECIAL, Optional.empty());
    EditOptions options = EditOptions.DEFAULT.withInitialisation(new Initialisation.CopyOf(8));
    Planted.edit(
        EditRequest.of(
                model,
                target,
                new Edit.PruneTo(List.of(corpus("abc abc\nnew")), 1),
                new Edit.AddTokens(List.of(token)))
            .with(options));
    Vocabulary vocabulary = TokenizerFile.of(target).vocabulary();
    assertThat(vocabulary.stored(5)).isEqualTo("<end>");
    assertThat(vocabulary.stored(6)).isEqualTo("new");
    assertThat(vocabulary.isAdded(6)).isTrue();
    List<float[]> rows = Planted.rows(target);
    assertThat(rows).hasSize(7);
    assertThat(rows.get(5)).containsExactly(14, 15);
    assertThat(rows.get(6)).containsExactly(16, 17); // of the old row 8
    assertThat(Files.readString(target.resolve("config.json"))).contains("\"vocab_size\":7");
  }

  @Test
  void addsTokensToATransplantedTokenizer() throws IOException {
    Planted.tied(model);
    NewToken token = new NewToken("new", NewToken.Kind.WORD, Optional.empty());
    EditOptions options = EditOptions.DEFAULT.withInitialisation(new Initialisation.Mean());
    Planted.edit(
        EditRequest.of(
                model, target, new Edit.TransplantTo(donor()), new Edit.AddTokens(List.of(token)))
            .with(options));
    Vocabulary vocabulary = TokenizerFile.of(target).vocabulary();
    assertThat(vocabulary.stored(1)).isEqualTo("trois");
    assertThat(vocabulary.stored(4)).isEqualTo("new");
    assertThat(Planted.rows(target)).hasSize(5);
    assertThat(Planted.rows(target).get(4)).containsExactly(1.6f, 4); // the mean of the old rows
  }

  @Test
  void refusesNewTokensThatStayed() throws IOException {
    bpeModel();
    NewToken there = new NewToken("abc", NewToken.Kind.WORD, Optional.empty());
    assertThatThrownBy(() ->
            Planted.edit(
                model,
                target,
                new Edit.PruneTo(List.of(corpus("abc")), 1),
                new Edit.AddTokens(List.of(there))))
        .hasMessageContaining("\"abc\" is a token already, #4");
  }
}

package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vocabularies made smaller. */
class PruningTest extends TokenEditFixture {
  /** The corpus uses "abc" alone, so its parts and the single letters stay, "bc" and "ca" go. */
  @Test
  void prunesBytePairsToWhatTextUsesAndWhatThatIsMadeOf() throws IOException {
    bpeModel();
    Planted.edit(model, target, new Edit.PruneTo(List.of(corpus("abc abc")), 1));
    try (Lexicon lexicon = Models.open(target)) {
      Vocabulary vocabulary = lexicon.vocabulary().orElseThrow();
      assertThat(vocabulary.size()).isEqualTo(6);
      assertThat(List.of(0, 1, 2, 3, 4, 5).stream().map(vocabulary::stored).toList())
          .containsExactly("a", "b", "c", "ab", "abc", "<end>");
      assertThat(lexicon.input().table().rows()).isEqualTo(6);
      assertThat(lexicon.input().table().row(4)).containsExactly(10, 11); // of "abc", once 5
      assertThat(lexicon.input().table().row(5)).containsExactly(14, 15); // of "<end>", once 7
    }
    assertThat(Files.readString(target.resolve("config.json")))
        .isEqualTo(
            """
            {"vocab_size":6,"eos_token_id":[5],"bos_token_id":5}
            """);
    String tokenizer = Files.readString(target.resolve("tokenizer.json")).replaceAll("\\s", "");
    assertThat(tokenizer)
        .contains(
            "\"vocab\":{\"a\":0,\"b\":1,\"c\":2,\"ab\":3,\"abc\":4}",
            "\"merges\":[[\"a\",\"b\"],[\"ab\",\"c\"]]",
            "\"pad_id\":5",
            "{\"id\":5,\"content\":\"<end>\"",
            "\"ids\":[5],\"tokens\":[\"<end>\"]",
            "\"ids\":[3],\"tokens\":[\"alien\"]"); // no token of this vocabulary, so left alone
    assertThat(Files.readAllLines(target.resolve("token-ids.tsv")))
        .startsWith("new_id\told_id\ttoken", "0\t0\t\"a\"")
        .endsWith("4\t5\t\"abc\"", "5\t7\t\"<end>\"");
  }

  @Test
  void prunesWordPieceVocabularies() throws IOException {
    Planted.tied(model);
    Files.delete(model.resolve("tokenizer.json"));
    Files.writeString(model.resolve("vocab.txt"), "[UNK]\ncat\n##s\ndog\n[SEP]\n");
    Planted.edit(model, target, new Edit.PruneTo(List.of(corpus("cat cat")), 1));
    assertThat(target.resolve("vocab.txt")).hasContent("[UNK]\ncat\n[SEP]\n");
    assertThat(Planted.rows(target))
        .usingRecursiveComparison()
        .isEqualTo(List.of(new float[] {1, 2}, new float[] {3, 4}, new float[] {-2, 5}));
  }

  @Test
  void prunesUnigramVocabulariesAndKeepsScores() throws IOException {
    Planted.tied(model);
    Files.writeString(
        model.resolve("tokenizer.json"),
        """
        {"added_tokens": [], "pre_tokenizer": {"type": "Metaspace"},
         "model": {"type": "Unigram", "unk_id": 1,
          "vocab": [["x", -1.25], ["<unk>", 0.0], ["y", -2.5e-3], ["z", -3], ["w", -4]]}}
        """);
    Planted.edit(model, target, new Edit.PruneTo(List.of(corpus("y z y")), 2));
    assertThat(Files.readString(target.resolve("tokenizer.json")).replaceAll("\\s", ""))
        .contains(
            "\"unk_id\":0,\"vocab\":[[\"<unk>\",0.0],[\"y\",-2.5e-3],[\"w\",-4]]"); // "w" pads
  }

  /** The unknown token of Unigram scores 10 below the least piece, so "c" at −9 stays. */
  @Test
  void keepsWhatUnigramWeighsUnknownTextBy() throws IOException {
    Planted.write(
        model, "{\"vocab_size\": 6}", Planted.f32(Planted.INPUT, List.of(6L, 2L), ramp(6)));
    Files.writeString(
        model.resolve("tokenizer.json"),
        """
        {"pre_tokenizer": {"type": "Metaspace"},
         "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["ab", -2], ["a", -3],
          ["b", -3.5], ["c", -9], ["d", -5]]}}
        """);
    Planted.edit(model, target, new Edit.PruneTo(List.of(corpus("ab")), 1));
    assertThat(Files.readAllLines(target.resolve("token-ids.tsv")))
        .containsExactly(
            "new_id\told_id\ttoken",
            "0\t0\t\"<unk>\"",
            "1\t1\t\"ab\"",
            "2\t2\t\"a\"",
            "3\t3\t\"b\"",
            "4\t4\t\"c\"");
  }

  @Test
  void refusesToPruneWhatCannotBeRewritten() throws IOException {
    Planted.tied(model);
    Files.delete(model.resolve("tokenizer.json"));
    Files.writeString(model.resolve("qwen.tiktoken"), "YQ== 0\nYg== 1\nYWI= 2\n");
    assertThatThrownBy(
            () -> Planted.edit(model, target, new Edit.PruneTo(List.of(corpus("a b")), 1)))
        .hasMessageContaining("a SentencePiece or tiktoken file alone cannot");
    assertThat(target).doesNotExist();
  }

  @Test
  void shrinkTakesTokensOutOfTheTokenizer() throws IOException {
    Planted.tied(model);
    Planted.edit(model, target, new Edit.Shrink(3));
    assertThat(TokenizerFile.of(target).vocabulary().size()).isEqualTo(3);
    assertThat(Files.readString(target.resolve("config.json"))).contains("\"pad_token_id\":null");
  }

  @Test
  void shrinkRefusesToTakeWhatTheTokenizerNeeds() throws IOException {
    bpeModel();
    assertThatThrownBy(() -> Planted.edit(model, target, new Edit.Shrink(6)))
        .hasMessageContaining("cannot do without \"<end>\", #7");
  }
}

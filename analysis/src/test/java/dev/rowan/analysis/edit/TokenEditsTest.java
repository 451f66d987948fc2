package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that go, and tokenizers that are exchanged. */
class TokenEditsTest {
  private static final String BPE =
      """
      {
        "version": "1.0",
        "padding": {"strategy": "BatchLongest", "pad_id": 7, "pad_token": "<end>"},
        "added_tokens": [
          {"id": 7, "content": "<end>", "special": true}
        ],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "post_processor": {
          "type": "TemplateProcessing",
          "special_tokens": {"<end>": {"id": "<end>", "ids": [7], "tokens": ["<end>"]},
                             "alien": {"id": "alien", "ids": [3], "tokens": ["alien"]}}
        },
        "decoder": {"type": "ByteLevel"},
        "model": {
          "type": "BPE",
          "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "ca": 6},
          "merges": [["a", "b"], ["b", "c"], ["ab", "c"], ["c", "a"]]
        }
      }
      """;

  @TempDir Path folder;
  private Path model;
  private Path target;

  @BeforeEach
  void places() {
    model = folder.resolve("model");
    target = folder.resolve("edited");
  }

  private static float[] ramp(int rows) {
    float[] values = new float[rows * 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return values;
  }

  private Path bpeModel() throws IOException {
    Planted.write(
        model,
        """
        {"vocab_size": 9, "eos_token_id": [7, 8], "bos_token_id": 7}
        """,
        Planted.f32(Planted.INPUT, List.of(9L, 2L), ramp(9)));
    Files.writeString(model.resolve("tokenizer.json"), BPE);
    return model;
  }

  private Path corpus(String text) throws IOException {
    return Files.writeString(folder.resolve("corpus.txt"), text);
  }

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

  /**
   * "Ġcat" of one tokenizer is "▁cat" of another and "cat" of WordPiece; added tokens match by
   * name.
   */
  @Test
  void matchesTokensByTheTextTheyStandFor() throws IOException {
    BitSet added = new BitSet();
    added.set(3);
    Vocabulary bytes =
        Vocabulary.of(
            dev.rowan.core.Spelling.BYTE_LEVEL, List.of("Ġcat", "cat", "Ċ", "<s>"), added);
    Vocabulary pieces =
        Vocabulary.of(
            dev.rowan.core.Spelling.SENTENCEPIECE, List.of("cat", "▁cat", "<0x0A>", "<s>"), added);
    Vocabulary words =
        Vocabulary.of(
            dev.rowan.core.Spelling.WORDPIECE, List.of("cat", "##cat", "[SEP]", "<s>"), added);
    Matching matching = new Matching(bytes, folder);
    assertThat(List.of(0, 1, 2, 3).stream().map(id -> matching.find(pieces, id).orElse(-1)))
        .containsExactly(1, 0, 2, 3);
    assertThat(List.of(0, 1, 2, 3).stream().map(id -> matching.find(words, id).orElse(-1)))
        .containsExactly(0, 1, -1, 3);
  }

  private Path donor() throws IOException {
    Path donor = folder.resolve("donor");
    // "trois" lies between "one" and "two" there, at cosines 0.8 and 0.6
    Planted.write(
        donor,
        "{\"vocab_size\": 4}",
        Planted.f32(Planted.INPUT, List.of(4L, 2L), 1, 0, 0.8f, 0.6f, 0, 1, -1, -1));
    Files.writeString(
        donor.resolve("tokenizer.json"),
        """
        {"pre_tokenizer": {"type": "Whitespace"},
         "model": {"type": "WordLevel", "vocab": {"one": 0, "trois": 1, "two": 2, "zero": 3},
          "unk_token": "zero"}}
        """);
    return donor;
  }

  @Test
  void transplantCopiesSharedTokensAndMixesTheNeighboursOfOthers() throws IOException {
    Planted.tied(model);
    EditOptions options = EditOptions.DEFAULT.withInitialisation(new Initialisation.Neighbours(3));
    Planted.edit(EditRequest.of(model, target, new Edit.TransplantTo(donor())).with(options));
    List<float[]> rows = Planted.rows(target);
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0)).containsExactly(3, 4); // one
    assertThat(rows.get(2)).containsExactly(6, 8); // two
    assertThat(rows.get(3)).containsExactly(1, 2); // zero
    // (0.8 · one + 0.6 · two) / 1.4; "zero" points away and does not count
    assertThat((double) rows.get(1)[0]).isCloseTo((0.8 * 3 + 0.6 * 6) / 1.4, within(1e-6));
    assertThat((double) rows.get(1)[1]).isCloseTo((0.8 * 4 + 0.6 * 8) / 1.4, within(1e-6));
    assertThat(
            Files.mismatch(
                folder.resolve("donor/tokenizer.json"), target.resolve("tokenizer.json")))
        .isEqualTo(-1);
    // the padding token was "four", which the new tokenizer does not have
    assertThat(Files.readString(target.resolve("config.json")))
        .contains("\"vocab_size\":4", "\"pad_token_id\":null");
  }

  @Test
  void transplantMakesOtherTokensOfOldPieces() throws IOException {
    Planted.tied(model);
    Path donor = donor();
    Files.writeString(
        donor.resolve("tokenizer.json"),
        Files.readString(donor.resolve("tokenizer.json")).replace("trois", "one two"));
    EditOptions options = EditOptions.DEFAULT.withInitialisation(new Initialisation.Pieces());
    try (Workers workers = Workers.of(1);
        EditPlan plan =
            new Editor(workers, Planted::words)
                .plan(EditRequest.of(model, target, new Edit.TransplantTo(donor)).with(options))) {
      assertThat(plan.changes())
          .filteredOn(change -> change.what().equals("row 1 \"one two\""))
          .singleElement()
          .extracting(Change::after)
          .asString()
          .contains("\"one\" #1", "\"two\" #2");
    }
  }

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

package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another model's tokenizer with rows of the own table. */
class TransplantTest extends TokenEditFixture {
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

  /** The same pieces would be read as those of a model of another type, with other ids. */
  @Test
  void refusesPiecesWhoseIdsOnlyTheirConfigTells() throws IOException {
    Planted.tied(model);
    Path donor = Files.createDirectories(folder.resolve("pieces"));
    Files.writeString(
        donor.resolve("sentencepiece.bpe.model"),
        "\n\t\n\u0005<unk>\u0018\u0002\n\u0007\n\u0003one\u0018\u0001");
    Files.writeString(donor.resolve("config.json"), "{\"model_type\": \"xglm\"}");
    assertThatThrownBy(() -> Planted.edit(model, target, new Edit.TransplantTo(donor)))
        .hasMessageContaining("name the class in a tokenizer_config.json there");
    assertThat(target).doesNotExist();
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
}

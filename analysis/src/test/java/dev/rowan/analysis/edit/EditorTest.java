package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The rows of an edited model. */
class EditorTest extends EditFixture {
  /** Case 55: the first numbers are those of the field report, the rest of its covariance. */
  @Test
  void growsAroundTheMeanAndKeepsOldRowsBitForBit() throws IOException {
    Planted.tied(model);
    Planted.edit(model, target, new Edit.GrowTo(7));
    List<float[]> rows = Planted.rows(target);
    assertThat(rows).hasSize(7);
    for (int id = 0; id < 5; id++) {
      assertThat(rows.get(id)).containsExactly(Planted.T[2 * id], Planted.T[2 * id + 1]);
    }
    for (int id = 5; id < 7; id++) {
      assertThat((double) rows.get(id)[0]).isCloseTo(1.6, offset(6 * 8.63e-5)).isNotEqualTo(1.6f);
      assertThat((double) rows.get(id)[1]).isCloseTo(4.0, offset(6 * 7.75e-5)).isNotEqualTo(4.0f);
    }
    try (Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED);
    }
    assertThat(ModelConfig.read(target.resolve("config.json")).vocabularySize()).hasValue(7);
  }

  @Test
  void newRowsHaveTheCovarianceOfTheOldOnes() throws IOException {
    Planted.tied(model);
    Planted.edit(model, target, new Edit.Grow(6000));
    List<float[]> rows = Planted.rows(target).subList(5, 6005);
    double[] mean = {0, 0};
    for (float[] row : rows) {
      mean[0] += row[0] / 6000.0;
      mean[1] += row[1] / 6000.0;
    }
    double[] products = {0, 0, 0};
    for (float[] row : rows) {
      products[0] += (row[0] - mean[0]) * (row[0] - mean[0]) / 6000;
      products[1] += (row[0] - mean[0]) * (row[1] - mean[1]) / 6000;
      products[2] += (row[1] - mean[1]) * (row[1] - mean[1]) / 6000;
    }
    // of 6000 draws the mean strays by sd/77, a variance by 1.8 %: five times that is allowed
    assertThat(mean[0]).isCloseTo(1.6, offset(6e-6));
    assertThat(mean[1]).isCloseTo(4.0, offset(6e-6));
    assertThat(products[0]).isCloseTo(7.44e-9, within(0.7e-9));
    assertThat(products[1]).isCloseTo(4e-9, within(0.6e-9));
    assertThat(products[2]).isCloseTo(6e-9, within(0.55e-9));
  }

  @Test
  void drawsAreTheSameForAnyNumberOfThreadsAndDependOnTheSeed() throws IOException {
    Planted.tied(model);
    List<List<float[]>> results = new ArrayList<>();
    for (int threads : new int[] {1, 2, 7}) {
      Path out = folder.resolve("out" + threads);
      try (Workers workers = Workers.of(threads);
          EditPlan plan =
              new Editor(workers, Planted::words)
                  .plan(EditRequest.of(model, out, new Edit.Grow(40)))) {
        plan.write();
      }
      results.add(Planted.rows(out));
    }
    assertThat(results.get(1)).usingRecursiveComparison().isEqualTo(results.getFirst());
    assertThat(results.get(2)).usingRecursiveComparison().isEqualTo(results.getFirst());
    Planted.edit(request(new Initialisation.MeanAndCovariance(1), new Edit.Grow(40)));
    assertThat(Planted.rows(target).get(5)).isNotEqualTo(results.getFirst().get(5));
  }

  /** Case 56. */
  @Test
  void padsToAMultiple() throws IOException {
    Planted.tied(model);
    Planted.edit(model, target, new Edit.GrowTo(6), new Edit.PadToMultiple(4));
    assertThat(Planted.rows(target)).hasSize(8);
    Planted.edit(model, folder.resolve("same"), new Edit.PadToMultiple(4));
    assertThat(Planted.rows(folder.resolve("same"))).hasSize(8);
  }

  /** Case 56: the padding id is cleared. Rows without a token alone are cut. */
  @Test
  void shrinksAndClearsIdsThatHaveNoRow() throws IOException {
    Planted.tied(model);
    Files.writeString(
        model.resolve("tokenizer.json"),
        """
        {"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "c": 2}, "unk_token": "a"}}
        """);
    Planted.edit(model, target, new Edit.Shrink(3));
    assertThat(Planted.rows(target)).hasSize(3);
    assertThat(Files.readString(target.resolve("config.json")))
        .isEqualTo(
            """
            {"model_type":"toy","tie_word_embeddings":true,"vocab_size":3,"pad_token_id":null}
            """);
  }

  @Test
  void meanIsTheMean() throws IOException {
    Planted.tied(model);
    Planted.edit(request(new Initialisation.Mean(), new Edit.Grow(1)));
    assertThat(Planted.rows(target).get(5)).containsExactly(1.6f, 4f);
  }

  @Test
  void zerosAndCopiesAreThat() throws IOException {
    Planted.tied(model);
    Planted.edit(request(new Initialisation.Zeros(), new Edit.Grow(1)));
    assertThat(Planted.rows(target).get(5)).containsExactly(0, 0);
    Path copy = folder.resolve("copy");
    EditOptions options = EditOptions.DEFAULT.withInitialisation(new Initialisation.CopyOf(2));
    Planted.edit(EditRequest.of(model, copy, new Edit.Grow(2)).with(options));
    assertThat(Planted.rows(copy).get(6)).containsExactly(6, 8);
  }

  @Test
  void editsOutputTableAndBiasInStep() throws IOException {
    Planted.untied(model);
    Planted.edit(request(new Initialisation.Mean(), new Edit.Grow(1)));
    try (Safetensors file = Safetensors.open(target.resolve("model.safetensors"), Long.MAX_VALUE);
        Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.tie()).isEqualTo(Tie.UNTIED);
      assertThat(lexicon.output().orElseThrow().table().row(5)).containsExactly(50, 60);
      assertThat(lexicon.output().orElseThrow().table().row(4)).containsExactly(90, 100);
      assertThat(file.find("lm_head.bias").orElseThrow().shape()).containsExactly(6L);
      assertThat(
              file.data(file.find("lm_head.bias").orElseThrow())
                  .toArray(java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED))
          .containsExactly(1, 2, 3, 4, 5, 3);
      assertThat(file.metadata()).containsEntry("format", "pt");
    }
  }

  @Test
  void tiedTablesStoredTwiceStayEqual() throws IOException {
    Planted.write(
        model,
        "{\"vocab_size\": 5}",
        Planted.f32(Planted.INPUT, List.of(5L, 2L), Planted.T),
        Planted.f32(Planted.OUTPUT, List.of(5L, 2L), Planted.T));
    Planted.edit(model, target, new Edit.Grow(3));
    try (Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(lexicon.output().orElseThrow().table().rows()).isEqualTo(8);
    }
  }

  @Test
  void usesRowsWithoutTokenBeforeItMakesNewOnes() throws IOException {
    Planted.tied(model);
    Files.writeString(
        model.resolve("tokenizer.json"),
        """
        {"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "c": 2}, "unk_token": "a"}}
        """);
    Planted.edit(
        request(
            new Initialisation.Mean(),
            new Edit.AddTokens(List.of(word("x"), word("y"), word("z")))));
    assertThat(Planted.rows(target)).hasSize(6);
    assertThat(Planted.rows(target).get(3)).containsExactly(1.6f, 4f);
    try (Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.vocabulary().orElseThrow().id("z")).isEqualTo(OptionalInt.of(5));
    }
  }

  @Test
  void rowsOfPiecesAreTheirMean() throws IOException {
    Planted.tied(model);
    NewToken token = new NewToken("<pair>", NewToken.Kind.SPECIAL, Optional.of("one two"));
    Planted.edit(request(new Initialisation.Pieces(), new Edit.AddTokens(List.of(token))));
    assertThat(Planted.rows(target).get(5)).containsExactly(4.5f, 6);
    assertThat(Files.readString(target.resolve("tokenizer.json")))
        .contains("\"content\":\"<pair>\",\"single_word\":false", "\"special\":true");
  }

  /** The tokenizer calls its unknown token "zero", as no list of spellings would. */
  @Test
  void piecesThatTheTokenizerDoesNotKnowCountForNothing() throws IOException {
    Planted.tied(model);
    NewToken token = new NewToken("<pair>", NewToken.Kind.SPECIAL, Optional.of("one what two"));
    Planted.edit(request(new Initialisation.Pieces(), new Edit.AddTokens(List.of(token))));
    assertThat(Planted.rows(target).get(5)).containsExactly(4.5f, 6);
  }

  @Test
  void swapsAndReplacesRows() throws IOException {
    Planted.untied(model);
    Planted.edit(
        request(
            new Initialisation.Mean(),
            new Edit.Swap(0, 3),
            new Edit.Replace(1, new Initialisation.CopyOf(2)),
            new Edit.Replace(4, new Initialisation.Zeros())));
    assertThat(Planted.rows(target))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                new float[] {0, 1},
                new float[] {6, 8},
                new float[] {6, 8},
                new float[] {1, 2},
                new float[] {0, 0}));
    try (Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.output().orElseThrow().table().row(0)).containsExactly(70, 80);
    }
  }

  /** [1, 2] − [1.6, 4] has length 2.0880613; numpy 2.4: (T − T.mean(0)) / norms. */
  @Test
  void centresThenNormalises() throws IOException {
    Planted.tied(model);
    Planted.edit(model, target, new Edit.Centre(), new Edit.Normalise());
    float[] first = Planted.rows(target).getFirst();
    assertThat((double) first[0]).isCloseTo(-0.28734788, within(1e-6));
    assertThat((double) first[1]).isCloseTo(-0.95782629, within(1e-6));
  }

  @Test
  void convertsTablesAloneAndKeepsTensorsAligned() throws IOException {
    Planted.untied(model);
    Planted.edit(model, target, new Edit.Convert(SafetensorsDtypes.BF16));
    try (Safetensors file = Safetensors.open(target.resolve("model.safetensors"), Long.MAX_VALUE)) {
      assertThat(file.find(Planted.INPUT).orElseThrow().dtype()).isEqualTo(SafetensorsDtypes.BF16);
      assertThat(file.find("lm_head.bias").orElseThrow().dtype()).isEqualTo(SafetensorsDtypes.F32);
      assertThat(file.tensors())
          .allMatch(tensor -> tensor.offset() % (tensor.dtype().bits() / 8) == 0);
    }
    assertThat(Planted.rows(target).get(4)).containsExactly(-2, 5);
  }

  /** Other sizes of the same name, as of a codebook, stay. */
  @Test
  void growsTheSizesThatConfigsOfTwoHalvesGive() throws IOException {
    Planted.write(
        model,
        """
        {"src_vocab_size": 5, "tgt_vocab_size": 5, "decoder": {"vocab_size": 5},
         "encoder": {"vocab_size": 9}, "audio": {"vocab_size": 5}}
        """,
        Planted.f32("encoder.embed_tokens.weight", List.of(5L, 2L), Planted.T),
        Planted.f32("decoder.embed_tokens.weight", List.of(5L, 2L), Planted.T));
    Planted.edit(model, target, new Edit.Grow(2));
    assertThat(Files.readString(target.resolve("config.json")).replaceAll("\\s", ""))
        .isEqualTo(
            "{\"src_vocab_size\":7,\"tgt_vocab_size\":7,\"decoder\":{\"vocab_size\":7},\"encoder\":{\"vocab_size\":9},\"audio\":{\"vocab_size\":5}}");
    try (Safetensors file = Safetensors.open(target.resolve("model.safetensors"), Long.MAX_VALUE)) {
      assertThat(file.tensors()).allMatch(tensor -> tensor.shape().getFirst() == 7);
    }
  }

  // np.array(…).astype(np.float16) = 0x3c01, 0xc201, 0x0001, 0x7bff; by way of float32 all differ
  @Test
  void roundsDoublesOnce() throws IOException {
    Planted.write(
        model,
        "{\"vocab_size\": 2}",
        Planted.f64(
            Planted.INPUT,
            List.of(2L, 2L),
            1.0004882812509095,
            -3.0009765625000284,
            2.9802322388562674e-08,
            65519.999999999));
    Planted.edit(model, target, new Edit.Convert(SafetensorsDtypes.F16));
    assertThat(Planted.rows(target).get(0)).containsExactly(0x1.004p0f, -0x1.804p1f);
    assertThat(Planted.rows(target).get(1)).containsExactly(0x1p-24f, 65504);
  }

  @Test
  void mergesTables() throws IOException {
    Planted.tied(model);
    Path other = folder.resolve("other");
    Planted.write(
        other,
        "{\"vocab_size\": 5}",
        Planted.f32(Planted.INPUT, List.of(5L, 2L), 5, 6, 3, 4, 6, 8, 0, 1, -2, 5));
    Planted.edit(model, target, new Edit.Average(other, 0.25));
    assertThat(Planted.rows(target).getFirst()).containsExactly(2, 3);
    Path vector = folder.resolve("vector");
    Planted.edit(model, vector, new Edit.TaskVector(other, model, 2));
    assertThat(Planted.rows(vector).getFirst()).containsExactly(9, 10);
  }

  @Test
  void oneOfTwoTablesCanBeCentred() throws IOException {
    Planted.untied(model);
    EditOptions options = EditOptions.DEFAULT.withScope(EditOptions.Scope.OUTPUT);
    Planted.edit(EditRequest.of(model, target, new Edit.Centre()).with(options));
    try (Lexicon lexicon = Models.open(target)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(1, 2);
      assertThat(lexicon.output().orElseThrow().table().row(0)).containsExactly(-40, -40);
    }
    Path tied = Planted.tied(folder.resolve("tied"));
    Path other = folder.resolve("other");
    assertThatThrownBy(
            () -> Planted.edit(EditRequest.of(tied, other, new Edit.Centre()).with(options)))
        .hasMessageContaining("the tables are tied");
  }
}

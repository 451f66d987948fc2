package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EditorTest {
  @TempDir Path folder;
  private Path model;
  private Path target;

  @BeforeEach
  void places() {
    model = folder.resolve("model");
    target = folder.resolve("edited");
  }

  private EditRequest request(Initialisation init, Edit... edits) {
    return EditRequest.of(model, target, edits).with(EditOptions.DEFAULT.withInitialisation(init));
  }

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
  void editsOneShardAndTheIndexAndKeepsTheOther() throws IOException {
    Planted.sharded(model);
    Edited edited = Planted.edit(request(new Initialisation.Mean(), new Edit.Grow(2)));
    assertThat(Planted.rows(target)).hasSize(7);
    String shard = "model-00001-of-00002.safetensors";
    assertThat(Files.mismatch(model.resolve(shard), target.resolve(shard))).isEqualTo(-1);
    assertThat(Files.readString(target.resolve("model.safetensors.index.json")))
        .isEqualTo(
            Files.readString(model.resolve("model.safetensors.index.json"))
                .replace("52", "60")); // two rows of two bf16
    assertThat(Files.readString(target.resolve("config.json")))
        .isEqualTo(Files.readString(model.resolve("config.json")).replace(": 5", ": 7"));
    assertThat(edited.verification().checks())
        .extracting(Verification.Check::claim)
        .contains("old rows are bit-identical", "other tensors are untouched");
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

  @Test
  void editsShardsOfAFolderNamedFromHere() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Planted.sharded(model);
    Planted.edit(here.relativize(model), target, new Edit.Grow(1));
    assertThat(Planted.rows(target)).hasSize(6);
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

  @Test
  void refusesNumbersThatTheDtypeCannotHold() throws IOException {
    Planted.write(
        model, "{\"vocab_size\": 2}", Planted.f32(Planted.INPUT, List.of(2L, 1L), 1, 70000));
    refused("row 1 holds a number beyond 65,504", new Edit.Convert(SafetensorsDtypes.F16));
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
  void refusesToMergeTablesOfOtherTokens() throws IOException {
    Planted.tied(model);
    Path other = folder.resolve("other");
    Planted.tied(other);
    Files.writeString(
        other.resolve("tokenizer.json"),
        Files.readString(other.resolve("tokenizer.json")).replace("three", "drei"));
    refused("row 3 stands for \"three\" here but for \"drei\"", new Edit.Average(other, 0.5));
  }

  @Test
  void linksWhatStays() throws IOException {
    Planted.sharded(model);
    EditOptions options = EditOptions.DEFAULT.withUntouched(EditOptions.Untouched.LINKED);
    Planted.edit(EditRequest.of(model, target, new Edit.Grow(1)).with(options));
    String kept = "model-00001-of-00002.safetensors";
    String edited = "model-00002-of-00002.safetensors";
    assertThat(Files.isSameFile(model.resolve(kept), target.resolve(kept))).isTrue();
    assertThat(Files.isSameFile(model.resolve(edited), target.resolve(edited))).isFalse();
  }

  @Test
  void planListsEveryChangeAndWritesNothing() throws IOException {
    Planted.tied(model);
    try (Workers workers = Workers.of(1);
        EditPlan plan =
            new Editor(workers, Planted::words)
                .plan(
                    EditRequest.of(
                        model,
                        target,
                        new Edit.AddTokens(List.of(word("five"))),
                        new Edit.Grow(2)))) {
      assertThat(plan.changes())
          .contains(
              new Change(
                  "model.safetensors",
                  "input table \"model.embed_tokens.weight\"",
                  "5 × 2 F32",
                  "8 × 2 F32"),
              new Change("config.json", "vocab_size", "5", "8"),
              new Change("tokenizer.json", "added_tokens", "", "\"five\" #5"));
      assertThat(plan.changes()).extracting(Change::what).contains("row 5 \"five\"", "rows 6 to 7");
      assertThat(plan.addedTokens()).containsEntry(5L, "five");
    }
    assertThat(target).doesNotExist();
  }

  @Test
  void leavesTheOldFolderAlone() throws IOException {
    Planted.sharded(model);
    List<String> before = contents(model);
    Planted.edit(model, target, new Edit.Grow(3));
    assertThat(contents(model)).isEqualTo(before);
  }

  private static List<String> contents(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> contents = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        contents.add(
            file
                + " "
                + java.util.Arrays.hashCode(Files.readAllBytes(file))
                + " "
                + Files.getLastModifiedTime(file));
      }
      return contents;
    }
  }

  @Test
  void interruptedLeavesNothing() throws IOException {
    Planted.sharded(model);
    try (Workers workers = Workers.of(2);
        EditPlan plan =
            new Editor(workers, Planted::words)
                .plan(EditRequest.of(model, target, new Edit.Grow(1)))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(plan::write).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(model);
    }
  }

  private void refused(String message, Edit... edits) {
    refused(EditRequest.of(model, target, edits), message);
  }

  private void refused(EditRequest request, String message) {
    assertThatThrownBy(() -> Planted.edit(request)).hasMessageContaining(message);
    assertThat(target).doesNotExist();
  }

  private static NewToken word(String text) {
    return new NewToken(text, NewToken.Kind.WORD, Optional.empty());
  }

  @Test
  void refusesTargetThatHoldsSomething() throws IOException {
    Planted.tied(model);
    Files.createDirectory(target);
    Files.writeString(target.resolve("notes.txt"), "mine");
    assertThatThrownBy(() -> Planted.edit(model, target, new Edit.Grow(1)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("not empty");
  }

  @Test
  void refusesTargetInsideTheModel() throws IOException {
    Planted.tied(model);
    target = model.resolve("new");
    refused("inside the model's own", new Edit.Grow(1));
  }

  @Test
  void refusesToShrinkUnlessToldSo() throws IOException {
    Planted.tied(model);
    refused("say --shrink", new Edit.GrowTo(4));
  }

  @Test
  void refusesMoreRowsThanMemoryHolds() throws IOException {
    Planted.tied(model);
    refused("memory to make here", new Edit.Grow(2_000_000_000));
    refused("it takes 1 to 2^31", new Edit.Grow(Long.MAX_VALUE));
    // 16 bytes a row, and 200 + 2 × 4 bytes × 100 numbers a drawn one in each of two tables
    assertThatThrownBy(() -> Memory.check(1000, 10, 100, 2, 16_000 + 20_000 - 1))
        .hasMessageContaining("--init");
    Memory.check(1000, 10, 100, 2, 16_000 + 20_000);
  }

  @Test
  void refusesTokensThatAreThere() throws IOException {
    Planted.tied(model);
    refused("\"two\" is a token already, #2", new Edit.AddTokens(List.of(word("two"))));
    refused("name it once", new Edit.AddTokens(List.of(word("x"), word("x"))));
  }

  @Test
  void refusesTokensThatTheTokenizerCutsApart() throws IOException {
    Planted.tied(model);
    refused("splits \"a b\" into 2 tokens", new Edit.AddTokens(List.of(word("a b"))));
  }

  @Test
  void refusesIdsThatAreNotThere() throws IOException {
    Planted.tied(model);
    refused("no row #5", new Edit.Swap(0, 5));
    refused("no row #-1", new Edit.Replace(-1, new Initialisation.Zeros()));
  }

  @Test
  void refusesTensorThatMayBelongToTokens() throws IOException {
    Planted.write(
        model,
        "{\"vocab_size\": 5}",
        Planted.f32(Planted.INPUT, List.of(5L, 2L), Planted.T),
        Planted.f32("model.per_token", List.of(5L, 1L), 1, 2, 3, 4, 5));
    refused("\"model.per_token\" [5 × 1] has a dimension of 5", new Edit.Grow(1));
    EditOptions options = EditOptions.DEFAULT.withAlso(Set.of("model.per_token"));
    Planted.edit(EditRequest.of(model, target, new Edit.Grow(1)).with(options));
    try (Lexicon lexicon = Models.open(target, OpenOptions.DEFAULT.withTensor("model.per_token"))) {
      assertThat(lexicon.input().table().rows()).isEqualTo(6);
    }
  }

  @Test
  void refusesLinksToNothing() throws IOException {
    Planted.tied(model);
    Files.createSymbolicLink(model.resolve("merges.txt"), folder.resolve("gone"));
    refused("merges.txt is a link to nothing", new Edit.Grow(1));
  }

  @Test
  void followsLinksToFilesAsCachesHaveThem() throws IOException {
    Planted.tied(model);
    Path blob = folder.resolve("blob");
    Files.move(model.resolve("config.json"), blob);
    Files.createSymbolicLink(model.resolve("config.json"), blob);
    Files.writeString(folder.resolve("card"), "a card");
    Files.createSymbolicLink(model.resolve("README.md"), folder.resolve("card"));
    Planted.edit(model, target, new Edit.Grow(1));
    assertThat(target.resolve("README.md")).hasContent("a card");
    assertThat(Files.isSymbolicLink(target.resolve("README.md"))).isFalse();
    assertThat(blob).content().contains("\"vocab_size\": 5");
  }

  @Test
  void refusesPointersOfGitLfs() throws IOException {
    Planted.tied(model);
    Files.writeString(
        model.resolve("tokenizer.model"), "version https://git-lfs.github.com/spec/v1\noid x\n");
    refused("Git LFS pointer", new Edit.Grow(1));
  }

  @Test
  void refusesMissingShards() throws IOException {
    Planted.sharded(model);
    Files.delete(model.resolve("model-00001-of-00002.safetensors"));
    refused("is missing from", new Edit.Grow(1));
  }

  @Test
  void leavesOutWeightsThatWouldBeOutOfDate() throws IOException {
    Planted.tied(model);
    Files.writeString(model.resolve("pytorch_model.bin"), "old weights");
    Files.createDirectory(model.resolve(".git"));
    Files.createDirectory(model.resolve("1_Pooling"));
    Files.writeString(model.resolve("1_Pooling/config.json"), "{}");
    try (Workers workers = Workers.of(1);
        EditPlan plan =
            new Editor(workers, Planted::words)
                .plan(EditRequest.of(model, target, new Edit.Grow(1)))) {
      assertThat(plan.leftOut()).containsExactly(".git", "pytorch_model.bin");
      plan.write();
    }
    assertThat(target.resolve("pytorch_model.bin")).doesNotExist();
    assertThat(target.resolve("1_Pooling/config.json")).hasContent("{}");
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

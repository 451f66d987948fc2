package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of an edited model, and of the old one. */
class EditedFolderTest extends EditFixture {
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
  void editsShardsOfAFolderNamedFromHere() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Planted.sharded(model);
    Planted.edit(here.relativize(model), target, new Edit.Grow(1));
    assertThat(Planted.rows(target)).hasSize(6);
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
                  "5 × 2 f32",
                  "8 × 2 f32"),
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
}

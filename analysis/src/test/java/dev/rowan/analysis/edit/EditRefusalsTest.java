package dev.rowan.analysis.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is refused, before anything is written. */
class EditRefusalsTest extends EditFixture {
  @Test
  void refusesNumbersThatTheDtypeCannotHold() throws IOException {
    Planted.write(
        model, "{\"vocab_size\": 2}", Planted.f32(Planted.INPUT, List.of(2L, 1L), 1, 70000));
    refused("row 1 holds a number beyond 65,504", new Edit.Convert(SafetensorsDtypes.F16));
  }

  /** Half a step above the greatest number and more becomes infinite: IEEE 754, 4.3.1. */
  @Test
  void refusesNumbersThatWouldBecomeInfinite() throws IOException {
    Planted.write(
        model,
        "{\"vocab_size\": 2}",
        Planted.f32(Planted.INPUT, List.of(2L, 1L), 0x1.FEp127f, 0x1.FFp127f));
    refused("row 1 holds a number beyond 3.39e38", new Edit.Convert(SafetensorsDtypes.BF16));
    Planted.write(
        folder.resolve("doubles"),
        "{\"vocab_size\": 2}",
        Planted.f64(Planted.INPUT, List.of(2L, 1L), Double.POSITIVE_INFINITY, -1e300));
    for (Edit edit : List.of(new Edit.Convert(SafetensorsDtypes.F32), new Edit.Normalise())) {
      assertThatThrownBy(() -> Planted.edit(folder.resolve("doubles"), target, edit))
          .hasMessageContaining("row 1 holds a number beyond 3.4e38");
    }
    Planted.edit(folder.resolve("doubles"), target, new Edit.Swap(0, 1));
    try (Lexicon edited = Models.open(target)) {
      MemorySegment data = edited.input().table().data();
      assertThat(data.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0)).isEqualTo(-1e300);
    }
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
}

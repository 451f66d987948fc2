package dev.rowan.formats.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bundle's header says of its files of numbers. */
class TensorflowTrapsTest {
  /** A 2 × 1 table of floats at byte 0 of the first file. */
  private static final byte[] ENTRY = {8, 1, 18, 8, 18, 2, 8, 2, 18, 2, 8, 1, 40, 8};

  @TempDir Path folder;

  private Path bundle(byte[] header, byte[] entry, byte[] numbers) throws IOException {
    byte[] block = new TableBytes().entry("", header).entry("wte", entry).block();
    Files.write(folder.resolve("x.data-00000-of-00001"), numbers);
    return Files.write(folder.resolve("x.index"), TableBytes.table(block, 0));
  }

  @Test
  void bigEndianBundlesAreReadAsSuch() throws IOException {
    byte[] header = {8, 1, 16, 1}; // one file, endianness 1
    Path index = bundle(header, ENTRY, new byte[] {64, 0, 0, 0, 64, 64, 0, 0});
    try (Lexicon lexicon = Models.open(index)) {
      assertThat(lexicon.input().table().row(0)).containsExactly(2);
      assertThat(lexicon.input().table().row(1)).containsExactly(3);
    }
  }

  @Test
  void refusesAFileOfNumbersThatTheHeaderDoesNotCount() throws IOException {
    byte[] entry = {8, 1, 18, 8, 18, 2, 8, 2, 18, 2, 8, 1, 24, 5, 40, 8}; // in file 5
    Path index = bundle(new byte[] {8, 1}, entry, new byte[8]);
    assertThatThrownBy(() -> Models.open(index))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("\"wte\" lies in file 5 of numbers but there are 1");
  }

  @Test
  void leavesOutTheStateOfAnOptimizer() throws IOException {
    byte[] block =
        new TableBytes()
            .entry("", new byte[] {8, 1})
            .entry("wte", ENTRY)
            .entry("wte/adam_m", ENTRY)
            .entry("wte/adam_v", ENTRY)
            .block();
    Files.write(folder.resolve("x.data-00000-of-00001"), new byte[] {0, 0, 0, 64, 0, 0, 64, 64});
    Path index = Files.write(folder.resolve("x.index"), TableBytes.table(block, 0));
    try (Lexicon lexicon = Models.open(index)) {
      assertThat(lexicon.origin().storedParameters()).hasValue(2);
      assertThat(lexicon.tieEvidence()).doesNotContain("adam");
      assertThat(lexicon.notes())
          .containsExactly(
              "x.index also holds 2 tensors of its training, such as \"wte/adam_m\", which are no"
                  + " part of the model and left out");
    }
  }

  @Test
  void countsTheVariablesOfAnExportOnce() throws IOException {
    byte[] block =
        new TableBytes()
            .entry("", new byte[] {8, 1})
            .entry("_all_variables/0/.ATTRIBUTES/VARIABLE_VALUE", ENTRY)
            .entry("variables/0/.ATTRIBUTES/VARIABLE_VALUE", ENTRY)
            .block();
    Path variables = Files.createDirectory(folder.resolve("variables"));
    Files.write(
        variables.resolve("variables.data-00000-of-00001"), new byte[] {0, 0, 0, 64, 0, 0, 64, 64});
    Files.write(variables.resolve("variables.index"), TableBytes.table(block, 0));
    Path graph = Files.write(folder.resolve("saved_model.pb"), new byte[] {8, 1, 18, 0});
    for (Path path : new Path[] {folder, graph}) { // a SavedModel, by its folder or its graph
      try (Lexicon lexicon = Models.open(path)) {
        assertThat(lexicon.input().tensor()).isEqualTo("variables/0/.ATTRIBUTES/VARIABLE_VALUE");
        assertThat(lexicon.input().table().row(1)).containsExactly(3);
        assertThat(lexicon.origin().storedParameters()).hasValue(2);
      }
    }
  }

  @Test
  void refusesTheFirstKindOfCheckpointAsSuch() throws IOException {
    // SavedTensorSlices: field 1 is a message
    byte[] block = new TableBytes().entry("", new byte[] {10, 2, 8, 1}).block();
    Path file = Files.write(folder.resolve("model.ckpt"), TableBytes.table(block, 0));
    for (Path path : new Path[] {file, folder}) {
      assertThatThrownBy(() -> Models.open(path))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("model.ckpt: is a TensorFlow checkpoint of version 1,");
    }
  }

  @Test
  void tellsAPointerFromNumbersThatWereCutOff() throws IOException {
    byte[] entry = {8, 1, 18, 9, 18, 3, 8, (byte) 0x80, 8, 18, 2, 8, 1, 40, (byte) 0x80, 32};
    byte[] pointer =
        "version https://git-lfs.github.com/spec/v1\n".getBytes(StandardCharsets.US_ASCII);
    Path index = bundle(new byte[] {8, 1}, entry, pointer);
    assertThatThrownBy(() -> Models.open(index))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("x.data-00000-of-00001: starts with")
        .hasMessageContaining("Git LFS pointer");
  }
}

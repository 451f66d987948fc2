package dev.rowan.formats.projector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectorFileTest {
  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void opensNumbersWithTheMetadataBeside() throws IOException {
    Path file = write("vectors.tsv", "0.5\t-1\n1e-5\t2\n");
    write("metadata.tsv", "the\ncat sat\n");
    try (Lexicon table = Models.open(file)) {
      assertThat(table.origin().format()).isEqualTo("projector");
      assertThat(table.input().table().row(1)).containsExactly(1e-5f, 2);
      assertThat(table.vocabulary().orElseThrow().stored(1)).isEqualTo("cat sat");
    }
  }

  @Test
  void metadataOfSeveralColumnsHasAHeader() throws IOException {
    Path file = write("vectors.tsv", "1\t2\n3\t4\n");
    write("metadata.tsv", "count\tWord\n12\tthe\n7\tcat\n");
    try (Lexicon table = Models.open(file)) {
      assertThat(table.vocabulary().orElseThrow().stored(0)).isEqualTo("the");
      assertThat(table.vocabulary().orElseThrow().stored(1)).isEqualTo("cat");
    }
  }

  @Test
  void opensAFolderByItsConfig() throws IOException {
    write("tensors.tsv", "1\t2\n3\t4\n");
    write("tokens.txt", "x\ny\n");
    write(
        "projector_config.pbtxt",
        """
        embeddings {
          tensor_name: "mine"
          tensor_path: "tensors.tsv"
          metadata_path: 'tokens.txt'
        }
        """);
    try (Lexicon table = Models.open(folder)) {
      assertThat(table.input().tensor()).isEqualTo("mine");
      assertThat(table.vocabulary().orElseThrow().stored(1)).isEqualTo("y");
    }
  }

  private void rawPair(String shape) throws IOException {
    Files.write(folder.resolve("mine.bytes"), RawSafetensors.floats(1, 2, 3, 4, 5, 6));
    write("mine.tsv", "x\ny\n");
    write(
        "projector_config.json",
        """
        {"embeddings": [{"tensorName": "mine", %s "tensorPath": "mine.bytes",
          "metadataPath": "mine.tsv", "sprite": {"singleImageDim": [8, 8]}}]}
        """
            .formatted(shape));
  }

  @Test
  void opensRawNumbersOfTheShapeThatTheConfigSays() throws IOException {
    rawPair("\"tensorShape\": [2, 3],");
    try (Lexicon table = Models.open(folder.resolve("projector_config.json"))) {
      assertThat(table.input().table().row(1)).containsExactly(4, 5, 6);
      assertThat(table.vocabulary().orElseThrow().stored(0)).isEqualTo("x");
    }
  }

  @Test
  void refusesRawNumbersOfAnotherSize() throws IOException {
    rawPair("\"tensorShape\": [2, 4],");
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("mine.bytes: has 24 bytes, which are no whole number of rows of 4");
  }

  @Test
  void refusesRawNumbersOfAnotherShape() throws IOException {
    rawPair("\"tensorShape\": [3, 3],");
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has 2 rows of 3 numbers but the config says 3 × 3");
  }

  @Test
  void refusesRawNumbersWithoutAShape() throws IOException {
    rawPair("");
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("does not say their shape");
  }

  @Test
  void refusesFilesOutsideTheFolder() throws IOException {
    write(
        "projector_config.json",
        "{\"embeddings\": [{\"tensorPath\": \"../../etc/passwd\", \"tensorShape\": [1, 1]}]}");
    assertThatThrownBy(() -> Models.open(folder).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("leaves the model's folder");
  }

  @Test
  void refusesMetadataOfAnotherLength() throws IOException {
    Path file = write("vectors.tsv", "1\t2\n3\t4\n");
    write("metadata.tsv", "one\n");
    try (Lexicon table = Models.open(file)) {
      assertThatThrownBy(table::vocabulary)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("metadata.tsv: names 1 rows but the table has 2");
    }
  }

  @Test
  void refusesALineOfAnotherWidth() throws IOException {
    Path file = write("vectors.tsv", "1\t2\n3\t4\t5\n6\n");
    assertThatThrownBy(() -> Models.open(file).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("line 2 has 3 fields where most lines have 2");
  }

  /** Three characters and a line feed take as many bytes as a raw number. */
  @Test
  void aColumnOfTextIsNotTakenForRawNumbers() throws IOException {
    Files.writeString(folder.resolve("tensors.tsv"), "7.9\n8.3\n-70\n");
    Files.writeString(folder.resolve("metadata.tsv"), "a\nb\nc\n");
    Files.writeString(
        folder.resolve("projector_config.json"),
        "{\"embeddings\":[{\"tensorName\":\"x\",\"tensorShape\":[3,1],"
            + "\"tensorPath\":\"tensors.tsv\",\"metadataPath\":\"metadata.tsv\"}]}");
    try (Lexicon table = Models.open(folder)) {
      assertThat(table.input().table().row(0)).containsExactly(7.9f);
      assertThat(table.input().table().row(2)).containsExactly(-70);
    }
  }
}

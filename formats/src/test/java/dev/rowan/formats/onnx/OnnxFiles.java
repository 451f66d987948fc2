package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.message;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Models written to a folder, and what is expected of them. */
abstract class OnnxFiles {
  static final String TABLE = "embeddings.word_embeddings.weight";

  static final long[] TWO_BY_TWO = {2, 2};

  static final int FLOAT = 1;

  static final int FLOAT16 = 10;

  static final int BFLOAT16 = 16;

  @TempDir Path folder;

  Path write(byte[] model) throws IOException {
    return Files.write(folder.resolve("model.onnx"), model);
  }

  void assertRows(byte[] model, float... values) throws IOException {
    try (Lexicon lexicon = Models.open(write(model))) {
      assertThat(lexicon.origin().format()).isEqualTo("onnx");
      assertThat(lexicon.input().table().row(0)).containsExactly(values[0], values[1]);
      assertThat(lexicon.input().table().row(1)).containsExactly(values[2], values[3]);
    }
  }

  void assertRefused(byte[] model, String message) throws IOException {
    Path file = write(model);
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("model.onnx: ")
        .hasMessageContaining(message);
  }
}

package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.external;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers in files beside the model. */
class OnnxExternalDataTest extends OnnxFiles {
  @Test
  void readsExternalData() throws IOException {
    byte[] data = RawSafetensors.floats(99f, 1f, 2f, 3f, 4f, 99f);
    Files.createDirectories(folder.resolve("data"));
    Files.write(folder.resolve("data/weights.bin"), data);

    assertRows(
        model(
            initializer(
                TABLE,
                FLOAT,
                TWO_BY_TWO,
                external("location", "data/weights.bin", "offset", "4", "length", "16"))),
        1f,
        2f,
        3f,
        4f);
  }

  @Test
  void refusesExternalDataThatIsCutOffOrMissing() throws IOException {
    byte[] model =
        model(initializer(TABLE, FLOAT, TWO_BY_TWO, external("location", "w.bin", "offset", "8")));
    Path file = write(model);

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("its part \"w.bin\" is missing");

    Files.write(folder.resolve("w.bin"), new byte[23]);
    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("should end at byte 24 but the file has 23");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../../etc/passwd",
        "a/../../b",
        "/etc/passwd",
        "C:\\windows\\x",
        "C:x",
        "..\\x",
        "a\u0000b",
        ""
      })
  void refusesExternalDataOutsideTheFolder(String location) throws IOException {
    // onnx/onnx issue 3991; refused while opening, whether or not the tensor is wanted
    Path file =
        write(
            model(
                initializer(TABLE, FLOAT, TWO_BY_TWO, raw(new byte[16])),
                initializer("other", FLOAT, TWO_BY_TWO, external("location", location))));

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("names a part of the model");
  }

  @Test
  void refusesALinkThatLeadsOutOfTheFolder() throws IOException {
    Path secret = Files.write(folder.resolve("secret"), new byte[16]);
    Path home = Files.createDirectory(folder.resolve("model"));
    Files.createSymbolicLink(home.resolve("w.bin"), secret);
    Path file =
        Files.write(
            home.resolve("model.onnx"),
            model(initializer(TABLE, FLOAT, TWO_BY_TWO, external("location", "w.bin"))));

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is a link that leads out of the folder");
  }

  @Test
  void followsLinksIntoTheStoreOfADownloadCache() throws IOException {
    // robertknight/rten issue 1334: snapshots/rev/* are links into blobs/*
    Path blobs = Files.createDirectories(folder.resolve("blobs"));
    Path snapshot = Files.createDirectories(folder.resolve("snapshots/rev"));
    Files.write(blobs.resolve("b1"), RawSafetensors.floats(1, 2, 3, 4));
    Files.write(
        blobs.resolve("b0"),
        model(initializer(TABLE, FLOAT, TWO_BY_TWO, external("location", "model.onnx_data"))));
    Files.createSymbolicLink(snapshot.resolve("model.onnx"), Path.of("../../blobs/b0"));
    Files.createSymbolicLink(snapshot.resolve("model.onnx_data"), Path.of("../../blobs/b1"));

    try (Lexicon lexicon = Models.open(snapshot)) {
      assertThat(lexicon.input().table().row(1)).containsExactly(3f, 4f);
    }
  }

  /**
   * The reference refuses files with several names (onnx pull request 7717). Here they are read:
   * package caches make such names, nothing tells the first from the others, and what is read is
   * shown to whoever could read the file anyway.
   */
  @Test
  void readsAFileOfSeveralNames() throws IOException {
    Path kept = Files.write(folder.resolve("kept"), RawSafetensors.floats(1, 2, 3, 4));
    Files.createLink(folder.resolve("w.bin"), kept);
    assertRows(
        model(initializer(TABLE, FLOAT, TWO_BY_TWO, external("location", "w.bin"))), 1, 2, 3, 4);
  }
}

package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.bytes;
import static dev.rowan.formats.onnx.OnnxFixture.constant;
import static dev.rowan.formats.onnx.OnnxFixture.external;
import static dev.rowan.formats.onnx.OnnxFixture.graph;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.input;
import static dev.rowan.formats.onnx.OnnxFixture.message;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.node;
import static dev.rowan.formats.onnx.OnnxFixture.number;
import static dev.rowan.formats.onnx.OnnxFixture.packedFloats;
import static dev.rowan.formats.onnx.OnnxFixture.packedInts;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static dev.rowan.formats.onnx.OnnxFixture.text;
import static dev.rowan.formats.onnx.OnnxFixture.whole;
import static dev.rowan.formats.onnx.OnnxFixture.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tensors that nodes give, in place of initialisers. */
class OnnxConstantTest extends OnnxFiles {
  private static byte[] around(OnnxFixture.Fields table) {
    return model(table, node("Gather", "x", "table", "input_ids"), input("input_ids"));
  }

  @Test
  void readsATableThatANodeGives() throws IOException {
    byte[] data = RawSafetensors.floats(1, -2, 0.5f, 1e-30f);
    assertRows(around(constant("table", FLOAT, TWO_BY_TWO, raw(data))), 1, -2, 0.5f, 1e-30f);
    assertRows(
        around(constant("table", FLOAT, TWO_BY_TWO, packedFloats(1, -2, 0.5f, 3))), 1, -2, 0.5f, 3);
    assertRows(
        around(constant("table", FLOAT16, TWO_BY_TWO, packedInts(0x3C00, 0xC100, 0x7BFF, 1))),
        1,
        -2.5f,
        65504,
        0x1p-24f);
    Files.write(folder.resolve("w"), RawSafetensors.floats(9, 1, 2, 3, 4));
    assertRows(
        around(constant("table", FLOAT, TWO_BY_TWO, external("location", "w", "offset", "4"))),
        1,
        2,
        3,
        4);
  }

  @Test
  void listsRowsAndMatricesButNotWhatGraphsComputeWith() throws IOException {
    Path file =
        write(
            model(
                constant("scale", FLOAT, new long[0], raw(new byte[4])),
                constant("shape", 7, new long[] {3}, raw(new byte[24])),
                constant("places", 7, new long[] {1, 2}, raw(new byte[16])),
                constant("mask", FLOAT, new long[] {1, 1, 2, 2}, raw(new byte[16])),
                constant("bias", FLOAT, new long[] {2}, raw(new byte[8])),
                constant("packed", 3, TWO_BY_TWO, raw(new byte[4])),
                constant("table", FLOAT, TWO_BY_TWO, raw(new byte[16])),
                with("Constant", "number", List.of(), whole("value_int", 3)),
                with("Constant", "nothing", List.of()),
                with(
                    "If",
                    "y",
                    List.of("c"),
                    graph("then_branch", constant("inner", FLOAT, TWO_BY_TWO, raw(new byte[16])))),
                initializer("one", FLOAT, new long[0], raw(new byte[4]))));

    assertThat(Models.tensors(file).tensors())
        .extracting(TensorInfo::name)
        .containsExactly("bias", "packed", "table", "one");
  }

  @Test
  void refusesConstantsThatDoNotAddUp() throws IOException {
    assertRefused(
        around(constant("table", FLOAT, TWO_BY_TWO, raw(new byte[15]))),
        "constant \"table\" has 15 bytes of data but shape [2, 2] of FLOAT takes 16");
    assertRefused(
        around(constant("table", FLOAT, new long[] {1L << 32, 1L << 32}, raw(new byte[16]))),
        "constant \"table\" has shape [4294967296, 4294967296], which overflows 64 bits");
    assertRefused(
        around(constant("table", FLOAT16, new long[] {1L << 40, 2}, packedInts(1, 2))),
        "has 2 numbers but shape 1099511627776 × 2 takes 2,199,023,255,552");
    assertRefused(
        model(
            constant("table", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("table", FLOAT, TWO_BY_TWO, raw(new byte[16]))),
        "duplicate name: initializer \"table\" occurs twice");
    assertRefused(
        around(constant("table", FLOAT, TWO_BY_TWO, external("location", "../w"))),
        "leaves the model's folder");
  }

  @Test
  void refusesAConstantCutAtAnyByte() throws IOException {
    byte[] file = model(constant("table", FLOAT, TWO_BY_TWO, packedFloats(1, 2, 3, 4)));
    int behind = message(bytes(8, message(text(1, ""), number(2, 17)))).length;
    for (int length = 0; length < file.length - behind; length++) {
      Path cut = write(Arrays.copyOf(file, length));
      assertThatThrownBy(() -> OnnxFile.open(cut))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class);
    }
  }
}

package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.bytes;
import static dev.rowan.formats.onnx.OnnxFixture.external;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.input;
import static dev.rowan.formats.onnx.OnnxFixture.looseFloats;
import static dev.rowan.formats.onnx.OnnxFixture.message;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.node;
import static dev.rowan.formats.onnx.OnnxFixture.number;
import static dev.rowan.formats.onnx.OnnxFixture.packedFloats;
import static dev.rowan.formats.onnx.OnnxFixture.packedInts;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static dev.rowan.formats.onnx.OnnxFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Initialisers, in all the ways their numbers are stored. */
class OnnxFileTest extends OnnxFiles {
  @Test
  void readsRawData() throws IOException {
    byte[] data = RawSafetensors.floats(1f, -2f, 0.5f, 1e-30f);
    assertRows(model(initializer(TABLE, FLOAT, TWO_BY_TWO, raw(data))), 1f, -2f, 0.5f, 1e-30f);
  }

  @Test
  void readsPackedFloats() throws IOException {
    assertRows(
        model(initializer(TABLE, FLOAT, TWO_BY_TWO, packedFloats(1f, -2f, 0.5f, 3f))),
        1f,
        -2f,
        0.5f,
        3f);
  }

  @Test
  void readsFloatsStoredOneByOneOrInSeveralRuns() throws IOException {
    assertRows(
        model(initializer(TABLE, FLOAT, TWO_BY_TWO, looseFloats(1f, -2f, 0.5f, 3f))),
        1f,
        -2f,
        0.5f,
        3f);
    assertRows(
        model(
            initializer(
                TABLE,
                FLOAT,
                TWO_BY_TWO,
                packedFloats(1f),
                looseFloats(-2f),
                packedFloats(0.5f, 3f))),
        1f,
        -2f,
        0.5f,
        3f);
  }

  @Test
  void readsHalfFloatsKeptInInt32Data() throws IOException {
    assertRows(
        model(initializer(TABLE, FLOAT16, TWO_BY_TWO, packedInts(0x3C00, 0xC100, 0x7BFF, 0x0001))),
        1f,
        -2.5f,
        65504f,
        0x1p-24f);
    assertRows(
        model(initializer(TABLE, BFLOAT16, TWO_BY_TWO, packedInts(0x3F80, 0xC020, 0x7F80, 0x0001))),
        1f,
        -2.5f,
        Float.POSITIVE_INFINITY,
        0x1p-133f);
  }

  @Test
  void readsRawHalfFloats() throws IOException {
    assertRows(
        model(
            initializer(
                TABLE,
                FLOAT16,
                TWO_BY_TWO,
                raw(RawSafetensors.shorts(0x3C00, 0xC100, 0x7BFF, 0x0001)))),
        1f,
        -2.5f,
        65504f,
        0x1p-24f);
  }

  @Test
  void readsPackedDimensions() throws IOException {
    byte[] dims = message(out -> out.writeInt64NoTag(2), out -> out.writeInt64NoTag(2));
    byte[] tensor =
        message(
            text(8, TABLE), raw(RawSafetensors.floats(1, 2, 3, 4)), bytes(1, dims), number(2, 1));

    assertRows(model(bytes(5, tensor)), 1f, 2f, 3f, 4f);
  }

  @Test
  void refusesAQuantisedTableByItsDtype() throws IOException {
    Path file = write(model(initializer(TABLE, 2, TWO_BY_TWO, raw(new byte[4]))));

    assertThatThrownBy(() -> Models.open(file))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("stored as UINT8, which cannot be read");
    assertThat(Models.tensors(file).storedParameters()).isEmpty();
  }

  @Test
  void listsInitialisersOfAllKinds() throws IOException {
    Path file =
        write(
            model(
                initializer(TABLE, FLOAT, TWO_BY_TWO, raw(new byte[16])),
                initializer("one", 7, new long[0], out -> out.writeInt64(7, 5)),
                initializer("none", FLOAT, new long[] {0, 5}, raw()),
                initializer("words", 8, new long[] {1}, text(6, "x")),
                initializer("nibbles", 22, new long[] {3}, raw(new byte[2])),
                initializer("bias", FLOAT, new long[] {3}, packedFloats(1, 2, 3))));

    assertThat(Models.tensors(file).tensors())
        .extracting(tensor -> tensor.name() + ":" + tensor.dtype().label() + tensor.shape())
        .containsExactly(
            TABLE + ":FLOAT[2, 2]",
            "one:INT64[]",
            "none:FLOAT[0, 5]",
            "words:STRING[1]",
            "nibbles:INT4[3]",
            "bias:FLOAT[3]");
    assertThat(Models.tensors(file).storedParameters()).hasValue(7);
  }

  @Test
  void refusesInitialisersThatDoNotAddUp() throws IOException {
    assertRefused(
        model(initializer("t", FLOAT, TWO_BY_TWO, raw(new byte[15]))),
        "initializer \"t\" has 15 bytes of data but shape [2, 2] of FLOAT takes 16");
    assertRefused(
        model(initializer("t", FLOAT, new long[] {1L << 32, 1L << 32}, raw(new byte[16]))),
        "which overflows 64 bits");
    assertRefused(
        model(initializer("t", FLOAT, new long[] {-1, 2}, raw(new byte[16]))),
        "has a dimension of -1; 0 is the least");
    assertRefused(
        model(initializer(TABLE, FLOAT16, new long[] {1L << 40, 2}, packedInts(1, 2))),
        "has 2 numbers but shape 1099511627776 × 2 takes 2,199,023,255,552");
    assertRefused(
        model(
            initializer("t", FLOAT, TWO_BY_TWO, raw(new byte[16])),
            initializer("t", FLOAT, TWO_BY_TWO, raw(new byte[16]))),
        "duplicate name: initializer \"t\" occurs twice");
    assertRefused(
        model(initializer("t", FLOAT, TWO_BY_TWO, external("location", "w", "offset", "-4"))),
        "has external data with offset \"-4\"; a whole number is needed");
    assertRefused(
        model(
            initializer(
                "t", FLOAT, TWO_BY_TWO, external("location", "w", "offset", "" + Long.MAX_VALUE))),
        "overflows 64 bits");
    assertRefused(
        model(initializer("t", FLOAT, TWO_BY_TWO, external("location", "w", "length", "12"))),
        "has 12 bytes of external data but shape [2, 2] of FLOAT takes 16");
    assertRefused(
        model(initializer("t", FLOAT, TWO_BY_TWO, external("offset", "4"))),
        "lies in another file but does not name it");
    assertRefused(message(number(1, 8), text(2, "x")), "holds no graph");
  }

  @Test
  void refusesBrokenProtobuf() throws IOException {
    byte[] endless = new byte[14];
    Arrays.fill(endless, (byte) 0xFF);
    assertRefused(message(number(1, 8), bytes(7, endless)), "a number is longer than 10 bytes");
    assertRefused(message(number(1, 8), bytes(7, new byte[] {0})), "field number 0");
    assertRefused(
        message(number(1, 8), bytes(7, new byte[] {(byte) 0xF3, 1})),
        "wire type 3, which is out of use");
    assertRefused(
        message(number(1, 8), bytes(7, new byte[] {0x2A, 5})),
        "field 5 claims 5 bytes but only 0 are left; the file looks cut off");
  }

  @Test
  void refusesAFileCutAtAnyByte() throws IOException {
    byte[] whole =
        model(
            node("Gather", "rows", TABLE, "input_ids"),
            initializer(TABLE, FLOAT, TWO_BY_TWO, packedFloats(1f, 2f, 3f, 4f)),
            initializer("bias", FLOAT16, new long[] {2}, packedInts(1, 0x3C00)),
            input("input_ids"));
    int graphEnd = whole.length - message(bytes(8, message(text(1, ""), number(2, 17)))).length;

    for (int length = 0; length < graphEnd; length++) {
      Path file = write(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> OnnxFile.open(file))
          .as("%d bytes", length)
          .isInstanceOf(FormatException.class);
    }
    for (int length = graphEnd; length < whole.length; length++) {
      // what follows the graph is of no use to us, but a field cut in two is still seen
      Path file = write(Arrays.copyOf(whole, length));
      try (OnnxFile model = OnnxFile.open(file)) {
        assertThat(model.tensors()).extracting(TensorInfo::name).contains(TABLE);
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("cut off");
      }
    }
  }
}

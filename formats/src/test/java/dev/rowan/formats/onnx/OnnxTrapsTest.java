package dev.rowan.formats.onnx;

import static dev.rowan.formats.onnx.OnnxFixture.bytes;
import static dev.rowan.formats.onnx.OnnxFixture.initializer;
import static dev.rowan.formats.onnx.OnnxFixture.message;
import static dev.rowan.formats.onnx.OnnxFixture.model;
import static dev.rowan.formats.onnx.OnnxFixture.packedInts;
import static dev.rowan.formats.onnx.OnnxFixture.raw;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.Models;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers in the less common fields of an initialiser. */
class OnnxTrapsTest extends OnnxFiles {
  @Test
  void readsDoublesInTheirOwnField() throws IOException {
    byte[] packed =
        message(out -> {
          for (double value : new double[] {1, -2, 0.5, 1.0 / 3}) {
            out.writeDoubleNoTag(value);
          }
        });
    assertRows(model(initializer(TABLE, 11, TWO_BY_TWO, bytes(10, packed))), 1, -2, 0.5f, 1f / 3);
  }

  @Test
  void readsRawBfloat16() throws IOException {
    byte[] data = RawSafetensors.shorts(0x3F80, 0xC020, 0x3F00, 0x0001);
    assertRows(
        model(initializer(TABLE, BFLOAT16, TWO_BY_TWO, raw(data))), 1, -2.5f, 0.5f, 0x1p-133f);
  }

  /** Quantised exports: u8 and i8, in raw data or each byte as an int32, with scales elsewhere. */
  @ParameterizedTest
  @CsvSource({"2, UINT8", "3, INT8"})
  void refusesQuantisedTablesOfEitherField(int type, String label) throws IOException {
    for (var data : java.util.List.of(packedInts(1, 2, 3, 4), raw(new byte[4]))) {
      Path file =
          write(
              model(
                  initializer(TABLE, type, TWO_BY_TWO, data),
                  initializer(TABLE + "_scale", FLOAT, new long[0], raw(new byte[4])),
                  initializer(TABLE + "_zero_point", type, new long[0], raw(new byte[1]))));
      assertThatThrownBy(() -> Models.open(file))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("stored as " + label + ", which cannot be read");
    }
  }
}

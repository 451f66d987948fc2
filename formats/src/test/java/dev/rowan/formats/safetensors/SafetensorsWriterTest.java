package dev.rowan.formats.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsWriterTest {
  @TempDir Path folder;

  private static Tensor bytes(String name, int... values) {
    byte[] data = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      data[i] = (byte) values[i];
    }
    return new Tensor(
        name,
        java.util.Objects.requireNonNull(SafetensorsDtypes.byLabel().get("U8")),
        List.of((long) values.length),
        MemorySegment.ofArray(data));
  }

  private static byte[] concat(byte[] first, byte last) {
    byte[] all = java.util.Arrays.copyOf(first, first.length + 1);
    all[first.length] = last;
    return all;
  }

  private static Tensor floats(String name, float... values) {
    return new Tensor(
        name,
        SafetensorsDtypes.F32,
        List.of(1L, (long) values.length),
        MemorySegment.ofArray(values));
  }

  @Test
  void writesTheBytesThatTheFormatAsksFor() throws IOException {
    Path file = folder.resolve("m.safetensors");

    SafetensorsWriter.write(
        file, List.of(bytes("b", 7), floats("wte", 1f), floats("a", -2f)), Map.of("format", "pt"));

    // put together by hand: widest first, then by name; padded to a multiple of 8
    String header =
        "{\"__metadata__\":{\"format\":\"pt\"},"
            + "\"a\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[0,4]},"
            + "\"wte\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[4,8]},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]}}";
    header += " ".repeat((8 - header.length() % 8) % 8);
    assertThat(Files.readAllBytes(file))
        .isEqualTo(RawSafetensors.bytes(header, concat(RawSafetensors.floats(-2f, 1f), (byte) 7)));
  }

  @Test
  void readsBackWhatItWrote() throws IOException {
    Path file = folder.resolve("m.safetensors");
    String odd = "Ġ\"\\\n\u0001☃😀";

    SafetensorsWriter.write(
        file,
        List.of(floats(odd, 1f, 2f), bytes("none"), floats("x", 3f)),
        Map.of("k\t", "v\"", "a", ""));

    try (Safetensors read = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
      assertThat(read.tensors()).extracting(TensorInfo::name).containsExactly("x", odd, "none");
      assertThat(read.metadata()).isEqualTo(Map.of("k\t", "v\"", "a", ""));
      TensorInfo tensor = read.find(odd).orElseThrow();
      assertThat(tensor.offset() % 4).isZero();
      assertThat(read.data(tensor).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))
          .containsExactly(1f, 2f);
    }
  }

  @Test
  void keepsTheOldFileWhenWritingFails() throws IOException {
    Path file = folder.resolve("m.safetensors");
    Files.writeString(file, "old");
    Tensor gone;
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      gone = new Tensor("t", SafetensorsDtypes.F32, List.of(2L), arena.allocate(8));
    }

    // its memory is freed: reading it fails after the header has been written
    assertThatThrownBy(() -> SafetensorsWriter.write(file, List.of(gone), Map.of()))
        .isInstanceOf(IllegalStateException.class);

    assertThat(file).hasContent("old");
    assertThat(folder).isDirectoryContaining(path -> path.equals(file));
    try (var entries = Files.list(folder)) {
      assertThat(entries).containsExactly(file);
    }
  }

  @Test
  void replacesTheFileItIsReading() throws IOException {
    Path file = folder.resolve("m.safetensors");
    SafetensorsWriter.write(file, List.of(floats("t", 1f, 2f, 3f)), Map.of());

    try (Safetensors old = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
      MemorySegment data = old.data(old.find("t").orElseThrow());
      SafetensorsWriter.write(
          file,
          List.of(new Tensor("u", SafetensorsDtypes.F32, List.of(3L), data), floats("a", 9f)),
          Map.of());
    }

    try (Safetensors read = Safetensors.open(file, SafetensorsHeader.DEFAULT_LIMIT)) {
      MemorySegment data = read.data(read.find("u").orElseThrow());
      assertThat(data.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)).containsExactly(1f, 2f, 3f);
    }
  }

  @Test
  void refusesTwoTensorsOfOneNameBeforeTheFirstByte() {
    assertThatThrownBy(() ->
            SafetensorsWriter.write(
                folder.resolve("m"), List.of(floats("t", 1f), bytes("t", 1)), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two tensors are called \"t\"; names must differ");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void refusesDataThatDoesNotFitTheShape() {
    MemorySegment data = MemorySegment.ofArray("12345".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> new Tensor("t", SafetensorsDtypes.F16, List.of(2L), data))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tensor \"t\": shape [2] of F16 takes 32 bits but the data has 5 bytes");
  }

  @Test
  void refusesNamesThatTheFormatCannotHold() {
    MemorySegment none = MemorySegment.ofArray(new byte[0]);

    assertThatThrownBy(() -> new Tensor("__metadata__", SafetensorsDtypes.F16, List.of(0L), none))
        .hasMessage("a tensor cannot be called \"__metadata__\"");
    assertThatThrownBy(() -> new Tensor("\uD800", SafetensorsDtypes.F16, List.of(0L), none))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

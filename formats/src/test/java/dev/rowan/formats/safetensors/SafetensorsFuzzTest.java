package dev.rowan.formats.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either read as a header whose tensors lie in the file, or are refused as such. */
class SafetensorsFuzzTest {
  static Stream<byte[]> seeds() {
    String entry = RawSafetensors.entry("wte.weight", "BF16", "[2,3]", 8, 20);
    return Stream.of(
        RawSafetensors.bytes("{}"),
        RawSafetensors.bytes("{" + entry.replace("8,20", "0,12") + "}  ", new byte[12]),
        RawSafetensors.bytes(
            "{\"__metadata__\":{\"k\":\"v\\u00e9\"},"
                + RawSafetensors.entry("n", "I64", "[]", 0, 8)
                + ","
                + entry
                + "}",
            new byte[20]));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) {
    MemorySegment bytes = MemorySegment.ofArray(file);
    SafetensorsHeader header;
    try {
      header = SafetensorsHeader.read(Path.of("model.safetensors"), bytes, 1 << 20);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("model.safetensors: ");
      return;
    }
    long covered = 0;
    for (TensorInfo tensor : header.tensors()) {
      assertThat(bytes.asSlice(tensor.offset(), tensor.bytes()).byteSize())
          .isEqualTo(Math.ceilDiv(tensor.elements() * tensor.dtype().bits(), 8));
      covered += tensor.bytes();
    }
    assertThat(covered).isLessThan(file.length);
  }
}

package dev.rowan.formats.safetensors;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FolderFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any index and shards either open, or are refused with a reason. */
class ShardsFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] shard =
        RawSafetensors.bytes(
            "{" + RawSafetensors.entry("wte.weight", "F32", "[2,2]", 0, 16) + "}",
            RawSafetensors.floats(1, 2, 3, 4));
    return Stream.of(
            "{\"metadata\":{\"total_size\":16},\"weight_map\":{\"wte.weight\":\"a.safetensors\"}}",
            "{\"weight_map\":{\"wte.weight\":\"a.safetensors\",\"gone\":\"b.safetensors\"}}",
            "{\"weight_map\":{\"wte.weight\":\"../a.safetensors\"}}")
        .map(index -> FolderFuzz.joined(index.getBytes(StandardCharsets.UTF_8), shard, shard));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FolderFuzz.refusesOrReads(
        bytes, List.of("model.safetensors.index.json", "a.safetensors", "b.safetensors"));
  }
}

package dev.rowan.formats.tensorflow;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes either are an index, or are refused as such. Blocks have checksums, which no fuzzer
 * guesses: what they hold is tried on its own too.
 */
class TensorflowFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all("tensorflow/model.ckpt.index", "tensorflow/parts.index");
  }

  static Stream<byte[]> blocks() {
    return Stream.of(
        new TableBytes().entry("", (byte) 8, (byte) 1).entry("wte", (byte) 8, (byte) 1).block());
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) throws IOException {
    Fixture.refusesOrReads(file, ".index");
  }

  @MethodSource("blocks")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReadsBlocks(byte[] block) throws IOException {
    if (block.length >= 4 && block.length < 16_000) {
      Fixture.refusesOrReads(TableBytes.table(block, 0), ".index");
      Fixture.refusesOrReads(TableBytes.table(block, 1), ".index");
    }
  }

  @MethodSource("blocks")
  @FuzzTest(maxDuration = "5m")
  void refusesOrUndoesSnappy(byte[] block) {
    try {
      Snappy.decompress(Path.of("x.index"), 0, MemorySegment.ofArray(block));
    } catch (FormatException e) {
      // a reason is what it should give
    }
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Tie;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.gguf.GgufFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a GGUF header is found where the reader finds it, and excerpts can be read. */
class GgufWalkFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
        Sample.gguf(3, Sample.Tensor.of("token_embd.weight", 3, 8, 1)),
        Sample.gguf(
            1,
            Sample.Tensor.of("token_embd.weight", 2, 3, 1),
            Sample.Tensor.of("output.weight", 2, 3, 2)));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void walksOrRefuses(byte[] bytes) {
    Path path = Path.of("model.gguf");
    try {
      long length = GgufWalk.length(path, bytes);
      assertThat(length).isBetween(-1L, (long) bytes.length);
      if (length < 0) {
        return;
      }
      GgufFile file =
          GgufFile.ofHeads(
              List.of(new GgufFile.Head(path, MemorySegment.ofArray(bytes), bytes.length)));
      Map<String, Excerpt.Piece> wanted = new LinkedHashMap<>();
      for (TensorInfo tensor : file.tensors()) {
        wanted.put(
            tensor.name(), new Excerpt.Piece(tensor.offset(), tensor.offset() + tensor.bytes()));
      }
      Excerpt excerpt =
          GgufWalk.excerpt(
              path, bytes, wanted, bytes.length, new GgufWalk.Setting(bytes, 1, Tie.UNTIED));
      assertThat(excerpt.size()).isLessThanOrEqualTo(2L * bytes.length + 4096);
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("model.gguf: ");
    }
  }
}

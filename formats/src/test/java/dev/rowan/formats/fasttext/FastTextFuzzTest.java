package dev.rowan.formats.fasttext;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Table;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are a fastText model or are refused with a {@link FormatException}. */
class FastTextFuzzTest {

  static Stream<byte[]> seeds() throws IOException {
    return Stream.of(FastTextFixture.gensim(), FastTextFixture.quantized(true).toBytes());
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "60s")
  void readsOrRefuses(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("rowan-fuzz", ".bin");
    try {
      Files.write(file, bytes);
      try (FastTextFile model = FastTextFile.open(file)) {
        TensorInfo words = model.table().orElseThrow();
        Table table =
            Table.over(
                model.data(words),
                words.shape().getFirst(),
                Math.toIntExact(words.shape().getLast()),
                words.dtype().rows().orElseThrow());
        for (long row = 0; row < table.rows(); row++) {
          var _ = table.row(row);
        }
      } catch (FormatException _) {
        // refused, as it should be
      }
    } finally {
      Files.delete(file);
    }
  }
}

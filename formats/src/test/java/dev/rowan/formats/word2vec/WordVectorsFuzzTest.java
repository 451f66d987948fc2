package dev.rowan.formats.word2vec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are word vectors or are refused with a {@link FormatException}. */
class WordVectorsFuzzTest {
  private static final Workers WORKERS = Workers.of(1);

  static Stream<byte[]> seeds() {
    return Stream.of(
        "2 2\na 1 2\nb 3 4\n".getBytes(StandardCharsets.UTF_8),
        "a 1 2 \n. . . -3e-4 nan \n".getBytes(StandardCharsets.UTF_8),
        "2 1\na \0\0\0\0\nb \1\1\1\1\n".getBytes(StandardCharsets.UTF_8),
        "9999999999 9999999999\n\0".getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "60s")
  void readsOrRefuses(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("rowan-fuzz", ".bin");
    try {
      Files.write(file, bytes);
      try (WordVectors vectors = WordVectors.open(file, Optional.of(WORKERS))) {
        vectors.data(vectors.tensors().getFirst());
        var _ = vectors.vocabulary().orElseThrow().get();
      } catch (FormatException _) {
        // refused, as it should be
      }
    } finally {
      Files.delete(file);
    }
  }
}

package dev.rowan.formats.word2vec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Any bytes either are word vectors or are refused with a {@link FormatException}. */
class WordVectorsFuzzTest {
  private static final Workers WORKERS = Workers.of(1);

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

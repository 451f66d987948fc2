package dev.rowan.formats.gguf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small GGUF files. Those named {@code gguf/…} were written by gguf-py 0.19.0
 * (make_gguf_fixtures.py), which also made the numbers expected of them; the others are made byte
 * by byte.
 */
abstract class GgufFixture {
  static final int F32 = 0;

  @TempDir Path folder;

  Path file(GgufBytes bytes) throws IOException {
    return Files.write(folder.resolve("model.gguf"), bytes.bytes());
  }

  /** A good file of one 3 × 2 table, whose keys the caller adds. */
  static GgufBytes table(int keys, Consumer<GgufBytes> adding) {
    return GgufBytes.header(1, keys)
        .also(adding)
        .tensor("token_embd.weight", F32, 0, 2, 3)
        .align(32)
        .also(bytes -> {
          for (int i = 1; i <= 6; i++) {
            bytes.f32(i);
          }
        });
  }
}

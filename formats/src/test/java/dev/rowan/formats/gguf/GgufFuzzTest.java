package dev.rowan.formats.gguf;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either open as a model whose tokens and rows can be read, or are refused as such. */
class GgufFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all("gguf/gpt2.gguf", "gguf/llama-big-endian.gguf", "gguf/gemma.gguf");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] file) throws IOException {
    Fixture.refusesOrReads(file, ".gguf");
  }
}

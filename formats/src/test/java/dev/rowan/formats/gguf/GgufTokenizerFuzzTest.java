package dev.rowan.formats.gguf;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.Fixture;
import dev.rowan.formats.FuzzFile;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The tokenizer of any GGUF file either is read, or refused with a reason. */
class GgufTokenizerFuzzTest {
  static Stream<byte[]> seeds() throws IOException {
    return Fixture.all("gguf/gpt2.gguf", "gguf/gemma.gguf", "gguf/llama-big-endian.gguf");
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(bytes, ".gguf", file -> Models.tokenizer(file, OpenOptions.DEFAULT));
  }
}

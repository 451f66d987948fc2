package dev.rowan.formats.config;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FuzzFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes either are a config or are refused with a reason. */
class ModelConfigFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "{\"model_type\":\"gpt2\",\"vocab_size\":50257,\"tie_word_embeddings\":true}",
            "{\"text_config\":{\"vocab_size\":3,\"tie_word_embeddings\":false},\"hidden_size\":4}",
            "{\"architectures\":[\"LlamaForCausalLM\"],\"x\":[1,{\"y\":null}]}")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FuzzFile.refusesOrReads(bytes, ".json", ModelConfig::read);
  }
}

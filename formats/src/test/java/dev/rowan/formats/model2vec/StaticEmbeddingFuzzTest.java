package dev.rowan.formats.model2vec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FolderFuzz;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any folder as sentence-transformers writes its StaticEmbedding opens, or is refused. */
class StaticEmbeddingFuzzTest {
  private static final byte[] TOKENIZER =
      utf8("{\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"a\",\"vocab\":{\"a\":0,\"b\":1}}}");

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Stream<byte[]> seeds() {
    byte[] rows = RawSafetensors.floats(1, 2, 3, 4);
    return Stream.of("embedding.weight", "embeddings")
        .map(name ->
            FolderFuzz.joined(
                RawSafetensors.bytes(
                    "{" + RawSafetensors.entry(name, "F32", "[2,2]", 0, 16) + "}", rows),
                utf8("{\"similarity_fn_name\":\"cosine\"}"),
                TOKENIZER));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FolderFuzz.refusesOrReads(
        bytes, List.of("model.safetensors", "config_sentence_transformers.json", "tokenizer.json"));
  }
}

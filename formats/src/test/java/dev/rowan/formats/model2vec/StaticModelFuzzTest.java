package dev.rowan.formats.model2vec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.FolderFuzz;
import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any folder of a static model either opens, or is refused with a reason. */
class StaticModelFuzzTest {
  private static final byte[] CONFIG = utf8("{\"model_type\":\"model2vec\",\"normalize\":true}");
  private static final byte[] TOKENIZER =
      utf8(
          "{\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"a\",\"vocab\":{\"a\":0,\"b\":1,\"c\":2}}}");

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Stream<byte[]> seeds() {
    byte[] rows = RawSafetensors.floats(1, 2, 3, 4);
    ByteBuffer shared = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    shared.put(rows).putLong(1).putLong(0).putLong(1).putDouble(2).putDouble(0.5).putDouble(0.1);
    return Stream.of(
        FolderFuzz.joined(
            RawSafetensors.bytes(
                "{" + RawSafetensors.entry("embeddings", "F32", "[2,2]", 0, 16) + "}", rows),
            CONFIG,
            TOKENIZER),
        FolderFuzz.joined(
            RawSafetensors.bytes(
                "{"
                    + String.join(
                        ",",
                        RawSafetensors.entry("embeddings", "F32", "[2,2]", 0, 16),
                        RawSafetensors.entry("mapping", "I64", "[3]", 16, 40),
                        RawSafetensors.entry("weights", "F64", "[3]", 40, 64))
                    + "}",
                shared.array()),
            CONFIG,
            TOKENIZER));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void refusesOrReads(byte[] bytes) throws IOException {
    FolderFuzz.refusesOrReads(bytes, List.of("model.safetensors", "config.json", "tokenizer.json"));
  }
}

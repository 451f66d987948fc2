package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Safetensors files that hold their tokens themselves, written here byte by byte. */
class TokensInsideTest extends HubFixture {
  /** A header's texts, a layer, the spellings w0 w1 … and where they end, a table. */
  private static byte[] model() {
    String spellings =
        IntStream.range(0, 3_000).mapToObj(i -> "w" + i).collect(Collectors.joining());
    int table = LAYER.bytes();
    int words = table + TABLE.bytes();
    int ends = words + spellings.length();
    int size = ends + 4 * 3_000;
    byte[] header =
        Sample.text(
            """
            {"__metadata__":{"rowan.output":"none","license":"mit"},\
            "h":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]},\
            "embeddings.weight":{"dtype":"F32","shape":[3000,16],"data_offsets":[%d,%d]},\
            "rowan.tokens.plain":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]},\
            "rowan.tokens.ends":{"dtype":"I32","shape":[3000],"data_offsets":[%d,%d]}}\
            """
                .formatted(
                    table / 4, table, table, words, spellings.length(), words, ends, ends, size));
    ByteBuffer file = ByteBuffer.allocate(8 + header.length + size).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    for (Sample.Tensor tensor : new Sample.Tensor[] {LAYER, TABLE}) {
      for (float number : tensor.numbers()) {
        file.putFloat(number);
      }
    }
    file.put(Sample.text(spellings));
    int end = 0;
    for (int i = 0; i < 3_000; i++) {
      end += ("w" + i).length();
      file.putInt(end);
    }
    return file.array();
  }

  @Test
  void wordsAreFetchedWithoutTheRestOfTheFile() throws IOException {
    server.withLarge("model.safetensors", model());
    Inspection told = inspect(SPEC);
    assertThat(told.vocabulary().orElseThrow().text(2_999)).isEqualTo("w2999");
    assertThat(told.tie().tie()).isEqualTo(Tie.NO_OUTPUT);
    assertThat(server.bytesAskedOf("model.safetensors")).isLessThan(Heads.FIRST + 40_000);
    assertOpens();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.text(1234)).isEqualTo("w1234");
      assertThat(model.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(model.origin().texts())
          .containsOnly(
              Map.entry("license", "mit"),
              Map.entry("rowan.source.model", SPEC),
              Map.entry("rowan.source.version", FakeHub.COMMIT));
    }
  }
}

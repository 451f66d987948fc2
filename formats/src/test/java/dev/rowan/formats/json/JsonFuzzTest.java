package dev.rowan.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever another reader makes of a text, ours makes of it too. */
class JsonFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "{\"a\\u0041é\":[1,-2.5e3,{\"b\":null}],\"c\":\"\\\"x\",\"d\":{\"e\":[true,[]]}}",
            "[0,9223372036854775808,-0,1E-2,\"\\ud83d\\ude00\"]")
        .map(json -> json.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void agreesWithAnotherReader(byte[] text) {
    String asText = new String(text, StandardCharsets.UTF_8);
    // the deviations that JsonReader documents, and what depth each allows
    boolean deviates =
        asText.contains("NaN")
            || asText.contains("Infinity")
            || asText.contains("\\u")
            || asText.indexOf('\uFFFD') >= 0
            || text.length > 400;
    if (!deviates) {
      assertThat(JsonOracle.ours(text)).isEqualTo(JsonOracle.theirs(text));
    }
  }
}

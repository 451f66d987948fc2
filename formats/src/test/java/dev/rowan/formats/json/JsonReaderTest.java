package dev.rowan.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static JsonReader reader(String json) {
    return JsonReader.over(
        Path.of("x.json"), MemorySegment.ofArray(json.getBytes(StandardCharsets.UTF_8)), 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " [ ] ",
        "{\"a\":1}",
        "[1,2,3]",
        "[0,-0,1.5,-2e10,3E+2,4e-1,0.0]",
        "[9223372036854775807,-9223372036854775808]",
        "[9223372036854775808,-9223372036854775809,18446744073709551617,99999999999999999999]",
        "[true,false,null]",
        "{\"a\":{\"b\":[{\"c\":\"d\"}]},\"e\":[]}",
        "[\"\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "[\"é😀☃\u007f\"]",
        "\"text\"",
        "17",
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,\"a\":1}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{'a':1}",
        "[01]",
        "[-]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[1e]",
        "[1e+]",
        "[--1]",
        "[tru]",
        "[True]",
        "[truex]",
        "[nulll]",
        "[\"a]",
        "[\"\\x\"]",
        "[\"\\u12g4\"]",
        "[\"\\u12",
        "[\"a\nb\"]",
        "[\"a\tb\"]",
        "[1]]",
        "{}}",
        "[}",
        "{]",
        "[1] 2",
        "/* c */ []",
        "[1]//"
      })
  void agreesWithAnotherReader(String json) {
    assertThat(JsonOracle.ours(json.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(JsonOracle.theirs(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void agreesWithAnotherReaderOnDamagedText() {
    long seed = Long.getLong("rowan.seed", 20260101);
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole =
        "{\"a\\u0041é\":[1,-2.5e3,{\"b\":null}],\"c\":\"\\\"x\",\"d\":{\"e\":[true,[]]}}"
            .getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = whole.clone();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] =
            (byte) "{}[]\",:0e-.\\u ta1".charAt(random.nextInt(17));
      }
      assertThat(JsonOracle.ours(damaged))
          .as("%s (-Drowan.seed=%d)", new String(damaged, StandardCharsets.UTF_8), seed)
          .isEqualTo(JsonOracle.theirs(damaged));
    }
  }

  @Test
  void passesWhatPythonWritesForNumbersThatAreNone() {
    JsonReader json = reader("{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity,\"d\":5}");

    json.enterObject("x");
    long last = 0;
    while (json.nextName()) {
      json.nextValue();
      last = json.isWhole() ? json.whole("x") : last;
    }
    json.end();
    assertThat(last).isEqualTo(5);
  }

  @Test
  void skipsWithoutDescending() {
    JsonReader json = reader("{\"a\":{\"x\":[1,\"]}\\\"\",{}]},\"b\":[[[]]],\"c\":\"s\"}");

    json.enterObject("x");
    StringBuilder names = new StringBuilder();
    while (json.nextName()) {
      names.append(json.name());
      json.nextValue();
      json.skip();
    }
    json.end();
    assertThat(names).hasToString("abc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":[}]", "{\"a\":{\"b\":[1,2}}", "{\"a\":[[\"x]]", "{\"a\":["})
  void refusesBrokenTextEvenWhereItSkips(String text) {
    JsonReader json = reader(text);
    json.enterObject("x");
    json.nextName();
    json.nextValue();

    assertThatThrownBy(json::skip).isInstanceOf(FormatException.class);
  }

  @Test
  void readsStringsAcrossWindows() {
    String text = "é".repeat(40_000) + "\n" + "x".repeat(70_000) + "😀";
    JsonReader json = reader("[" + " ".repeat(65_530) + "\"" + text.replace("\n", "\\n") + "\",7]");

    json.nextValue();
    json.nextValue();
    assertThat(json.text("it")).isEqualTo(text);
    json.nextValue();
    assertThat(json.whole("it")).isEqualTo(7);
  }
}

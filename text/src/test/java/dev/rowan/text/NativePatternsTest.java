package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativePatternsTest {
  @TempDir Path folder;

  private Path with(String pattern) throws IOException {
    String quoted = pattern.replace("\\", "\\\\").replace("\"", "\\\"");
    return Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"normalizer":{"type":"Replace","pattern":{"String":"x"},"content":"y"},
         "pre_tokenizer":{"type":"Sequence","pretokenizers":[
          {"type":"Split","pattern":{"Regex":"%s"},"behavior":"Isolated"}]},
         "model":{"vocab":{"(a+)+":0}}}\
        """
            .formatted(quoted));
  }

  /** The first two ended the process, on 42 letters and at once. */
  @ParameterizedTest
  @ValueSource(
      strings = {"(a+)+$", "(?:x|(?:[ab]*))*b", "(\\w{2,}\\s?){1,}!", "((a)|b+)*c", "(?=(a+)+)"})
  void refusesWhatRepeatsWhatRepeats(String pattern) throws IOException {
    Path file = with(pattern);
    assertThatThrownBy(() -> NativePatterns.refuse(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("repeats what itself repeats");
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 5_000})
  void refusesDeepNesting(int depth) throws IOException {
    Path file = with("(".repeat(depth) + "a" + ")".repeat(depth));
    assertThatThrownBy(() -> NativePatterns.refuse(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("nests groups deeper than 100");
  }

  /** The patterns of GPT-2, Llama 3, GPT-4o, CLIP and BLOOM, and what only looks alike. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
        "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}",
        "<\\|startoftext\\|>|<\\|endoftext\\|>|'s|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+",
        " ?[^(\\s|[.,!?…。，、।۔،])]+",
        "(ab)+c+",
        "(a++)+",
        "[(a+)]+",
        "(a{1,3})+",
        "\\(a+\\)+",
        "(a+)?(b+)"
      })
  void letsPassWhatTokenizersHave(String pattern) throws IOException {
    Path file = with(pattern);
    assertThatCode(() -> NativePatterns.refuse(file)).doesNotThrowAnyException();
  }
}

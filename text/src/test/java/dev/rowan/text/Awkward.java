package dev.rowan.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Awkward strings, and what reference implementations make of them: resources made by {@code
 * src/test/python/make_tokenizer_fixtures.py} with the Python packages tokenizers 0.23.3,
 * sentencepiece 0.2.3, tiktoken 0.14.0 and regex 2026.5.9.
 */
final class Awkward {
  private Awkward() {}

  /** Returns the strings. */
  static List<String> strings() throws IOException {
    return lines("strings.txt").stream().map(Awkward::unescaped).toList();
  }

  /** Returns a list of numbers for each string. */
  static List<long[]> numbers(String resource) throws IOException {
    return lines(resource).stream()
        .map(line -> line.isEmpty() ? new String[0] : line.split(" "))
        .map(row -> Arrays.stream(row).mapToLong(Long::parseLong).toArray())
        .toList();
  }

  /** Writes a resource to a folder, under the last part of its name. */
  static Path write(Path folder, String resource) throws IOException {
    return Files.write(
        folder.resolve(resource.substring(resource.lastIndexOf('/') + 1)), bytes(resource));
  }

  private static List<String> lines(String resource) throws IOException {
    String all = new String(bytes(resource), StandardCharsets.US_ASCII);
    List<String> lines = Arrays.asList(all.split("\n", -1));
    return lines.subList(0, lines.size() - 1); // behind the last line end there is nothing
  }

  private static byte[] bytes(String resource) throws IOException {
    try (InputStream in = Awkward.class.getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      return in.readAllBytes();
    }
  }

  static String unescaped(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == '\\') {
        text.append((char) Integer.parseInt(line.substring(i + 2, i + 6), 16));
        i += 5;
      } else {
        text.append(line.charAt(i));
      }
    }
    return text.toString();
  }
}

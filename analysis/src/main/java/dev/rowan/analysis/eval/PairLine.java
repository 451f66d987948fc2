package dev.rowan.analysis.eval;

import dev.rowan.analysis.eval.TestSet.Pair;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Lines of word-pair files. */
final class PairLine {
  // Python's float(): digits may be grouped by single underscores; no suffix, no hexadecimal
  private static final Pattern NUMBER =
      Pattern.compile(
          "[+-]?((\\d+(_\\d+)*)(\\.(\\d+(_\\d+)*)?)?|\\.\\d+(_\\d+)*)([eE][+-]?\\d+(_\\d+)*)?");

  private PairLine() {}

  /** Returns a number as Python's {@code float()} reads it. */
  static OptionalDouble number(String text) {
    String trimmed = text.strip();
    if (NUMBER.matcher(trimmed).matches()) {
      return OptionalDouble.of(Double.parseDouble(trimmed.replace("_", "")));
    }
    return switch (trimmed.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> OptionalDouble.of(Double.NaN);
      case "inf", "+inf", "infinity", "+infinity" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
      default -> OptionalDouble.empty();
    };
  }

  /** Reads a line as gensim does: exactly two words and a number, nothing trimmed. */
  static Optional<Pair> strictly(String line, char separator) {
    String[] fields = line.split(Pattern.quote(String.valueOf(separator)), -1);
    if (fields.length != 3) {
      return Optional.empty();
    }
    OptionalDouble score = number(fields[2]);
    return score.isPresent()
        ? Optional.of(new Pair(fields[0], fields[1], score.getAsDouble()))
        : Optional.empty();
  }

  /**
   * Reads a line with any of the usual separators: two words, and the first number after them. So
   * SimLex's own file, whose third column is a part of speech, is read too.
   */
  static Optional<Pair> freely(String line, OptionalInt separator) {
    List<String> fields = fields(line, separator);
    for (int i = 2; i < fields.size(); i++) {
      OptionalDouble score = number(fields.get(i));
      if (score.isPresent() && Double.isFinite(score.getAsDouble())) {
        return fields.get(0).isEmpty() || fields.get(1).isEmpty()
            ? Optional.empty()
            : Optional.of(new Pair(fields.get(0), fields.get(1), score.getAsDouble()));
      }
    }
    return Optional.empty();
  }

  /** Returns the fields of a line: at tabs, else at semicolons, commas, white space. */
  static List<String> fields(String line, OptionalInt separator) {
    if (separator.isPresent()) {
      return split(line, (char) separator.getAsInt());
    }
    for (char candidate : new char[] {'\t', ';', ','}) {
      if (line.indexOf(candidate) >= 0) {
        return split(line, candidate);
      }
    }
    return TextLines.fields(line);
  }

  private static List<String> split(String line, char separator) {
    return Arrays.stream(line.split(Pattern.quote(String.valueOf(separator)), -1))
        .map(String::strip)
        .map(f -> f.length() > 1 && f.startsWith("\"") && f.endsWith("\"") ? unquoted(f) : f)
        .toList();
  }

  private static String unquoted(String field) {
    return field.substring(1, field.length() - 1).strip();
  }
}

package dev.rowan.formats.write;

import dev.rowan.core.Counted;
import dev.rowan.core.Spelling;
import dev.rowan.formats.gguf.PhantomSpaces;
import dev.rowan.formats.lines.Words;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a format asks of tokens, looked at before anything is written: a file whose tokens would not
 * come back as they are is refused.
 */
final class TokenRules {
  private TokenRules() {}

  /** A rule for one token: the reason why it cannot be written, or null. */
  private interface Rule {
    @Nullable String broken(byte[] token);
  }

  /**
   * Checks all tokens.
   *
   * @throws IllegalArgumentException if one cannot be written; the message names the first
   */
  static void check(Source source, TargetFormat target) {
    switch (target) {
      case NPY -> {}
      case WORD2VEC_TEXT, WORD2VEC_BINARY -> checkAll(source, target, TokenRules::word2vec);
      case GLOVE_TEXT -> {
        checkAll(source, target, TokenRules::line);
        checkSpaces(source);
        checkBeginning(source, target);
      }
      case PROJECTOR -> {
        checkAll(source, target, TokenRules::label);
        checkBeginning(source, target);
      }
      case TSV -> checkSome(source, target, notEmpty(TokenRules::column));
      case CSV -> checkSome(source, target, notEmpty(TokenRules::utf8));
      case NPZ -> checkSome(source, target, TokenRules::numpy);
      case SAFETENSORS_FILE -> checkSome(source, target, notEmpty(_ -> null));
      case GGUF -> checkPhantomSpaces(source);
      case SAFETENSORS, MODEL2VEC -> {} // see TokenizerOut
    }
    if (source.tokensWithoutRow() > 0) {
      source.note(
          Counted.of(
              source.tokensWithoutRow(),
              "id beyond the last row has no row and was left out",
              "ids beyond the last row have no row and were left out"));
    }
  }

  /** Where an empty token stands for a row that has none, a token must not be empty. */
  private static Rule notEmpty(Rule rule) {
    return token -> token.length == 0 ? "is empty" : rule.broken(token);
  }

  private static void checkAll(Source source, TargetFormat target, Rule rule) {
    if (!source.hasTokens()) {
      throw new IllegalArgumentException(
          "%s needs a token for each row, and this model has no vocabulary; name its tokenizer file"
              .formatted(target.label()));
    }
    for (long row = 0; row < source.rows(); row++) {
      if (source.token(row) == null) {
        throw new IllegalArgumentException(
            "row %d has no token, and %s needs one for each row; leave out the rows without a token (--with-token)"
                .formatted(source.id(row), target.label()));
      }
    }
    checkSome(source, target, rule);
    noteDuplicates(source, target);
  }

  private static void checkSome(Source source, TargetFormat target, Rule rule) {
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      String broken = token == null ? null : rule.broken(token);
      if (token != null && broken != null) {
        throw new IllegalArgumentException(
            "the token \"%s\" of row %d %s, so it would not come back from %s; choose another format"
                .formatted(shown(token), source.id(row), broken, target.label()));
      }
    }
  }

  /** Of BERT's tokens, {@code ##[x]} and special ones with a phantom space would be mistaken. */
  private static void checkPhantomSpaces(Source source) {
    if (!source.hasTokens() || source.vocabulary().spelling() != Spelling.WORDPIECE) {
      return;
    }
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      boolean special = source.isAdded(row);
      if (token != null
          && !Arrays.equals(
              token, PhantomSpaces.read(PhantomSpaces.write(token, special), special))) {
        throw new IllegalArgumentException(
            "the token \"%s\" of row %d would not come back from the way in which GGUF spells WordPiece; choose another format"
                .formatted(shown(token), source.id(row)));
      }
    }
  }

  private static void noteDuplicates(Source source, TargetFormat target) {
    long repeated = 0;
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null && source.vocabulary().id(token).orElseThrow() != source.id(row)) {
        repeated++;
      }
    }
    if (repeated > 0) {
      source.note(
          "%s a token; readers of %s that keep one row a word drop them"
              .formatted(Counted.of(repeated, "row repeats", "rows repeat"), target.label()));
    }
  }

  private static @Nullable String word2vec(byte[] token) {
    return contains(token, ' ') ? "holds a space" : line(token);
  }

  private static @Nullable String line(byte[] token) {
    if (token.length == 0) {
      return "is empty";
    }
    return contains(token, '\n') ? "holds a line break" : null;
  }

  private static @Nullable String column(byte[] token) {
    if (contains(token, '\t')) {
      return "holds a tab";
    }
    return contains(token, '\r') ? "holds a carriage return" : line(token);
  }

  /** TensorBoard passes over lines of white space, as JavaScript's trim knows it. */
  private static @Nullable String label(byte[] token) {
    boolean blank =
        text(token)
            .codePoints()
            .allMatch(c ->
                c <= ' ' || c == 0xFEFF || Character.isSpaceChar(c) || Character.isWhitespace(c));
    return blank && token.length > 0
        ? "is white space alone, which TensorBoard passes over"
        : column(token);
  }

  /** What begins a file must not be taken for its mark. */
  private static void checkBeginning(Source source, TargetFormat target) {
    byte[] first = source.token(0);
    if (first != null && text(first).startsWith("\uFEFF")) {
      throw new IllegalArgumentException(
          "the token of row %d begins with a byte order mark, which readers take off the beginning of %s; choose another format"
              .formatted(source.id(0), target.label()));
    }
  }

  private static @Nullable String utf8(byte[] token) {
    return Words.isUtf8(token) ? null : "is not UTF-8";
  }

  private static @Nullable String numpy(byte[] token) {
    if (token.length > 0 && token[token.length - 1] == 0) {
      return "ends in a zero character, which NumPy drops";
    }
    return utf8(token);
  }

  /** Without a header the width is told by most lines, so words must not look like numbers. */
  private static void checkSpaces(Source source) {
    Map<Integer, Long> tails = new HashMap<>();
    for (long row = 0; row < source.rows(); row++) {
      tails.merge(numbersAtEnd(latin(source.token(row))), 1L, Long::sum);
    }
    long plain = tails.getOrDefault(0, 0L);
    if (plain * 2 <= source.rows() && tails.size() > 1) {
      throw new IllegalArgumentException(
          "most tokens end in a space and a number, so GloVe text, which has no header, would not"
              + " tell where the rows' own numbers start; choose word2vec text");
    }
  }

  private static String text(byte[] token) {
    return new String(token, StandardCharsets.UTF_8);
  }

  private static String latin(byte @Nullable [] token) {
    return token == null ? "" : new String(token, StandardCharsets.ISO_8859_1);
  }

  private static int numbersAtEnd(String token) {
    String[] parts = token.split(" ", -1);
    int count = 0;
    while (count < parts.length - 1 && isNumber(parts[parts.length - 1 - count])) {
      count++;
    }
    return count;
  }

  private static boolean isNumber(String text) {
    return text.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?|[-+]?(?i:nan|inf|infinity)");
  }

  private static boolean contains(byte[] token, char character) {
    for (byte b : token) {
      if (b == character) {
        return true;
      }
    }
    return false;
  }

  private static String shown(byte[] token) {
    return new String(token, StandardCharsets.UTF_8).replace("\n", "\\n").replace("\t", "\\t");
  }

  /** Returns the first token that two rows have, if any do. */
  static Optional<String> firstRepeated(Source source) {
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null && source.vocabulary().id(token).orElseThrow() != source.id(row)) {
        return Optional.of(
            "\"%s\" of rows %d and %d"
                .formatted(
                    shown(token), source.vocabulary().id(token).orElseThrow(), source.id(row)));
      }
    }
    return Optional.empty();
  }
}

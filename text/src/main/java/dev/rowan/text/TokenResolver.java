package dev.rowan.text;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Resolution.Candidate;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Resolution.Unknown;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the one token that a typed word means.
 *
 * <p>In this order: {@code #ID} is a row, whatever tokens are spelled like that, which are listed;
 * a word with a space (or the vocabulary's mark for one) in front is exactly that token; then the
 * form with a space before it where the vocabulary spells spaces, since that is what a word is in
 * running text; then the form without; then the string as the vocabulary stores it; then other
 * cases; then the word without accents; then the form inside a word. {@code " can"} and {@code
 * "can"} are different rows of GPT-2 (460 and 5171), so the result names the form that was used and
 * lists the others.
 *
 * <p>A word that is several tokens is never cut down to its first: the result carries the pieces.
 *
 * <p>Safe for any number of threads if the tokenizer source is.
 */
public final class TokenResolver {
  private static final int SUGGESTIONS = 4;

  private final Optional<Vocabulary> vocabulary;
  private final long rows;
  private final TokenizerSource tokenizer;

  private TokenResolver(Optional<Vocabulary> vocabulary, long rows, TokenizerSource tokenizer) {
    this.vocabulary = vocabulary;
    this.rows = rows;
    this.tokenizer = tokenizer;
  }

  /** Gives a tokenizer when a word has to be split, and not before: opening one is slow. */
  @FunctionalInterface
  public interface TokenizerSource {
    /** Returns the tokenizer of the model; empty if there is none that can be run. */
    Optional<Tokenizer> open() throws IOException;

    /** Returns a source without a tokenizer. */
    static TokenizerSource none() {
      return Optional::empty;
    }
  }

  /**
   * Returns a resolver.
   *
   * @param vocabulary the tokens; without one, only {@code #ID} is understood
   * @param rows how many rows the table has; a token beyond them is no answer
   * @param tokenizer splits words that are no token
   */
  public static TokenResolver of(
      Optional<Vocabulary> vocabulary, long rows, TokenizerSource tokenizer) {
    return new TokenResolver(vocabulary, rows, tokenizer);
  }

  /**
   * Returns what a typed word means.
   *
   * @throws IOException if the tokenizer is needed and cannot be read
   */
  public Resolution resolve(String typed) throws IOException {
    if (typed.length() > 1 && typed.charAt(0) == '#' && isDigits(typed, 1)) {
      return byId(typed);
    }
    if (vocabulary.isEmpty()) {
      return new Unknown(
          typed, "this file has no vocabulary, so rows are named #0 to #" + (rows - 1), List.of());
    }
    List<Candidate> spelled = Spellings.candidates(vocabulary.get(), typed);
    List<Candidate> found = spelled.stream().filter(candidate -> candidate.id() < rows).toList();
    if (found.isEmpty() && !spelled.isEmpty()) {
      return new Unknown(
          typed,
          "it is token #%d, but the table ends at row #%d"
              .formatted(spelled.getFirst().id(), rows - 1),
          List.of());
    }
    if (found.isEmpty()) {
      return split(vocabulary.get(), typed);
    }
    return new Single(typed, found.getFirst(), found.subList(1, found.size()));
  }

  private Resolution byId(String typed) {
    String digits = typed.substring(1);
    // 18 digits always fit in a long
    long id = digits.length() <= 18 ? Long.parseLong(digits) : Long.MAX_VALUE;
    if (id >= rows) {
      String reason =
          String.format(
              Locale.ROOT, "the table has %,d rows, #0 to #%d", rows, Math.max(0, rows - 1));
      String tokens =
          spelledLikeIds(typed, id).stream()
              .map(token -> "; the token that is spelled like that is #" + token.id())
              .collect(Collectors.joining());
      return new Unknown(typed, reason + tokens, List.of());
    }
    return new Single(typed, new Candidate(id, Form.ID), spelledLikeIds(typed, id));
  }

  /** Returns the tokens that a word can mean whose spelling is that of another row's id. */
  private List<Candidate> spelledLikeIds(String typed, long id) {
    return vocabulary.stream()
        .flatMap(known -> Spellings.candidates(known, typed).stream())
        .filter(token -> token.form() != Form.CONTINUATION && token.id() != id && token.id() < rows)
        .toList();
  }

  private Resolution split(Vocabulary known, String typed) throws IOException {
    List<Long> nearest = NearSpellings.of(known, typed, SUGGESTIONS);
    if (typed.isBlank()) {
      return new Unknown(typed, "it is blank", List.of());
    }
    Optional<Tokenizer> splitter = tokenizer.open();
    if (splitter.isEmpty()) {
      return new Unknown(typed, "the vocabulary has no such token", nearest);
    }
    List<Long> pieces =
        Arrays.stream(splitter.get().encode(inRunningText(known, typed))).boxed().toList();
    long unknown = splitter.get().unknown(known).orElse(-1);
    if (pieces.isEmpty()
        || pieces.stream()
            .anyMatch(id -> id < 0 || id >= rows || id == unknown || isUnknownToken(known, id))) {
      boolean words = known.spelling() == Spelling.PLAIN;
      return new Unknown(
          typed,
          words
              ? "the vocabulary has no such word"
              : "the tokenizer cannot write it with its tokens",
          nearest);
    }
    if (pieces.size() == 1) {
      return new Single(typed, new Candidate(pieces.getFirst(), Form.ENCODED), List.of());
    }
    return new Several(typed, pieces, nearest);
  }

  /** Byte-level tokenizers tell a word by the space before it; the others put their mark in. */
  private static String inRunningText(Vocabulary known, String typed) {
    return switch (known.spelling()) {
      case BYTE_LEVEL -> typed.startsWith(" ") ? typed : " " + typed;
      case WORDPIECE, SENTENCEPIECE, PLAIN -> typed;
    };
  }

  private static boolean isUnknownToken(Vocabulary known, long id) {
    if (!known.has(id)) {
      return true;
    }
    String stored = known.stored(id);
    return stored.equals("[UNK]") || stored.equals("<unk>");
  }

  private static boolean isDigits(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}

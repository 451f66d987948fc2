package dev.rowan.analysis.audit;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The class of each row's token.
 *
 * <p>A token is encoded alone, then behind a guard: a rare one-letter token that keeps to itself.
 * That way tokenizers that put a space in front of a text, and tokens that only continue a word,
 * are tried under their own conditions.
 *
 * <p>Immutable; safe for any number of threads.
 */
public final class TokenClasses {
  private static final int CHUNK = 512;
  private static final int MOST_GUARDS = 3;

  private final TokenClass[] classes;

  private TokenClasses(TokenClass[] classes) {
    this.classes = classes;
  }

  /**
   * Sorts the tokens into classes.
   *
   * @param vocabulary the tokens, if there are any
   * @param rows how many rows the table has
   * @param encoder encodes text; without it nothing is known of reachability
   */
  static TokenClasses of(
      Optional<Vocabulary> vocabulary, int rows, Optional<Encoder> encoder, Workers workers) {
    TokenClass[] classes = new TokenClass[rows];
    Arrays.fill(classes, vocabulary.isPresent() ? TokenClass.NONE : TokenClass.UNTESTED);
    vocabulary.ifPresent(known -> {
      TokenText text = new TokenText(known);
      List<Guard> guards = encoder.map(e -> guards(known, e)).orElse(List.of());
      int count = Math.min(rows, known.size());
      workers.run(
          Math.ceilDiv(count, CHUNK),
          () ->
              chunk -> {
                int end = (int) Math.min(count, (chunk + 1) * CHUNK);
                for (int id = (int) chunk * CHUNK; id < end; id++) {
                  if (known.has(id)) {
                    classes[id] = classify(known, text, encoder, guards, id);
                  }
                }
              });
    });
    return new TokenClasses(classes);
  }

  /** Returns the class of a row's token. */
  public TokenClass of(long id) {
    return classes[(int) id];
  }

  /** Returns how many rows have a token of a class. */
  public long count(TokenClass wanted) {
    return Arrays.stream(classes).filter(c -> c == wanted).count();
  }

  private static TokenClass classify(
      Vocabulary vocabulary,
      TokenText texts,
      Optional<Encoder> encoder,
      List<Guard> guards,
      int id) {
    boolean marker = vocabulary.isAdded(id) || texts.isMarker(id);
    Optional<String> text = texts.text(id);
    if (text.isEmpty()) {
      return TokenClass.UNDECODABLE;
    }
    if (vocabulary.isAdded(id)) {
      return TokenClass.SPECIAL;
    }
    if (encoder.isEmpty()) {
      return marker ? TokenClass.SPECIAL : TokenClass.UNTESTED;
    }
    if (isReached(vocabulary, encoder.get(), guards, text.get(), id)) {
      return TokenClass.REACHABLE;
    }
    if (marker) {
      return TokenClass.SPECIAL;
    }
    return text.get().indexOf('\uFFFD') >= 0 ? TokenClass.UNDECODABLE : TokenClass.UNREACHABLE;
  }

  private static boolean isReached(
      Vocabulary vocabulary, Encoder encoder, List<Guard> guards, String text, int id) {
    boolean continues = vocabulary.spelling() == Spelling.WORDPIECE && text.startsWith("##");
    if (!continues) {
      long[] ids = encoder.encode(text);
      if (ids.length == 1 && ids[0] == id) {
        return true;
      }
      if (vocabulary.spelling() == Spelling.WORDPIECE) {
        return false;
      }
    }
    String rest = continues ? text.substring(2) : text;
    for (Guard guard : guards) {
      if (guard.isFollowedBy(encoder, rest, id)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A text of one token that stays that token whatever follows.
   *
   * @param ids what it encodes to
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Guard(String text, long[] ids) {
    boolean isFollowedBy(Encoder encoder, String rest, int id) {
      long[] all = encoder.encode(text + rest);
      return all.length == ids.length + 1
          && all[ids.length] == id
          && Arrays.equals(all, 0, ids.length, ids, 0, ids.length);
    }
  }

  /** Finds guards: letters or marks that few tokens begin with, so that little can join them. */
  private static List<Guard> guards(Vocabulary vocabulary, Encoder encoder) {
    int[] begins = new int[0x3000];
    TokenText texts = new TokenText(vocabulary);
    List<Integer> letters = new ArrayList<>();
    for (int id = 0; id < vocabulary.size(); id++) {
      String text = vocabulary.has(id) ? texts.text(id).orElse("") : "";
      if (text.isEmpty() || text.codePointAt(0) >= begins.length) {
        continue;
      }
      int first = text.codePointAt(0);
      begins[first]++;
      boolean single = text.length() == 1 && !vocabulary.isAdded(id);
      if (single && (Character.isLetter(first) || first == '«' || first == '»')) {
        letters.add(first);
      }
    }
    List<Guard> guards = new ArrayList<>();
    for (int letter : byRarity(letters, begins)) {
      String text = Character.toString(letter);
      long[] ids = encoder.encode(text);
      // one id, or a space that the tokenizer puts in front and the letter
      boolean whole =
          ids.length >= 1
              && ids.length <= 2
              && vocabulary.has(ids[ids.length - 1])
              && texts.text(ids[ids.length - 1]).orElse("").endsWith(text);
      if (whole && guards.size() < MOST_GUARDS) {
        guards.add(new Guard(text, ids));
      }
    }
    return guards;
  }

  private static List<Integer> byRarity(List<Integer> letters, int[] begins) {
    return letters.stream()
        .distinct()
        .sorted((a, b) -> begins[a] != begins[b] ? begins[a] - begins[b] : a - b)
        .limit(64)
        .toList();
  }
}

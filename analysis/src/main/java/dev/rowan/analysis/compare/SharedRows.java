package dev.rowan.analysis.compare;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tokens of two lexicons by their text: which both have, and which only one.
 *
 * <p>Of tokens with the same text the lowest id counts, on each side. Two lexicons without a
 * vocabulary share their ids.
 *
 * @param first ids of the first lexicon's shared rows, ascending
 * @param second the id of the same token in the second, place by place
 * @param missing how many tokens only the first has
 * @param added how many tokens only the second has
 * @param missingIds the first of them, by id
 * @param addedIds the first of them, by id
 */
@SuppressWarnings("ArrayRecordComponent") // carries ids to the comparison, never compared
public record SharedRows(
    long[] first,
    long[] second,
    long missing,
    long added,
    List<Long> missingIds,
    List<Long> addedIds) {
  /** How many of the tokens that only one side has are named. */
  public static final int NAMED = 20;

  /** Copies the lists. */
  public SharedRows {
    missingIds = List.copyOf(missingIds);
    addedIds = List.copyOf(addedIds);
  }

  /**
   * Finds the tokens that two lexicons share.
   *
   * @param a a lexicon and {@code tableOfA}, one of its tables
   * @param b a lexicon and {@code tableOfB}, one of its tables
   * @throws IllegalArgumentException if only one of them has a vocabulary
   */
  public static SharedRows of(Lexicon a, Table tableOfA, Lexicon b, Table tableOfB) {
    if (a.vocabulary().isEmpty() && b.vocabulary().isEmpty()) {
      return byId(tableOfA.rows(), tableOfB.rows());
    }
    if (a.vocabulary().isEmpty() || b.vocabulary().isEmpty()) {
      throw new IllegalArgumentException(
          "the %s model has no vocabulary, so its rows cannot be matched by their tokens"
              .formatted(a.vocabulary().isEmpty() ? "first" : "second"));
    }
    Map<String, Long> inA = tokens(a.vocabulary().get(), tableOfA, b.vocabulary().get());
    Map<String, Long> inB = tokens(b.vocabulary().get(), tableOfB, a.vocabulary().get());
    List<Long> missingIds = new ArrayList<>();
    long[][] pairs = new long[Math.min(inA.size(), inB.size())][];
    int shared = 0;
    for (Map.Entry<String, Long> token : inA.entrySet()) {
      Long other = inB.get(token.getKey());
      if (other == null) {
        missingIds.add(token.getValue());
      } else {
        pairs[shared++] = new long[] {token.getValue(), other};
      }
    }
    pairs = Arrays.copyOf(pairs, shared);
    Arrays.sort(pairs, (x, y) -> Long.compare(x[0], y[0]));
    List<Long> addedIds = new ArrayList<>();
    inB.forEach((token, id) -> {
      if (!inA.containsKey(token)) {
        addedIds.add(id);
      }
    });
    return new SharedRows(
        Arrays.stream(pairs).mapToLong(pair -> pair[0]).toArray(),
        Arrays.stream(pairs).mapToLong(pair -> pair[1]).toArray(),
        missingIds.size(),
        addedIds.size(),
        missingIds.stream().sorted().limit(NAMED).toList(),
        addedIds.stream().sorted().limit(NAMED).toList());
  }

  private static SharedRows byId(long rowsOfA, long rowsOfB) {
    long shared = Math.min(rowsOfA, rowsOfB);
    if (shared > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d rows are too many to compare at once".formatted(shared));
    }
    long[] ids = new long[(int) shared];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = i;
    }
    return new SharedRows(
        ids,
        ids.clone(),
        rowsOfA - shared,
        rowsOfB - shared,
        range(shared, rowsOfA),
        range(shared, rowsOfB));
  }

  private static List<Long> range(long from, long to) {
    List<Long> ids = new ArrayList<>();
    for (long id = from; id < Math.min(to, from + NAMED); id++) {
      ids.add(id);
    }
    return ids;
  }

  /**
   * Returns tokens by what they say. Byte-level and SentencePiece vocabularies mark a leading space
   * each in its own way; here it is a space, so that the two can be matched. WordPiece marks the
   * opposite, pieces that continue a word; beside one that marks spaces it is spelled like that.
   * Bytes that are not text keep their own identity.
   */
  private static Map<String, Long> tokens(Vocabulary vocabulary, Table table, Vocabulary other) {
    Map<String, Long> tokens = new HashMap<>();
    boolean turned = vocabulary.spelling() == Spelling.WORDPIECE && marksSpaces(other);
    long end = Math.min(table.rows(), vocabulary.size());
    for (long id = 0; id < end; id++) {
      if (vocabulary.has(id)) {
        String text = vocabulary.text(id);
        String key =
            text.indexOf('\uFFFD') < 0
                ? (turned ? spaced(text) : text.replace('\u2581', ' '))
                : "\u0000" + new String(vocabulary.bytes(id), StandardCharsets.ISO_8859_1);
        tokens.putIfAbsent(key, id);
      }
    }
    return tokens;
  }

  private static boolean marksSpaces(Vocabulary vocabulary) {
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL, SENTENCEPIECE -> true;
      case WORDPIECE, PLAIN -> false;
    };
  }

  private static String spaced(String token) {
    if (token.startsWith("##") && token.length() > 2) {
      return token.substring(2);
    }
    return token.startsWith("[") && token.endsWith("]") ? token : " " + token; // [CLS] is no word
  }
}

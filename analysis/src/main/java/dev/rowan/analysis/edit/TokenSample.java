package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Splits the texts of some tokens with the tokenizer that was and the one that is. */
final class TokenSample {
  private TokenSample() {}

  /**
   * Compares; texts that hold a new token, or whose tokens are not all there any more, are passed
   * over.
   *
   * @return how many were compared
   * @throws IllegalStateException if a text is split differently
   */
  static int compare(
      Reference reference,
      List<AddedToken> addedTokens,
      TextSplitter before,
      TextSplitter after,
      int most) {
    Vocabulary vocabulary = reference.vocabulary();
    List<String> added = lower(addedTokens);
    int step = Math.max(1, vocabulary.size() / most);
    int compared = 0;
    for (int id = 0; id < vocabulary.size(); id += step) {
      if (!vocabulary.has(id) || reference.newId().applyAsLong(id) < 0) {
        continue;
      }
      String text = vocabulary.text(id);
      if (holdsOne(added, text)) {
        continue;
      }
      long[] expected = Arrays.stream(before.split(text)).map(reference.newId()).toArray();
      if (Arrays.stream(expected).anyMatch(newId -> newId < 0)) {
        continue;
      }
      if (!Arrays.equals(expected, after.split(text))) {
        throw new IllegalStateException(
            "the result is not what was planned: \"%s\" is split differently".formatted(text));
      }
      compared++;
    }
    return compared;
  }

  static List<String> lower(List<AddedToken> added) {
    return added.stream().map(t -> t.token().text().toLowerCase(Locale.ROOT).strip()).toList();
  }

  /** Returns whether a text holds a new token, as written or after a normalisation of case. */
  static boolean holdsOne(List<String> lowerTokens, String text) {
    return lowerTokens.stream().anyMatch(text.toLowerCase(Locale.ROOT)::contains);
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.EditPlan.Parts;
import dev.rowan.core.Vocabulary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Splits the texts of some old tokens with the old tokenizer and the new. */
final class TokenSample {
  private TokenSample() {}

  /**
   * Compares; texts that hold a new token are passed over.
   *
   * @return how many were compared
   * @throws IllegalStateException if a text is split differently
   */
  static int compare(Parts parts, TextSplitter before, TextSplitter after, int most) {
    Vocabulary vocabulary = parts.model().vocabulary().orElseThrow();
    List<String> added =
        parts.added().stream().map(t -> t.token().text().toLowerCase(Locale.ROOT).strip()).toList();
    int step = Math.max(1, vocabulary.size() / most);
    int compared = 0;
    for (int id = 0; id < vocabulary.size(); id += step) {
      if (!vocabulary.has(id)) {
        continue;
      }
      String text = vocabulary.text(id);
      String lower = text.toLowerCase(Locale.ROOT);
      if (added.stream().anyMatch(lower::contains)) {
        continue;
      }
      long[] old = before.split(text);
      if (!Arrays.equals(old, after.split(text))) {
        throw new IllegalStateException(
            "the result is not what was planned: \"%s\" is split differently".formatted(text));
      }
      compared++;
    }
    return compared;
  }
}

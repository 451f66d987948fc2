package dev.rowan.app.answers;

import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rows that are the same word, told apart only by case or by how the vocabulary marks the place in
 * a word: {@code Cat}, {@code cat}, {@code ␣cat}, {@code ##cat}.
 */
public final class Variants {
  private Variants() {}

  /**
   * A word among the answers.
   *
   * @param hit its best row
   * @param others its other rows that scored above the last word of the answer, best first
   */
  public record Word(Hit hit, List<Hit> others) {
    /** Copies the list. */
    public Word {
      others = List.copyOf(others);
    }
  }

  /** Returns what all variants of a row's word have in common. */
  public static String form(Lexicon lexicon, long id) {
    String text = lexicon.text(id);
    String bare = text.startsWith("##") && text.length() > 2 ? text.substring(2) : text;
    String stripped = bare.replace('\u2581', ' ').strip();
    return (stripped.isEmpty() ? bare : stripped).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the k best words for a point, without the words of the rows that it is about.
   *
   * @param k how many words, 0 or more
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static List<Word> nearest(
      Lexicon lexicon, Search search, Asking.Point point, Metric metric, int k, Scope scope) {
    Query query = point.query();
    Set<String> left =
        point.ids().stream().map(id -> form(lexicon, id)).collect(Collectors.toUnmodifiableSet());
    long rows = search.table().rows();
    for (long most = 4L * k + 16; ; most *= 4) {
      int limit = (int) Math.min(Math.min(most, rows), Integer.MAX_VALUE - 8);
      List<Hit> hits = search.nearest(List.of(query), metric, limit, scope).getFirst();
      Map<String, List<Hit>> words = new LinkedHashMap<>();
      for (Hit hit : hits) {
        String form = form(lexicon, hit.id());
        if (left.contains(form)) {
          continue;
        }
        if (words.size() == k && !words.containsKey(form)) {
          return words(words);
        }
        words.computeIfAbsent(form, _ -> new ArrayList<>()).add(hit);
      }
      if (hits.size() < limit || limit >= rows) {
        return words(words);
      }
    }
  }

  private static List<Word> words(Map<String, List<Hit>> words) {
    return words.values().stream()
        .map(hits -> new Word(hits.getFirst(), hits.subList(1, hits.size())))
        .toList();
  }
}

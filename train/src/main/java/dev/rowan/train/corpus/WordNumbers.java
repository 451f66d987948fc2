package dev.rowan.train.corpus;

import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** From the numbers that workers gave to words to the rows of the table. */
final class WordNumbers {
  static final int NO_ROW = -2;

  private final CountedVocabulary vocabulary;
  private final int[][] rowOf;
  private final List<String> notes;

  /**
   * Puts the parts together.
   *
   * @param vocabulary the words that have a row
   * @param rowOf by worker and its own number: the row, or {@link #NO_ROW}
   * @param notes what a user should know about the words
   */
  WordNumbers(CountedVocabulary vocabulary, int[][] rowOf, List<String> notes) {
    this.vocabulary = vocabulary;
    this.rowOf = rowOf;
    this.notes = List.copyOf(notes);
  }

  CountedVocabulary vocabulary() {
    return vocabulary;
  }

  int[][] rowOf() {
    return rowOf;
  }

  List<String> notes() {
    return notes;
  }

  /** Leaves words out that come too seldom and orders the rest. */
  static WordNumbers of(MergedWords merged, WordRules rules) {
    WordTable all = merged.all();
    int[] rowOfAll = new int[all.size()];
    CountedVocabulary vocabulary;
    if (rules.counted().isPresent()) {
      vocabulary = rules.counted().get();
      for (int w = 0; w < rowOfAll.length; w++) {
        rowOfAll[w] = vocabulary.vocabulary().id(all.word(w)).orElse(NO_ROW);
      }
    } else {
      List<Word> order = order(all, rules);
      vocabulary = counted(all, order);
      Arrays.fill(rowOfAll, NO_ROW);
      for (int row = 0; row < order.size(); row++) {
        rowOfAll[order.get(row).id()] = row;
      }
    }
    if (vocabulary.size() < 2) {
      throw new IllegalArgumentException(tooFew(merged, vocabulary, rules));
    }
    return new WordNumbers(
        vocabulary,
        rows(merged.inAll(), rowOfAll),
        notes(merged, rowOfAll, vocabulary.size(), rules));
  }

  private static String tooFew(MergedWords merged, CountedVocabulary rows, WordRules rules) {
    if (rules.counted().isPresent()) {
      return "the given vocabulary has %s; a table takes two or more".formatted(words(rows.size()));
    }
    String often =
        rules.minCount() == 1 ? "at all" : "%,d times or more".formatted(rules.minCount());
    long distinct = distinct(merged.all());
    return "%s comes %s, and a table takes two or more; the text has %s%s: give more text%s"
        .formatted(
            rows.size() == 0 ? "no word" : "only one word",
            often,
            words(merged.words()),
            distinct < 2 ? "" : ", %,d of them different".formatted(distinct),
            rules.minCount() == 1 ? "" : " or a lower min count");
  }

  private static String words(long count) {
    return count == 1 ? "1 word" : "%,d words".formatted(count);
  }

  /** What words are ordered by, their first 8 bytes as a number. */
  private record Word(int id, long count, long beginning) {}

  private static List<Word> order(WordTable all, WordRules rules) {
    List<Word> kept = new ArrayList<>();
    for (int w = 0; w < all.size(); w++) {
      if (all.count(w) >= rules.minCount()) {
        kept.add(new Word(w, all.count(w), all.beginning(w)));
      }
    }
    kept.sort((a, b) ->
        a.count != b.count
            ? Long.compare(b.count, a.count)
            : a.beginning != b.beginning
                ? Long.compareUnsigned(a.beginning, b.beginning)
                : Arrays.compareUnsigned(all.word(a.id), all.word(b.id)));
    return kept.subList(0, Math.min(kept.size(), rules.maxWords()));
  }

  private static CountedVocabulary counted(WordTable all, List<Word> order) {
    byte[][] words = new byte[order.size()][];
    long[] counts = new long[words.length];
    for (int row = 0; row < words.length; row++) {
      words[row] = all.word(order.get(row).id);
      counts[row] = order.get(row).count;
    }
    return CountedVocabulary.of(words, counts);
  }

  private static int[][] rows(int[][] inAll, int[] rowOfAll) {
    int[][] rowOf = new int[inAll.length][];
    for (int t = 0; t < rowOf.length; t++) {
      rowOf[t] = new int[inAll[t].length];
      for (int w = 0; w < rowOf[t].length; w++) {
        rowOf[t][w] = inAll[t][w] == NO_ROW ? NO_ROW : rowOfAll[inAll[t][w]];
      }
    }
    return rowOf;
  }

  private static List<String> notes(MergedWords merged, int[] rowOfAll, int rows, WordRules rules) {
    WordTable all = merged.all();
    List<String> notes = new ArrayList<>();
    long text = 0; // with phrases for words
    long kept = 0;
    for (int w = 0; w < all.size(); w++) {
      text += all.count(w);
      if (rowOfAll[w] != NO_ROW) {
        kept += all.count(w);
      }
    }
    if (merged.broken() > 0 && rules.broken() == Broken.DROPPED) {
      text += merged.broken();
    }
    notes.add(
        "%,d words, %,d distinct; %,d have a row (%s), which leaves out %.1f %% of the text"
            .formatted(
                text,
                distinct(all),
                rows,
                rules.counted().isPresent()
                    ? "those of the given vocabulary"
                    : "%,d times or more".formatted(rules.minCount()),
                text == 0 ? 0.0 : 100.0 * (text - kept) / text));
    if (merged.broken() > 0) {
      notes.add(
          "%,d words were not UTF-8 and were %s"
              .formatted(
                  merged.broken(),
                  rules.broken() == Broken.DROPPED ? "left out" : "mended with U+FFFD"));
    }
    return notes;
  }

  /** Words that are now parts of phrases everywhere no longer come. */
  private static long distinct(WordTable all) {
    long distinct = 0;
    for (int w = 0; w < all.size(); w++) {
      distinct += all.count(w) > 0 ? 1 : 0;
    }
    return distinct;
  }
}

package dev.rowan.train.corpus;

import dev.rowan.core.Counted;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** From the numbers that workers gave to words to the rows of the table. */
final class WordNumbers {
  static final int NO_ROW = -2;

  /** From so many broken words on, a text of which they are more than a tenth is refused. */
  private static final int LEAST_BROKEN = 10;

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
    checkUtf8(merged.broken(), merged.words(), "word", rules.broken());
    WordTable all = merged.all();
    int[] rowOfAll = new int[all.size()];
    CountedVocabulary vocabulary;
    if (rules.counted().isPresent()) {
      vocabulary = rules.counted().get();
      for (int w = 0; w < rowOfAll.length; w++) {
        rowOfAll[w] = vocabulary.vocabulary().id(all.word(w)).orElse(NO_ROW);
      }
    } else {
      int[] order = WordOrder.of(all, rules.minCount());
      order = Arrays.copyOf(order, Math.min(order.length, rules.maxWords()));
      vocabulary = counted(all, order);
      Arrays.fill(rowOfAll, NO_ROW);
      for (int row = 0; row < order.length; row++) {
        rowOfAll[order[row]] = row;
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

  /** Refuses what is in another encoding, or no text at all, unless broken words are left out. */
  static void checkUtf8(long broken, long all, String what, Broken rule) {
    if (rule == Broken.REPLACED && broken >= LEAST_BROKEN && broken > all / 10) {
      throw new IllegalArgumentException(
          "%,d of %s are not UTF-8, so this is no text, or in another encoding: convert it, as iconv -f latin1 -t utf-8 does, or leave them out (--bad-utf8 drop)"
              .formatted(broken, Counted.of(all, what)));
    }
  }

  private static String tooFew(MergedWords merged, CountedVocabulary rows, WordRules rules) {
    if (rules.counted().isPresent()) {
      return "the given vocabulary has %s; a table takes two or more".formatted(words(rows.size()));
    }
    String often = rules.minCount() == 1 ? "at all" : Counted.times(rules.minCount()) + " or more";
    long distinct = distinct(merged.all());
    boolean dropped = merged.broken() > 0 && rules.broken() == Broken.DROPPED;
    String more =
        dropped
            ? "; %s not UTF-8 and left out (--bad-utf8 drop): convert the text, as iconv -f latin1 -t utf-8 does, or give more text"
                .formatted(Counted.of(merged.broken(), "of them was", "of them were"))
            : ": give more text";
    return "%s comes %s, and a table takes two or more; the text has %s%s%s%s"
        .formatted(
            rows.size() == 0 ? "no word" : "only one word",
            often,
            words(merged.words()),
            distinct < 2 ? "" : ", %,d of them different".formatted(distinct),
            more,
            rules.minCount() == 1 ? "" : " or a lower min count (--min-count)");
  }

  private static String words(long count) {
    return Counted.of(count, "word");
  }

  private static CountedVocabulary counted(WordTable all, int[] order) {
    byte[][] words = new byte[order.length][];
    long[] counts = new long[order.length];
    for (int row = 0; row < order.length; row++) {
      words[row] = all.word(order[row]);
      counts[row] = all.count(order[row]);
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
        "%s, %,d distinct; %s a row (%s), which leaves out %.1f %% of the text"
            .formatted(
                words(text),
                distinct(all),
                Counted.of(rows, "has", "have"),
                why(all, rows, rules),
                text == 0 ? 0.0 : 100.0 * (text - kept) / text));
    if (merged.broken() > 0) {
      notes.add(
          "%s %s"
              .formatted(
                  Counted.of(
                      merged.broken(),
                      "word was not UTF-8 and was",
                      "words were not UTF-8 and were"),
                  rules.broken() == Broken.DROPPED ? "left out" : "mended with U+FFFD"));
    }
    return notes;
  }

  /** Returns why it is these words that have a row. */
  private static String why(WordTable all, int rows, WordRules rules) {
    if (rules.counted().isPresent()) {
      return "those of the given vocabulary";
    }
    long enough = 0;
    for (int w = 0; w < all.size(); w++) {
      enough += all.count(w) >= rules.minCount() ? 1 : 0;
    }
    String often = Counted.times(rules.minCount()) + " or more";
    return rows < enough
        ? "the most frequent, by --max-vocab, of %,d that come %s".formatted(enough, often)
        : often;
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

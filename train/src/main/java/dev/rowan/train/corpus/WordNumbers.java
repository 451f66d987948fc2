package dev.rowan.train.corpus;

import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

  /**
   * Puts the words of all workers together: lower-cased and mended where asked, counted, those that
   * come too seldom left out, the rest ordered.
   */
  static WordNumbers of(List<WordTable> tables, WordRules rules) {
    WordTable all = new WordTable();
    int[][] inAll = new int[tables.size()][];
    long brokenWords = 0;
    long words = 0;
    for (int t = 0; t < inAll.length; t++) {
      WordTable table = tables.get(t);
      inAll[t] = new int[table.size()];
      for (int w = 0; w < table.size(); w++) {
        byte[] spelling = table.word(w);
        boolean whole = isUtf8(spelling);
        brokenWords += whole ? 0 : table.count(w);
        words += table.count(w);
        byte[] kept = normal(spelling, whole, rules);
        inAll[t][w] = kept == null ? NO_ROW : all.add(kept, table.count(w));
      }
    }
    Integer[] order = order(all, rules);
    CountedVocabulary vocabulary = rules.counted().orElseGet(() -> counted(all, order));
    if (vocabulary.size() < 2) {
      throw new IllegalArgumentException(
          "%s; of the %,d words of the corpus, %,d distinct, %d come %,d times or more: give more text"
                  .formatted(
                      vocabulary.size() == 0 ? "no word is left" : "one word alone is left",
                      words,
                      all.size(),
                      vocabulary.size(),
                      rules.minCount())
              + " or a lower min count");
    }
    return new WordNumbers(
        vocabulary,
        rows(inAll, all, vocabulary),
        notes(all, words, brokenWords, vocabulary, rules));
  }

  private static byte @Nullable [] normal(byte[] word, boolean whole, WordRules rules) {
    if (!whole) {
      switch (rules.broken()) {
        case REPLACED -> {}
        case DROPPED -> {
          return null;
        }
        case REFUSED ->
            throw new IllegalArgumentException(
                "the word \"%s\" of the corpus is not UTF-8; convert the text, or let such words be replaced or dropped"
                    .formatted(new String(word, StandardCharsets.UTF_8)));
      }
    }
    boolean plain = rules.letters() == Letters.KEPT || !hasCapital(word);
    if (whole && plain) {
      return word;
    }
    String text = new String(word, StandardCharsets.UTF_8);
    return (plain ? text : text.toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isUtf8(byte[] word) {
    for (byte b : word) {
      if (b < 0) {
        String text = new String(word, StandardCharsets.UTF_8);
        return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), word);
      }
    }
    return true; // ASCII, as nearly always
  }

  private static boolean hasCapital(byte[] word) {
    for (byte b : word) {
      if (b < 0 || (b >= 'A' && b <= 'Z')) {
        return true;
      }
    }
    return false;
  }

  private static Integer[] order(WordTable all, WordRules rules) {
    byte[][] words = new byte[all.size()][];
    List<Integer> kept = new ArrayList<>();
    for (int w = 0; w < all.size(); w++) {
      if (all.count(w) >= rules.minCount()) {
        kept.add(w);
        words[w] = all.word(w);
      }
    }
    kept.sort((a, b) ->
        all.count(a) != all.count(b)
            ? Long.compare(all.count(b), all.count(a))
            : Arrays.compareUnsigned(words[a], words[b]));
    return kept.subList(0, Math.min(kept.size(), rules.maxWords())).toArray(Integer[]::new);
  }

  private static CountedVocabulary counted(WordTable all, Integer[] order) {
    byte[][] words = new byte[order.length][];
    long[] counts = new long[order.length];
    for (int row = 0; row < order.length; row++) {
      words[row] = all.word(order[row]);
      counts[row] = all.count(order[row]);
    }
    return CountedVocabulary.of(words, counts);
  }

  private static int[][] rows(int[][] inAll, WordTable all, CountedVocabulary vocabulary) {
    int[] rowOfAll = new int[all.size()];
    for (int w = 0; w < rowOfAll.length; w++) {
      rowOfAll[w] = vocabulary.vocabulary().id(all.word(w)).orElse(NO_ROW);
    }
    int[][] rowOf = new int[inAll.length][];
    for (int t = 0; t < rowOf.length; t++) {
      rowOf[t] = new int[inAll[t].length];
      for (int w = 0; w < rowOf[t].length; w++) {
        rowOf[t][w] = inAll[t][w] == NO_ROW ? NO_ROW : rowOfAll[inAll[t][w]];
      }
    }
    return rowOf;
  }

  private static List<String> notes(
      WordTable all, long words, long broken, CountedVocabulary vocabulary, WordRules rules) {
    List<String> notes = new ArrayList<>();
    long kept = 0;
    for (int w = 0; w < all.size(); w++) {
      if (vocabulary.vocabulary().id(all.word(w)).isPresent()) {
        kept += all.count(w);
      }
    }
    notes.add(
        "%,d words, %,d distinct; %,d have a row (%s), which leaves out %.1f %% of the text"
            .formatted(
                words,
                all.size(),
                vocabulary.size(),
                rules.counted().isPresent()
                    ? "those of the given vocabulary"
                    : "%,d times or more".formatted(rules.minCount()),
                words == 0 ? 0.0 : 100.0 * (words - kept) / words));
    if (broken > 0) {
      notes.add(
          "%,d words were not UTF-8 and were %s"
              .formatted(
                  broken, rules.broken() == Broken.DROPPED ? "left out" : "mended with U+FFFD"));
    }
    return notes;
  }
}

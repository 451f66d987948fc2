package dev.rowan.train.corpus;

import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words of all workers in one table: lower-cased and mended where asked. */
final class MergedWords {
  private final WordTable all = new WordTable();
  private final int[][] inAll;
  private long words;
  private long broken;

  private MergedWords(int workers) {
    this.inAll = new int[workers][];
  }

  /** Puts the words of all workers together; those that never came are left out. */
  static MergedWords of(List<WordTable> tables, WordRules rules) {
    MergedWords merged = new MergedWords(tables.size());
    for (int t = 0; t < tables.size(); t++) {
      merged.add(t, tables.get(t), rules);
    }
    return merged;
  }

  private void add(int worker, WordTable table, WordRules rules) {
    int[] numbers = new int[table.size()];
    for (int w = 0; w < numbers.length; w++) {
      numbers[w] = WordNumbers.NO_ROW;
      if (table.count(w) > 0) {
        byte[] spelling = table.word(w);
        boolean whole = isUtf8(spelling);
        broken += whole ? 0 : table.count(w);
        words += table.count(w);
        byte[] kept = normal(spelling, whole, rules);
        if (kept != null) {
          numbers[w] = all.add(kept, table.count(w));
        }
      }
    }
    inAll[worker] = numbers;
  }

  /** Returns the words with their counts; phrases are added to them. */
  WordTable all() {
    return all;
  }

  /** Returns by worker and its own number: the number in {@link #all}, or no row. */
  int[][] inAll() {
    return inAll;
  }

  /** Returns how many words the text has, those that were left out too. */
  long words() {
    return words;
  }

  /** Returns how many of them were not UTF-8. */
  long broken() {
    return broken;
  }

  /** Notes that all ids are numbers of {@link #all} from now on. */
  void unify() {
    int[] same = new int[all.size()];
    Arrays.setAll(same, w -> w);
    Arrays.fill(inAll, same);
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
}

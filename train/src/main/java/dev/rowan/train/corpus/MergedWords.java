package dev.rowan.train.corpus;

import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.WordRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words of all workers in one table: lower-cased and mended where asked. */
final class MergedWords {
  private final WordTable all;
  private final int[][] inAll;
  private long words;
  private long broken;

  private MergedWords(WordTable all, int workers) {
    this.all = all;
    this.inAll = new int[workers][];
  }

  /**
   * Puts the words of all workers together, into the first table; those that never came are left
   * out.
   */
  static MergedWords of(List<WordTable> tables, WordRules rules) {
    WordTable all = tables.isEmpty() ? new WordTable() : tables.getFirst();
    MergedWords merged = new MergedWords(all, tables.size());
    for (int t = 0; t < tables.size(); t++) {
      merged.add(t, tables.get(t), rules);
    }
    return merged;
  }

  /** A word that is spelled otherwise in {@link #all}. */
  private static final class Respelled {
    private final int id;
    private final byte[] spelling;
    private final long count;

    Respelled(int id, byte[] spelling, long count) {
      this.id = id;
      this.spelling = spelling;
      this.count = count;
    }
  }

  private void add(int worker, WordTable table, WordRules rules) {
    int[] numbers = new int[table.size()];
    List<Respelled> respelled = new ArrayList<>();
    for (int w = 0; w < numbers.length; w++) {
      long count = table.count(w);
      words += count;
      numbers[w] = WordNumbers.NO_ROW;
      if (count == 0) {
        continue;
      }
      if (rules.letters() == Letters.KEPT ? table.isAscii(w) : table.isPlain(w)) {
        numbers[w] = table == all ? w : all.addShort(table, w);
        continue;
      }
      byte[] spelling = table.word(w);
      boolean whole = isUtf8(spelling);
      broken += whole ? 0 : count;
      byte[] kept = normal(spelling, whole, rules);
      if (table == all && Arrays.equals(kept, spelling)) {
        numbers[w] = w;
      } else if (table == all) {
        all.forget(w);
      }
      if (kept != null && numbers[w] < 0) {
        respelled.add(new Respelled(w, kept, count));
      }
    }
    for (Respelled word : respelled) { // once nothing else is to be forgotten
      numbers[word.id] = all.add(word.spelling, word.count);
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
                "the word \"%s\" of the corpus is not UTF-8; convert the text (iconv), or let such words be replaced or dropped (--bad-utf8)"
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

package dev.rowan.train;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.fasttext.Subwords;
import java.util.Arrays;

/**
 * Which rows make a word: its own and those of its n-grams, behind the rows of the words, by
 * fastText's hash.
 *
 * <p>Immutable and safe for any number of threads.
 */
final class GramRows {
  private final int rows;
  private final int[] starts;
  private final int[] list;
  private int most;

  private GramRows(int rows, int[] starts, int[] list) {
    this.rows = rows;
    this.starts = starts;
    this.list = list;
  }

  /** Looks the n-grams of all words up. */
  static GramRows of(CharacterGrams grams, Vocabulary words) {
    int count = words.size();
    long rows = (long) count + grams.buckets();
    if (rows > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d words and %,d rows for n-grams are too many; use fewer"
              .formatted(count, grams.buckets()));
    }
    Subwords subwords =
        new Subwords(grams.shortest(), grams.longest(), grams.buckets(), count, null);
    int[] starts = new int[count + 1];
    int[] list = new int[Math.max(16, count * 8)];
    int most = 0;
    for (int w = 0; w < count; w++) {
      long[] own = subwords.rows(words.bytes(w));
      int at = starts[w];
      if (list.length - at < own.length + 1) {
        list = Arrays.copyOf(list, Math.max(list.length + own.length + 1, list.length / 2 * 3));
      }
      list[at++] = w;
      for (long row : own) {
        list[at++] = (int) row;
      }
      starts[w + 1] = at;
      most = Math.max(most, at - starts[w]);
    }
    GramRows result = new GramRows((int) rows, starts, list);
    result.most = most;
    return result;
  }

  /** Returns how many rows words and n-grams have together. */
  int rows() {
    return rows;
  }

  /** Returns how many rows the word with the most has. */
  int most() {
    return most;
  }

  /** Returns how many rows make a word. */
  int parts(int word) {
    return starts[word + 1] - starts[word];
  }

  /** Returns one of the rows that make a word. */
  int row(int word, int part) {
    return list[starts[word] + part];
  }

  /**
   * Writes where a word's rows begin and returns how many there are.
   *
   * @param offsets by row
   */
  int offsets(int word, int[] offsets, int[] target) {
    int count = parts(word);
    for (int i = 0; i < count; i++) {
      target[i] = offsets[row(word, i)];
    }
    return count;
  }
}

package dev.rowan.train.lm;

import dev.rowan.train.corpus.EncodedCorpus;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A text as a language model reads it: tokens in order, each sentence followed by a marker, which
 * is predicted like any token and stands before the first. The marker's id is the number of words.
 *
 * <p>A context never reaches over a marker: the places beyond it hold markers too. Words without a
 * row are left out, here as in the baselines, so perplexities of texts with other vocabularies
 * cannot be compared.
 *
 * @param tokens the marker, then all sentences
 * @param marker the id of the marker
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
record LanguageText(int[] tokens, int marker) {

  /** A text in two parts. */
  record Split(LanguageText training, LanguageText heldOut) {}

  /**
   * Reads a corpus and holds sentences back, chosen by chance.
   *
   * @throws IllegalArgumentException if a part would be empty, or the text does not fit the heap
   */
  static Split split(EncodedCorpus corpus, double heldOut, long seed) {
    int marker = corpus.vocabulary().size();
    long most = Math.min(Integer.MAX_VALUE - 16, Runtime.getRuntime().maxMemory() / 16);
    if (2 * corpus.words() > most) { // a marker a sentence, at worst one a word
      throw new IllegalArgumentException(
          ("%,d words are too many for next-token training on this heap; give less text or more"
                  + " memory (-Xmx)")
              .formatted(corpus.words()));
    }
    Builder training = new Builder(marker);
    Builder held = new Builder(marker);
    SplittableRandom random = new SplittableRandom(seed);
    int[] ids = new int[corpus.mostIds()];
    Builder to = random.nextDouble() < heldOut ? held : training;
    for (int unit = 0; unit < corpus.units(); unit++) {
      int count = corpus.read(unit, ids);
      for (int i = 0; i < count; i++) {
        if (ids[i] >= 0) {
          to.add(ids[i]);
        } else if (to.end()) {
          to = random.nextDouble() < heldOut ? held : training;
        }
      }
    }
    to.end();
    if (training.size < 2 || held.size < 2) {
      throw new IllegalArgumentException(
          "the text has too few sentences to hold some back; give more lines, or more of them with"
              + " a larger share held out");
    }
    return new Split(training.text(), held.text());
  }

  /** Returns how many tokens there are to predict. */
  int places() {
    return tokens.length - 1;
  }

  /** Returns how many sentences there are. */
  long sentences() {
    return Arrays.stream(tokens).skip(1).filter(token -> token == marker).count();
  }

  /** Returns the token at a place, 0 to {@link #places} − 1. */
  int target(int place) {
    return tokens[place + 1];
  }

  /** Writes the n tokens before a place, the nearest first. */
  void context(int place, int n, long[] target, int offset) {
    int at = place;
    for (int j = 0; j < n; j++) {
      target[offset + j] = tokens[at];
      if (tokens[at] != marker) {
        at--;
      }
    }
  }

  /** Collects sentences. */
  private static final class Builder {
    private final int marker;
    private int[] tokens = new int[1024];
    private int size;

    Builder(int marker) {
      this.marker = marker;
      add(marker);
    }

    void add(int token) {
      if (size == tokens.length) {
        tokens = Arrays.copyOf(tokens, size + (size >> 1));
      }
      tokens[size++] = token;
    }

    /** Ends a sentence; returns false if it had no words. */
    boolean end() {
      if (tokens[size - 1] == marker) {
        return false;
      }
      add(marker);
      return true;
    }

    LanguageText text() {
      return new LanguageText(Arrays.copyOf(tokens, size), marker);
    }
  }
}

package dev.rowan.train;

import dev.rowan.train.corpus.EncodedCorpus;

/** The sentences of a unit after subsampling. One thread's own; allocates nothing once made. */
final class Sentences {
  private static final int END = -1;

  private final Lesson lesson;
  private final EncodedCorpus corpus;
  private final Draw draw;
  private final int[] ids;
  private final int[] words;
  private int count;
  private int at;
  private long done;
  private int taken;

  Sentences(Lesson lesson, Draw draw) {
    this.lesson = lesson;
    this.corpus = lesson.corpus();
    this.draw = draw;
    this.ids = new int[corpus.mostIds()];
    this.words = new int[lesson.settings().sentenceWords()];
  }

  /** Returns where the words of a sentence are put. */
  int[] words() {
    return words;
  }

  /** Goes to the start of a unit. */
  void start(int epoch, int number) {
    count = corpus.read(number, ids);
    at = 0;
    done = epoch * corpus.words() + corpus.unit(number).wordsBefore();
  }

  /** Reads the next sentence; returns how many of its words are kept, −1 at the end. */
  int next() {
    if (at >= count) {
      return -1;
    }
    long[] keep = lesson.keep();
    int kept = 0;
    int from = at;
    while (at < count && ids[at] != END && kept < words.length) {
      int word = ids[at++];
      done++;
      long share = keep[word];
      // the upper 32 bits, drawn only where there is a chance
      if (share >= 1L << 32 || draw.bits() >>> 32 < share) {
        words[kept++] = word;
      }
    }
    taken = at - from;
    if (at < count && ids[at] == END) {
      at++;
    }
    return kept;
  }

  /** Returns how many words of the text the sentence had before subsampling. */
  int taken() {
    return taken;
  }

  /** Returns the learning rate at the end of the sentence. */
  double rate() {
    return Formulas.rate(lesson.settings().rate(), done, lesson.totalWords());
  }
}

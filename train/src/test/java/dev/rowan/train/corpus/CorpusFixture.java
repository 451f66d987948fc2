package dev.rowan.train.corpus;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.IOException;

/** Reads texts whole and tells what came out. */
final class CorpusFixture {
  static final WordRules ALL = WordRules.DEFAULT.withMinCount(1);

  private CorpusFixture() {}

  static EncodedCorpus read(Corpus corpus) throws IOException {
    try (Workers workers = Workers.of(2)) {
      return EncodedCorpus.read(corpus, workers, ReadListener.NONE);
    }
  }

  /** The text as read back from ids, sentences on lines. */
  static String text(EncodedCorpus corpus) {
    StringBuilder text = new StringBuilder();
    int[] ids = new int[corpus.mostIds()];
    for (int unit = 0; unit < corpus.units(); unit++) {
      int count = corpus.read(unit, ids);
      for (int i = 0; i < count; i++) {
        text.append(ids[i] < 0 ? "|" : corpus.vocabulary().vocabulary().stored(ids[i]) + " ");
      }
    }
    return text.toString();
  }
}

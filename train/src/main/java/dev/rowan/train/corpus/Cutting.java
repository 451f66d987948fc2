package dev.rowan.train.corpus;

import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Limits;

/** Counts words and documents as limits mean them. */
final class Cutting {
  private final int end;
  private long words;
  private long documents;
  private boolean isOpen;

  Cutting(Form form) {
    this.end = form instanceof Form.JsonLines ? WordScanner.DOCUMENT_END : WordScanner.SENTENCE_END;
  }

  /** Returns how many words were counted. */
  long words() {
    return words;
  }

  /** Returns how many documents were counted that have ended. */
  long documents() {
    return documents;
  }

  /** Returns whether words came since the last end of a document. */
  boolean isOpen() {
    return isOpen;
  }

  /** Returns how many of the ids lie within the limits. */
  int count(int[] ids, int length, Limits limits) {
    for (int i = 0; i < length; i++) {
      if (words >= limits.words() || documents >= limits.documents()) {
        return i;
      }
      if (ids[i] >= 0) {
        words++;
        isOpen = true;
      } else if (ids[i] == end) {
        documents += isOpen ? 1 : 0;
        isOpen = false;
      }
    }
    return length;
  }

  void endFile() {
    documents += isOpen ? 1 : 0;
    isOpen = false;
  }

  /** Counts ids of blocks that come in any order: at most as many as there are. */
  void countAll(int[] ids, boolean isLast) {
    isOpen = false;
    count(ids, ids.length, Limits.NONE);
    if (isLast) {
      endFile();
    }
  }
}

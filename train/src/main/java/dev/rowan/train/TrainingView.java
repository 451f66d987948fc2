package dev.rowan.train;

import dev.rowan.core.Table;
import dev.rowan.train.corpus.CountedVocabulary;

/** The rows of a table in training, while all threads stand still. */
public interface TrainingView {
  /** Returns the words: row i is word i. */
  CountedVocabulary vocabulary();

  /** Returns a copy of the table as it is, V × d. */
  Table rows();

  /** Returns the row that a word began with. */
  float[] initialRow(int word);
}

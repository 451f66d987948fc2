package dev.rowan.train.lm;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.train.TrainingView;
import dev.rowan.train.corpus.CountedVocabulary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The input rows of a language model.
 *
 * @param vocabulary the words, then the marker
 * @param model it learns no batch meanwhile
 */
record LanguageView(CountedVocabulary vocabulary, LanguageModel model) implements TrainingView {
  @Override
  public Table rows() {
    Table live = model.input().table();
    MemorySegment copy =
        MemorySegment.ofArray(live.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
    return Table.over(copy, live.rows(), live.width(), FloatFormat.F32);
  }

  @Override
  public float[] initialRow(int word) {
    return model.initialRow(word);
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The tokenizer that the result's is to agree with.
 *
 * @param folder where it is
 * @param vocabulary its tokens
 * @param texts files whose text the result is to split in the same way
 * @param newId the id in the result of one of its ids; −1 if there is none
 */
record Reference(Path folder, Vocabulary vocabulary, List<Path> texts, LongUnaryOperator newId) {
  /** Copies the list. */
  Reference {
    texts = List.copyOf(texts);
  }
}

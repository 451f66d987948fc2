package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

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

  /** Returns the tokens that stay, under their new ids. */
  Vocabulary remaining() {
    List<@Nullable String> tokens = new ArrayList<>();
    BitSet added = new BitSet();
    for (int id = 0; id < vocabulary.size(); id++) {
      int place = vocabulary.has(id) ? (int) newId.applyAsLong(id) : -1;
      while (tokens.size() <= place) {
        tokens.add(null);
      }
      if (place >= 0) {
        tokens.set(place, vocabulary.stored(id));
        added.set(place, vocabulary.isAdded(id));
      }
    }
    return Vocabulary.of(vocabulary.spelling(), tokens, added);
  }
}

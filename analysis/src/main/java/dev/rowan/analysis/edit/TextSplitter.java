package dev.rowan.analysis.edit;

import dev.rowan.core.Vocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Splits text into the ids of tokens, without adding any. */
public interface TextSplitter {

  /** Returns the ids of the tokens of a text. */
  long[] split(String text);

  /**
   * Returns the token that stands for what cannot be split; empty if the tokenizer names none.
   *
   * @param vocabulary the model's, in which a name is looked up
   */
  default OptionalInt unknown(Vocabulary vocabulary) throws IOException {
    return OptionalInt.empty();
  }

  /** Opens the tokenizer of a model. */
  interface Source {
    /**
     * Returns the tokenizer of the model in a folder; empty if there is none. What it holds is
     * freed by whoever made the source.
     */
    Optional<TextSplitter> open(Path folder) throws IOException;
  }
}

package dev.rowan.analysis.edit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Splits text into the ids of tokens, without adding any. */
public interface TextSplitter {

  /** Returns the ids of the tokens of a text. */
  long[] split(String text);

  /** Opens the tokenizer of a model. */
  interface Source {
    /**
     * Returns the tokenizer of the model in a folder; empty if there is none. What it holds is
     * freed by whoever made the source.
     */
    Optional<TextSplitter> open(Path folder) throws IOException;
  }
}

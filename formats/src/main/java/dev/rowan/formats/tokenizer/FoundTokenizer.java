package dev.rowan.formats.tokenizer;

import java.nio.file.Path;

/** Where the tokenizer of a model comes from. */
public sealed interface FoundTokenizer {

  /**
   * A {@code tokenizer.json}: a program rather than a model, to be run by the library that defines
   * it.
   */
  record Json(Path file) implements FoundTokenizer {}

  /** All that is needed, read from a file of another kind. */
  record Model(TokenizerModel model) implements FoundTokenizer {}
}

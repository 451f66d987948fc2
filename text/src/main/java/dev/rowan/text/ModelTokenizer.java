package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Cleaning;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.OptionalInt;

/**
 * A tokenizer in Java alone: added tokens first, then an algorithm on what lies between them.
 *
 * <p>Immutable; safe for any number of threads. There is nothing to close.
 */
final class ModelTokenizer implements Tokenizer {

  /** An algorithm, with what it builds once. */
  interface Algorithm {
    /** Returns one run of it, with scratch memory of its own. */
    Fragments.Body run();
  }

  private final TokenizerModel model;
  private final Algorithm algorithm;
  private final Fragments fragments;
  private final Markers markers;

  ModelTokenizer(TokenizerModel model, Algorithm algorithm) {
    this.model = model;
    this.algorithm = algorithm;
    this.fragments = new Fragments(model.vocabulary(), model.markers());
    this.markers = model.markers();
  }

  @Override
  public long[] encode(String text, SpecialTokens special) {
    Ints ids = new Ints();
    boolean framed = special == SpecialTokens.ADD;
    if (framed) {
      markers.before().forEach(ids::add);
    }
    fragments.encode(Characters.wellFormed(changed(text)), algorithm.run(), ids);
    if (framed) {
      markers.after().forEach(ids::add);
    }
    return ids.toLongs();
  }

  /** What classes of Python do to a text even before they look for added tokens. */
  private String changed(String text) {
    if (model instanceof SentencePiece pieces && pieces.rules().lead().isPythons()) {
      return text.replace('▁', ' ');
    }
    return model instanceof CleanedPieces cleaned && cleaned.cleaning().contains(Cleaning.CAPITALS)
        ? CleanedText.lowered(text, fragments)
        : text;
  }

  @Override
  public OptionalInt unknown(Vocabulary vocabulary) {
    return UnknownToken.of(model);
  }

  @Override
  public void close() {}
}

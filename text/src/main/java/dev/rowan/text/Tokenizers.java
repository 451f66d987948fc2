package dev.rowan.text;

import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;

/**
 * Makes tokenizers.
 *
 * {@snippet :
 * Tokenizer tokenizer = Tokenizers.of(VocabJson.read(Path.of("gpt2/vocab.json")));
 * long[] ids = tokenizer.encode("The cat sat");
 * }
 *
 * <p>All but that of {@code tokenizer.json} are Java alone. Text may be of any length; the time
 * that it takes grows at most as n log n. A lone surrogate counts as U+FFFD.
 */
public final class Tokenizers {
  private Tokenizers() {}

  /**
   * Returns the tokenizer of a source, such as {@code Models.tokenizer} finds.
   *
   * @throws IOException if it cannot be read
   * @throws UnsupportedOperationException if it is a {@code tokenizer.json} and there is no native
   *     library for this platform
   */
  public static Tokenizer open(FoundTokenizer source) throws IOException {
    return switch (source) {
      case FoundTokenizer.Json json -> NativeTokenizer.open(json.file());
      case FoundTokenizer.Model model -> of(model.model());
    };
  }

  /**
   * Returns the tokenizer of a model. Cost: builds tables once, a fraction of a second for 200,000
   * tokens.
   */
  public static Tokenizer of(TokenizerModel model) {
    return new ModelTokenizer(
        model,
        switch (model) {
          case ByteLevelBpe bpe -> new ByteBpe(bpe);
          case SentencePiece pieces -> of(pieces, PieceIds.PLACES);
          case CleanedPieces cleaned -> CleanedText.algorithm(cleaned);
          case NamedPieces named -> NamedPieceIds.algorithm(named);
          case WordPiece pieces -> new WordPieces(pieces);
          case WordList words -> new ListedWords(words);
        });
  }

  static ModelTokenizer.Algorithm of(SentencePiece pieces, PieceIds ids) {
    if (pieces.rules().lead().isPythons()) {
      return BehindUnknown.algorithm(pieces, ids);
    }
    return switch (pieces.choice()) {
      case BPE -> new PieceBpe(pieces, ids);
      case UNIGRAM -> new PieceUnigram(pieces, ids);
    };
  }
}

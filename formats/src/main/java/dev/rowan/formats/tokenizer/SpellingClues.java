package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.formats.json.JsonReader;
import org.jspecify.annotations.Nullable;

/** What a tokenizer.json says about how its tokens are written, gathered while it is read. */
final class SpellingClues {
  private @Nullable String modelType;
  private boolean byteLevel;
  private boolean metaspace;
  private boolean wordPieceDecoder;
  private boolean scored;

  void modelType(String type) {
    modelType = type;
  }

  void scoredPieces() {
    scored = true;
  }

  void byteFallback() {
    metaspace = true; // only SentencePiece models have byte pieces
  }

  /** Walks a normalizer, pre_tokenizer or decoder: the value stepped to, however nested. */
  void component(JsonReader json) {
    if (json.isArray()) {
      while (json.nextValue()) {
        component(json);
      }
    } else if (json.isObject()) {
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        if (field.equals("type") && json.isText()) {
          type(json.text(field));
        } else if (json.isText()) {
          // a Replace step between " " and "▁" is SentencePiece's way of writing spaces
          metaspace |= json.text(field).equals("▁");
        } else {
          component(json);
        }
      }
    }
  }

  private void type(String type) {
    switch (type) {
      case "ByteLevel" -> byteLevel = true;
      case "Metaspace" -> metaspace = true;
      case "WordPiece" -> wordPieceDecoder = true;
      default -> {}
    }
  }

  /**
   * Decides.
   *
   * @param withG how many tokens start with Ġ, the space of byte-level spellings
   * @param withBar how many start with ▁, the space of SentencePiece
   */
  Spelling spelling(int withG, int withBar) {
    String type = modelType == null ? "" : modelType;
    if (type.equals("WordPiece")) {
      return Spelling.WORDPIECE;
    }
    if (byteLevel) {
      return Spelling.BYTE_LEVEL;
    }
    if (type.equals("WordLevel")) {
      return Spelling.PLAIN;
    }
    if (metaspace || scored || type.equals("Unigram")) {
      return Spelling.SENTENCEPIECE;
    }
    if (wordPieceDecoder) {
      return Spelling.WORDPIECE;
    }
    // nothing is said: the tokens themselves tell
    if (withG > withBar) {
      return Spelling.BYTE_LEVEL;
    }
    return withBar > 0 ? Spelling.SENTENCEPIECE : Spelling.PLAIN;
  }
}

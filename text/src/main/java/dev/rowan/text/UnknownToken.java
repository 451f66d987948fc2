package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Which token a tokenizer writes for text that it has no token for. */
final class UnknownToken {
  private UnknownToken() {}

  static OptionalInt of(TokenizerModel model) {
    return switch (model) {
      case WordPiece pieces -> pieces.unknown();
      case WordList words -> words.unknown();
      case SentencePiece pieces -> ofPieces(pieces);
      case CleanedPieces cleaned -> ofPieces(cleaned.pieces());
      case NamedPieces named -> OptionalInt.of(named.unknown());
      case ByteLevelBpe bpe -> role(bpe);
    };
  }

  private static OptionalInt ofPieces(SentencePiece pieces) {
    return IntStream.range(0, pieces.vocabulary().size())
        .filter(id -> pieces.vocabulary().has(id))
        .filter(id -> pieces.pieces().kind(id) == Kind.UNKNOWN)
        .findFirst();
  }

  private static OptionalInt role(TokenizerModel model) {
    Integer id = model.markers().roles().get(Role.UNKNOWN);
    return id == null ? OptionalInt.empty() : OptionalInt.of(id);
  }

  /**
   * Reads {@code model.unk_token}, or {@code model.unk_id} of Unigram, from a {@code
   * tokenizer.json}. Cost: one pass over the file.
   */
  static OptionalInt of(Path file, Vocabulary vocabulary) throws IOException {
    try (MappedFile mapped = MappedFile.open(file)) {
      JsonReader json = JsonReader.over(file, mapped.bytes(), 0);
      json.enterObject("the tokenizer");
      while (json.nextName()) {
        boolean model = json.name().equals("model");
        json.nextValue();
        if (model && json.isObject()) {
          return ofModel(json, vocabulary);
        }
        json.skip();
      }
      return OptionalInt.empty();
    }
  }

  private static OptionalInt ofModel(JsonReader json, Vocabulary vocabulary) {
    while (json.nextName()) {
      String name = json.name();
      json.nextValue();
      if (name.equals("unk_token") && json.isText()) {
        return vocabulary.id(json.text("model.unk_token"));
      }
      if (name.equals("unk_id") && json.isWhole()) {
        long id = json.whole("model.unk_id");
        return id >= 0 && id < vocabulary.size() ? OptionalInt.of((int) id) : OptionalInt.empty();
      }
      json.skip();
    }
    return OptionalInt.empty();
  }
}

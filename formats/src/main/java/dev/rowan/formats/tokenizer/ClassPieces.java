package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.TokenizerFile.PieceIds;
import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Cleaning;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A SentencePiece file with the ids that the class of Python has for its pieces to which the files
 * beside it say that it belongs, and with what the class does to text ({@link NumberingRules}).
 */
final class ClassPieces {
  private final Path path;
  private final SentencePieceModel file;
  private Optional<Set<Cleaning>> cleaning = Optional.empty();
  private PieceIds ids = PieceIds.AS_IN_FILE;
  private Optional<String> otherIds = Optional.empty(); // the class whose ids are not known
  private Optional<String> otherText = Optional.empty(); // the class that changes text

  private ClassPieces(Path path, SentencePieceModel file) {
    this.path = path;
    this.file = file;
  }

  static ClassPieces read(Path path, AddedTokens added) throws IOException {
    ClassPieces pieces = new ClassPieces(path, SentencePieceModel.parse(path));
    Optional<String> name = added.config().savedClass(path);
    if (name.isPresent()) {
      pieces.number(name.get(), added);
    }
    return pieces;
  }

  private void number(String name, AddedTokens added) {
    String key = SavedClass.key(name);
    Optional<PieceNumbering> rule = NumberingRules.of(key, added.config());
    Optional<NumberedPieces> numbered =
        rule.flatMap(known -> NumberedPieces.of(known, file.pieces(), added));
    boolean fits = rule.isEmpty() || numbered.isPresent();
    if (NumberingRules.hasOtherIds(key, added.config()) || !fits) {
      otherIds = Optional.of(name);
      ids = PieceIds.NOT_KNOWN;
      return;
    }
    if (NumberingRules.hasOtherText(key, added.config())) {
      otherText = Optional.of(name);
    }
    cleaning = NumberingRules.cleaning(key, added.config());
    if (numbered.isPresent()) {
      file.take(numbered.get());
      ids = PieceIds.BY_CLASS;
    }
  }

  PieceIds ids() {
    return ids;
  }

  /** Returns the tokens. */
  Vocabulary vocabulary() {
    Vocabulary vocabulary = file.vocabulary();
    return otherIds
        .map(kind ->
            vocabulary.withNotes(
                List.of(
                    "a model of the kind \"%s\" gives the pieces of %s other ids than the file does, so rows have names of their neighbours; name the model's tokenizer.json"
                        .formatted(kind, path.getFileName()))))
        .orElse(vocabulary);
  }

  /**
   * Returns all that is needed to split text.
   *
   * @throws UnsupportedFormatException if text cannot be split by it
   */
  TokenizerModel model() {
    otherIds.ifPresent(kind -> {
      throw new UnsupportedFormatException(
          path,
          "belongs to a model of the kind \"%s\", which gives its pieces other ids than the file does; use the model's tokenizer.json"
              .formatted(kind));
    });
    otherText.ifPresent(kind -> {
      throw new UnsupportedFormatException(
          path,
          "belongs to a model of the kind \"%s\", which changes text before it is split in a way that is not known here; use the model's tokenizer.json"
              .formatted(kind));
    });
    SentencePiece model = file.model();
    return cleaning.isPresent() ? new CleanedPieces(model, cleaning.get()) : model;
  }
}

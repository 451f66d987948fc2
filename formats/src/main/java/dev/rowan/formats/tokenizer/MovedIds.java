package dev.rowan.formats.tokenizer;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Models that number the pieces of their SentencePiece file anew, as fairseq did: {@code <s>},
 * {@code <pad>}, {@code </s>} and {@code <unk>} first, then the file's pieces, and so each id is
 * one or some more than the file says (transformers, {@code tokenization_xlm_roberta.py} and its
 * kin).
 */
final class MovedIds {
  private static final Pattern KINDS =
      Pattern.compile("(xlmroberta|camembert|mbart|xglm|barthez|nllb|xlmprophetnet|xmod).*");

  private MovedIds() {}

  /** Adds a note to the tokens of a SentencePiece file that belongs to such a model. */
  static Vocabulary note(Path path, Vocabulary vocabulary) throws IOException {
    Optional<String> kind = of(path);
    if (kind.isEmpty()) {
      return vocabulary;
    }
    List<String> notes = new ArrayList<>(vocabulary.notes());
    notes.add(
        "a model of the kind \"%s\" gives the pieces of %s other ids than the file does, so rows have names of their neighbours; name the model's tokenizer.json"
            .formatted(kind.get(), path.getFileName()));
    return vocabulary.withNotes(notes);
  }

  /**
   * Refuses to split text by a SentencePiece file of such a model.
   *
   * @throws UnsupportedFormatException if it is one
   */
  static void refuse(Path path) throws IOException {
    Optional<String> kind = of(path);
    if (kind.isPresent()) {
      throw new UnsupportedFormatException(
          path,
          "belongs to a model of the kind \"%s\", which gives its pieces other ids than the file does; use the model's tokenizer.json"
              .formatted(kind.get()));
    }
  }

  private static Optional<String> of(Path path) throws IOException {
    return TokenizerConfig.beside(path)
        .savedClass(path)
        .filter(name ->
            KINDS.matcher(name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT)).matches());
  }
}

package dev.rowan.formats.write;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerProgram;
import dev.rowan.formats.write.ConvertOptions.TokenizerSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** What splits text for a source, as far as a file can keep it. */
final class SourceTokenizer {
  private SourceTokenizer() {}

  /**
   * Returns the tokenizer of a source; empty, with a note that says why, if there is none that
   * could be written.
   */
  static Optional<TokenizerModel> of(Source source, TokenizerSource found) throws IOException {
    Optional<TokenizerModel> model;
    try {
      Optional<FoundTokenizer> tokenizer = found.find();
      model = tokenizer.isPresent() ? model(source, tokenizer.get()) : Optional.empty();
    } catch (UnsupportedFormatException e) {
      source.note("the rules for splitting text could not be taken over: " + e.getMessage());
      return Optional.empty();
    }
    if (model.isEmpty()) {
      return model;
    }
    if (!source.isWhole()) {
      source.note("ids have moved, so the rules for splitting text were left out");
      return Optional.empty();
    }
    if (!isOfRows(model.get().vocabulary(), source)) {
      source.note("the tokenizer names other tokens than the rows, so its rules were left out");
      return Optional.empty();
    }
    return model;
  }

  private static Optional<TokenizerModel> model(Source source, FoundTokenizer tokenizer)
      throws IOException {
    return switch (tokenizer) {
      case FoundTokenizer.Model(TokenizerModel model) -> Optional.of(model);
      case FoundTokenizer.Json(var file) -> {
        TokenizerProgram.Reading reading = TokenizerProgram.read(file);
        reading.notes().forEach(source::note);
        yield Optional.of(reading.model());
      }
    };
  }

  private static boolean isOfRows(Vocabulary tokens, Source source) {
    for (long id = 0; id < Math.max(tokens.size(), source.rows()); id++) {
      byte[] token = id < source.rows() ? source.token(id) : null;
      byte[] other = tokens.has(id) ? tokens.bytes(id) : null;
      if (!Arrays.equals(token, other)) {
        return false;
      }
    }
    return true;
  }
}

package dev.rowan.app.answers;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Search;
import dev.rowan.core.Workers;
import dev.rowan.text.Resolution;
import dev.rowan.text.TokenResolver;
import dev.rowan.text.Tokenizer;
import java.io.IOException;
import java.util.Optional;

/** A model that questions can be put to. Each part is opened when it is first asked for. */
public interface OpenModel {
  /** Returns the model. */
  Lexicon lexicon() throws IOException;

  /** Returns the table that questions are about, the input table unless something else was said. */
  NamedTable table() throws IOException;

  /** Returns the table that the model stores for its output, if it stores one that can be read. */
  Optional<NamedTable> ownOutput() throws IOException;

  /** Returns the tokenizer of the model, if it has one. */
  Optional<Tokenizer> tokenizer() throws IOException;

  /** Returns who computes. */
  Workers workers();

  /** Returns a search over a table. */
  default Search search(NamedTable table) {
    return Search.over(table.table(), workers());
  }

  /** Returns tokens as text. */
  default Asked asked() throws IOException {
    return new Asked(lexicon());
  }

  /** Returns what a typed word means. */
  default Resolution resolve(String typed, NamedTable table) throws IOException {
    return TokenResolver.of(lexicon().vocabulary(), table.table().rows(), this::tokenizer)
        .resolve(typed);
  }
}

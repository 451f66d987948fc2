package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.hub.Tables;
import dev.rowan.train.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a training begins with; keeps the table that it goes on from open.
 *
 * @param start for the trainer
 */
record StartOptions(Start start) implements AutoCloseable {

  /** Opens the table and reads the words. */
  static StartOptions open(Session session, @Nullable String from, @Nullable Path freeze)
      throws IOException {
    Optional<Vocabulary> frozen =
        freeze == null
            ? Optional.empty()
            : Optional.of(
                Vocabulary.ofWords(
                    TextInput.lines(freeze).stream().filter(word -> !word.isBlank()).toList()));
    Optional<Lexicon> table = Optional.empty();
    if (from != null) {
      session.globals().model = from;
      table = Optional.of(session.open(Tables.INPUT_AND_OUTPUT));
    }
    return new StartOptions(new Start(table, frozen));
  }

  @Override
  public void close() {
    start.from().ifPresent(Lexicon::close);
  }
}

package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.hub.Tables;
import dev.rowan.train.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  /**
   * Returns one sentence each on what the words of the text have of it.
   *
   * @throws UseException if words are to be held and none of them has a row
   */
  List<String> notes(TrainCommand typed, Vocabulary words) {
    List<String> notes = new ArrayList<>();
    if (start.from().isPresent()) {
      int taken = start.takenOver(words);
      String from = Visible.message(String.valueOf(typed.from));
      notes.add(
          taken == 0
              ? "no word of %s has a row: all begin at random".formatted(from)
              : String.format(
                  Locale.ROOT,
                  "%,d of %s with those of %s",
                  taken,
                  Counted.of(words.size(), "row begins", "rows begin"),
                  from));
    }
    if (start.frozen().isPresent()) {
      int held = start.frozenRows(words).cardinality();
      int asked = start.frozen().get().size();
      String freeze = Visible.message(String.valueOf(typed.freeze));
      if (held == 0) {
        throw new UseException(
            "--freeze %s: none of its %s has a row; name words of the text, or leave it away"
                .formatted(freeze, Counted.of(asked, "word")));
      }
      notes.add(
          String.format(
              Locale.ROOT,
              "%s held still, of %s in %s",
              Counted.of(held, "row is", "rows are"),
              Counted.of(asked, "word"),
              freeze));
    }
    return notes;
  }

  @Override
  public void close() {
    start.from().ifPresent(Lexicon::close);
  }
}

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

/**
 * What a training begins with; keeps the table that it goes on from open.
 *
 * @param start for the trainer
 */
record StartOptions(Start start) implements AutoCloseable {

  /**
   * Opens the table and reads the words.
   *
   * @throws UseException if training cannot begin with that table
   */
  static StartOptions open(Session session, TrainCommand typed) throws IOException {
    String from = typed.from;
    Path freeze = typed.freeze;
    Optional<Vocabulary> frozen =
        freeze == null
            ? Optional.empty()
            : Optional.of(
                Vocabulary.ofWords(
                    TextInput.lines(freeze).stream().filter(word -> !word.isBlank()).toList()));
    Optional<Lexicon> table = Optional.empty();
    if (from != null) {
      session.globals().model = from;
      Lexicon open = session.open(Tables.INPUT_AND_OUTPUT);
      try {
        check(open, from, typed.options.width);
      } catch (RuntimeException | Error e) {
        open.close();
        throw e;
      }
      table = Optional.of(open);
    }
    return new StartOptions(new Start(table, frozen));
  }

  private static void check(Lexicon table, String from, int width) {
    if (table.vocabulary().isEmpty()) {
      throw new UseException(
          "--from %s: the table has no tokens, so no word finds its row; name its vocabulary, or another table"
              .formatted(Visible.message(from)));
    }
    int own = table.input().table().width();
    int output = table.output().map(rows -> rows.table().width()).orElse(own);
    if (own != output) {
      throw new UseException(
          "--from %s: its rows have %,d numbers and its output rows %,d, but training takes both alike; name another table"
              .formatted(Visible.message(from), own, output));
    }
    if (own != width) {
      throw new UseException(
          "--from %s has rows of %s, but -d is %d; give -d %d, or another table"
              .formatted(Visible.message(from), Counted.of(own, "number"), width, own));
    }
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

package dev.rowan.app.web;

import dev.rowan.app.answers.OpenModel;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.text.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Five rows whose cosines can be done in the head. */
final class SmallModel implements OpenModel, AutoCloseable {
  private final Workers workers = Workers.of(2);
  private final Lexicon lexicon =
      new Lexicon(
          new NamedTable(
              "wte",
              Table.of(
                  2, 1f, 0f, // east
                  0f, 2f, // north
                  3f, 4f, // between
                  -1f, 0f, // west
                  0f, 0f)), // nowhere
          Optional.empty(),
          Optional.of(Vocabulary.ofWords(List.of("east", "north", "between", "west", "nowhere"))),
          Tie.TIED,
          "because the test says so",
          new Origin(Path.of("small"), "toy", Optional.empty(), OptionalLong.of(20), List.of()),
          () -> {});

  @Override
  public Lexicon lexicon() {
    return lexicon;
  }

  @Override
  public NamedTable table() {
    return lexicon.input();
  }

  @Override
  public Optional<NamedTable> ownOutput() {
    return Optional.empty();
  }

  @Override
  public Optional<Tokenizer> tokenizer() {
    return Optional.empty();
  }

  @Override
  public Workers workers() {
    return workers;
  }

  @Override
  public void close() {
    workers.close();
    lexicon.close();
  }
}

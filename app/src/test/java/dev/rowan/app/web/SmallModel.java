package dev.rowan.app.web;

import dev.rowan.app.answers.OpenModel;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.text.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Five rows whose cosines can be done in the head. */
final class SmallModel implements OpenModel, AutoCloseable {
  private final Workers workers = Workers.of(2);
  private final Lexicon lexicon;

  SmallModel() {
    this(
        Table.of(
            2, 1f, 0f, // east
            0f, 2f, // north
            3f, 4f, // between
            -1f, 0f, // west
            0f, 0f), // nowhere
        Optional.of(Vocabulary.ofWords(List.of("east", "north", "between", "west", "nowhere"))));
  }

  /**
   * Returns the rows of the other one turned by a quarter, but for west, which is turned the other
   * way; nowhere is not there, and south is.
   */
  static SmallModel turned() {
    return new SmallModel(
        Table.of(
            2, 0f, -2f, // south
            0f, 1f, // east
            -2f, 0f, // north
            -4f, 3f, // between
            0f, 1f), // west
        Optional.of(Vocabulary.ofWords(List.of("south", "east", "north", "between", "west"))));
  }

  private SmallModel(Lexicon lexicon) {
    this.lexicon = lexicon;
  }

  private SmallModel(Table table, Optional<Vocabulary> vocabulary) {
    this(
        new Lexicon(
            new NamedTable("wte", table),
            Optional.empty(),
            vocabulary,
            Tie.TIED,
            "because the test says so",
            new Origin(Path.of("small"), "toy", Optional.empty(), OptionalLong.of(20), List.of()),
            () -> {}));
  }

  /** Opens a file. */
  static SmallModel ofFile(Path file) throws IOException {
    return new SmallModel(Models.open(file, OpenOptions.DEFAULT));
  }

  /** Returns rows of width 16 that resemble nothing. */
  static SmallModel ofRandomRows(int rows) {
    SplittableRandom random = new SplittableRandom(1);
    float[] values = new float[16 * rows];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextDouble() - 0.5);
    }
    return new SmallModel(Table.of(16, values), Optional.empty());
  }

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

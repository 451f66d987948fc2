package dev.rowan.app.answers;

import dev.rowan.analysis.output.TableComparison;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the tables of a model cost, and what tying them saves.
 *
 * @param model all parameters, a table stored twice counted once
 */
public record TableFigures(
    Size input, Optional<Size> output, Tie tie, String evidence, OptionalLong model) {

  /**
   * A table's size.
   *
   * @param parameters the numbers stored for it: rows × width, fewer where rows share them
   * @param bytes those that they take in the file
   */
  public record Size(
      String tensor, long rows, long width, String dtype, long parameters, long bytes) {
    /** Returns that of an open table. */
    public static Size of(NamedTable t) {
      return new Size(
          t.tensor(),
          t.table().rows(),
          t.table().width(),
          t.table().format().label(),
          t.table().storedParameters(),
          t.table().storedBytes());
    }

    /** Returns that of a tensor whose header alone was read. */
    public static Size of(TensorInfo t) {
      return new Size(
          t.name(),
          t.shape().getFirst(),
          t.shape().getLast(),
          t.dtype().rows().map(RowFormat::label).orElse(t.dtype().shown()),
          Math.multiplyExact(t.shape().getFirst(), t.shape().getLast()),
          t.bytes());
    }
  }

  /** Returns those of a model. */
  public static TableFigures of(Lexicon model) {
    return new TableFigures(
        Size.of(model.input()),
        model.output().map(Size::of),
        model.tie(),
        model.tieEvidence(),
        model.modelParameters());
  }

  /**
   * Compares the two tables of a model, where it has two of one width; reads both once.
   *
   * @param k how many of the rows that differ most to name
   */
  public static Optional<TableComparison> comparison(Lexicon model, int k, Workers workers) {
    return model
        .output()
        .filter(output -> output.table().width() == model.input().table().width())
        .map(output -> TableComparison.of(model.input().table(), output.table(), k, workers));
  }

  /** Returns the parameters of the tables that the model has: one if tied. */
  public long tables() {
    return input.parameters() + (tie == Tie.UNTIED ? output.map(Size::parameters).orElse(0L) : 0L);
  }

  /** Returns whether the tables are tied; empty if there is one alone, or the file does not say. */
  public Optional<Boolean> tied() {
    return switch (tie) {
      case TIED, TIED_STORED_TWICE -> Optional.of(true);
      case UNTIED -> Optional.of(false);
      case NO_OUTPUT, UNKNOWN -> Optional.empty();
    };
  }

  /** Returns the part of the model's parameters that the input table is, in [0, 1]. */
  public Optional<Double> share() {
    return model.isPresent() && model.getAsLong() > 0
        ? Optional.of((double) input.parameters() / model.getAsLong())
        : Optional.empty();
  }

  /** Returns the second table: what tying saves, or would save. */
  public Size second() {
    return output.orElse(input);
  }
}

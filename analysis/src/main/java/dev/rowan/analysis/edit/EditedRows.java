package dev.rowan.analysis.edit;

import dev.rowan.analysis.edit.NumberEdits.Shape;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.formats.tensor.Doubles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The rows of one edited table, as float32, made when they are asked for: mixed, laid out anew,
 * centred and normalised, in that order. Safe for any number of threads, each with its own reader.
 */
final class EditedRows {
  private final TokenTensor tensor;
  private final RowLayout layout;
  private final NumberEdits numbers;
  private final Map<Recipe, float[]> shared = new HashMap<>();
  private final List<double[]> centres = new ArrayList<>(); // of each step of CENTRED, in order
  private Map<Long, float[]> drawn = Map.of();

  private EditedRows(TokenTensor tensor, RowLayout layout, NumberEdits numbers) {
    this.tensor = tensor;
    this.layout = layout;
    this.numbers = numbers;
  }

  /** Prepares: computes means and draws, which may read the table several times. */
  static EditedRows of(TokenTensor tensor, RowLayout layout, NumberEdits numbers, Workers workers) {
    EditedRows rows = new EditedRows(tensor, layout, numbers);
    rows.prepareRecipes(workers);
    for (int step = 0; step < numbers.shapes().size(); step++) {
      int done = step;
      rows.centres.add(
          numbers.shapes().get(step) == Shape.CENTRED
              ? Means.of(() -> rows.reader(done), layout.rows(), rows.width(), workers).mean()
              : new double[0]);
    }
    return rows;
  }

  private void prepareRecipes(Workers workers) {
    List<Draws.Wanted> wanted = new ArrayList<>();
    boolean mean = false;
    if (!layout.recipes().isEmpty()) {
      for (long row = 0; row < layout.rows(); row++) {
        switch (layout.recipe(row).orElse(null)) {
          case Recipe.Draw(long seed) -> wanted.add(new Draws.Wanted(row, seed));
          case Recipe.Mean _ -> mean = true;
          case Recipe.Zeros zeros -> shared.put(zeros, new float[width()]);
          case Recipe.Weighted _ -> {}
          case null -> {}
        }
      }
    }
    if (!mean && wanted.isEmpty()) {
      return;
    }
    Means.Mean over = Means.of(this::base, table().rows(), width(), workers);
    float[] row = new float[width()];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) over.mean()[i];
    }
    shared.put(new Recipe.Mean(), row);
    drawn = Draws.of(wanted, this::base, table().rows(), over, workers);
  }

  TokenTensor tensor() {
    return tensor;
  }

  NumberEdits numbers() {
    return numbers;
  }

  RowLayout layout() {
    return layout;
  }

  int width() {
    return table().width();
  }

  private Table table() {
    return tensor.table();
  }

  /** Returns the bytes of one row as it will be stored. */
  long rowBytes() {
    return numbers.dtype().rows().orElseThrow().rowBytes(width());
  }

  /** Returns the old row whose bytes this one keeps; −1 if it is computed. */
  long verbatim(long row) {
    return numbers.areVerbatim(tensor.info().dtype()) ? layout.source(row) : -1;
  }

  /** Returns a reader with its own scratch memory. */
  Blend.Reader reader() {
    return reader(numbers.shapes().size());
  }

  private Blend.Reader base() {
    Table table = table();
    return numbers
        .blend()
        .map(blend -> blend.reader(table))
        .orElseGet(() -> (row, target) -> table.copyRow(row, target, 0));
  }

  /** Returns a reader of old rows that are only rounded, once, from more digits than a float's. */
  private Optional<Blend.Reader> once() {
    boolean computed = numbers.blend().isPresent() || !numbers.shapes().isEmpty();
    boolean narrow = numbers.dtype().bits() < Float.SIZE;
    return computed || !narrow
        ? Optional.empty()
        : Doubles.of(table()).map(doubles -> doubles::copyRow);
  }

  /** Returns a reader of the rows after the first few steps of shaping. */
  private Blend.Reader reader(int steps) {
    Blend.Reader base = base();
    Blend.Reader old = once().orElse(base);
    float[] scratch = new float[width()];
    double[] sum = new double[width()];
    return (row, target) -> {
      long source = layout.source(row);
      if (source >= 0) {
        old.read(source, target);
      } else {
        make(row, base, scratch, sum, target);
      }
      for (int step = 0; step < steps; step++) {
        switch (numbers.shapes().get(step)) {
          case CENTRED -> subtract(centres.get(step), target);
          case UNIT -> normalise(target);
        }
      }
    };
  }

  private void make(long row, Blend.Reader base, float[] scratch, double[] sum, float[] target) {
    Recipe recipe = layout.recipe(row).orElseThrow();
    if (!(recipe instanceof Recipe.Weighted weighted)) {
      float[] ready = recipe instanceof Recipe.Draw ? drawn.get(row) : shared.get(recipe);
      if (ready == null) {
        throw new IllegalStateException("row " + row + " was not prepared");
      }
      System.arraycopy(ready, 0, target, 0, target.length);
      return;
    }
    Arrays.fill(sum, 0);
    for (Recipe.Weighted.Term term : weighted.terms()) {
      base.read(term.id(), scratch);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += term.weight() * scratch[i];
      }
    }
    for (int i = 0; i < sum.length; i++) {
      target[i] = (float) sum[i];
    }
  }

  private static void subtract(double[] centre, float[] row) {
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) (row[i] - centre[i]);
    }
  }

  private static void normalise(float[] row) {
    double squares = 0;
    for (float value : row) {
      squares += (double) value * value;
    }
    double norm = Math.sqrt(squares);
    if (norm > 0) { // NaN is no row to normalise either
      for (int i = 0; i < row.length; i++) {
        row[i] = (float) (row[i] / norm);
      }
    }
  }

  /** Returns a supplier of readers. */
  Supplier<Blend.Reader> readers() {
    return this::reader;
  }
}

package dev.rowan.layer;

import dev.rowan.core.kernel.FloatFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Moves the rows of one table by a {@link Rule}, and keeps the rule's state.
 *
 * <p>A step costs the rows it touches (except rules that {@link Rule#touchesEveryRow}); in steady
 * state it allocates nothing that grows with them. All arithmetic is float32 on decoded rows; a row
 * is rounded once, when stored. Results do not depend on the number of threads. Not safe for
 * concurrent use. The state follows when the table is resized: new rows start with fresh state.
 */
public final class Optimizer {
  private static final int ROWS = 32; // rows a worker takes at a time
  private static final int EVERY_ROWS = 1024; // the same, when all V rows are visited

  private final WeightTable weights;
  private final Rule rule;
  private final RowUpdate update;
  private final OptimizerState state;
  private RowUpdate.Scratch[] scratch = new RowUpdate.Scratch[0];
  private final AtomicInteger nextScratch = new AtomicInteger();
  private long steps;

  private Optimizer(WeightTable weights, Rule rule) {
    this.weights = weights;
    this.rule = rule;
    this.update = RowUpdate.of(rule);
    double initial = rule instanceof Adagrad adagrad ? adagrad.initial() : 0;
    this.state = new OptimizerState(weights, update, (float) initial);
  }

  /** Returns an optimizer of a table, with fresh state. */
  public static Optimizer of(WeightTable weights, Rule rule) {
    return new Optimizer(
        Objects.requireNonNull(weights, "weights"), Objects.requireNonNull(rule, "rule"));
  }

  /** Returns the rule. */
  public Rule rule() {
    return rule;
  }

  /** Returns the table. */
  public WeightTable weights() {
    return weights;
  }

  /** Returns how many steps were done. */
  public long steps() {
    return steps;
  }

  /** Returns the state. */
  public OptimizerState state() {
    return state;
  }

  /**
   * Does one step.
   *
   * @throws IllegalArgumentException if the gradient is of another shape, or the learning rate of
   *     this step is negative or not finite; nothing is changed then
   * @throws IllegalStateException if the table is frozen; nothing is changed then
   */
  public void step(RowGradient gradient) {
    gradient.requireShape(weights.rows(), weights.width());
    begin();
    float[] values = gradient.rawValues();
    int width = weights.width();
    if (rule.touchesEveryRow()) {
      forEachRow((id, s) -> {
        int at = gradient.find(id);
        if (at >= 0) {
          System.arraycopy(values, at * width, s.g, 0, width);
        } else {
          java.util.Arrays.fill(s.g, 0);
        }
      });
      return;
    }
    boolean multiple = movesByMultiples();
    forEach(
        gradient.count(),
        (i, s) -> {
          if (multiple) {
            enqueue(gradient.id(i), values, i * width, s);
          } else {
            System.arraycopy(values, i * width, s.g, 0, width);
            apply(gradient.id(i), s);
          }
        });
  }

  /** Does one step straight from grouped occurrences, without a gradient object. */
  void step(Coalescer grouped, SegmentSum sum) {
    requireFusable();
    begin();
    boolean multiple = movesByMultiples();
    forEach(
        grouped.segments(),
        (segment, s) -> {
          long id = grouped.id(segment);
          int place = multiple ? sum.place(segment) : -1;
          if (place >= 0) {
            enqueue(id, sum.source(), place, s);
          } else if (multiple) {
            float[] gradient = s.queue.room();
            sum.sum(segment, gradient, 0);
            enqueue(id, gradient, 0, s);
          } else {
            sum.sum(segment, s.g, 0);
            apply(id, s);
          }
        });
  }

  private boolean movesByMultiples() {
    return update.isMultiple() && weights.format() == FloatFormat.F32 && rule.decay().factor() == 0;
  }

  private void enqueue(long id, float[] gradient, int from, RowUpdate.Scratch s) {
    int width = weights.width();
    state.read(id, s);
    float factor = update.factor(gradient, from, s, width);
    state.write(id, s);
    s.queue.add(factor, gradient, from, weights.data(), 4L * width * id);
  }

  void requireFusable() {
    if (rule.touchesEveryRow()) {
      throw new IllegalArgumentException(
          rule.label() + " touches every row, so it cannot be fused; use step(RowGradient)");
    }
  }

  /** Moves the i-th touched row. */
  private interface Move {
    void apply(int i, RowUpdate.Scratch scratch);
  }

  /** Puts the gradient of row {@code id} into the scratch. */
  private interface DenseSource {
    void load(long id, RowUpdate.Scratch scratch);
  }

  /** Checks everything, then counts the step and prepares its factors. */
  void begin() {
    weights.requireTrainable();
    double rate = rule.rate().at(steps + 1);
    Checks.atLeastZero("learning rate of step " + (steps + 1), rate);
    state.follow(weights.rows());
    steps++;
    update.begin(steps, rate);
    int threads = weights.workers() == null ? 1 : weights.workers().threads();
    if (scratch.length < threads) {
      scratch = new RowUpdate.Scratch[threads];
      for (int i = 0; i < threads; i++) {
        scratch[i] = new RowUpdate.Scratch(weights.width(), update);
      }
    }
    nextScratch.set(0);
  }

  private void forEach(int count, Move move) {
    Parallel.run(
        weights.workers(),
        Parallel.chunks(count, ROWS),
        () -> {
          RowUpdate.Scratch s = takeScratch();
          return chunk -> {
            int end = (int) Math.min(count, (chunk + 1) * ROWS);
            for (int i = (int) chunk * ROWS; i < end; i++) {
              move.apply(i, s);
            }
            s.queue.flush(weights.data());
          };
        });
  }

  private void forEachRow(DenseSource source) {
    long rows = weights.rows();
    Parallel.run(
        weights.workers(),
        Parallel.chunks(rows, EVERY_ROWS),
        () -> {
          RowUpdate.Scratch s = takeScratch();
          return chunk -> {
            long end = Math.min(rows, (chunk + 1) * EVERY_ROWS);
            for (long id = chunk * EVERY_ROWS; id < end; id++) {
              source.load(id, s);
              apply(id, s);
            }
          };
        });
  }

  /** Returns a scratch that no other worker of this step holds. */
  private RowUpdate.Scratch takeScratch() {
    return scratch[takeSlot()];
  }

  /** Returns the place of a scratch that no other worker of this step holds. */
  int takeSlot() {
    return nextScratch.getAndIncrement();
  }

  RowUpdate.Scratch[] scratches() {
    return scratch;
  }

  /** Moves one row along the gradient in the scratch. */
  void apply(long id, RowUpdate.Scratch s) {
    int width = weights.width();
    weights.read(id, s.w, 0);
    state.read(id, s);
    float decay = (float) rule.decay().factor();
    if (decay != 0) {
      switch (rule.decay().kind()) {
        case L2 -> update.kernels.addScaled(decay, s.w, 0, s.g, 0, width);
        case DECOUPLED ->
            update.kernels.scale(
                (float) (1 - rule.rate().at(steps) * rule.decay().factor()), s.w, 0, width);
      }
    }
    update.apply(s, width);
    state.write(id, s);
    weights.write(id, s.w, 0);
  }

  /**
   * Writes the state to a file: first under a temporary name in the same folder, forced to disk,
   * then renamed, so that the old file or the new one is there whatever happens.
   */
  public void save(Path file) throws IOException {
    StateFile.write(file, rule.label(), steps, state);
  }

  /**
   * Reads state that {@link #save} wrote. The whole file is checked before anything is changed.
   *
   * @throws IllegalArgumentException if the file is damaged, or of another rule or shape
   */
  public void restore(Path file) throws IOException {
    state.follow(weights.rows());
    steps = StateFile.read(file, rule.label(), state);
  }

  @Override
  public String toString() {
    return "Optimizer[%s of %s, %d steps]".formatted(rule.label(), weights, steps);
  }
}

package dev.rowan.layer;

import dev.rowan.core.Rows;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores hidden vectors against every row of a table: logits = h · Eᵀ.
 *
 * <p>Over the weights of an {@link Embedding} it is tied: both read the same rows, and the sum of
 * both gradients makes one update, as {@link CrossEntropy#step} or {@link RowGradient#add} does.
 * Over weights of its own it is an ordinary output layer. An embedding's padding id and input scale
 * do not apply here.
 *
 * <p>Shapes: h is batch × d, row-major. Safe for any number of threads while no thread trains.
 */
public final class TiedOutput {
  private final WeightTable weights;
  private final OutputOptions options;
  private final float @Nullable [] bias;

  private TiedOutput(WeightTable weights, OutputOptions options, float @Nullable [] bias) {
    this.weights = Objects.requireNonNull(weights, "weights");
    this.options = Objects.requireNonNull(options, "options");
    this.bias = bias;
  }

  /** Returns an output tied to an embedding. */
  public static TiedOutput tiedTo(Embedding embedding) {
    return over(embedding.weights());
  }

  /** Returns an output over weights, shared or its own. */
  public static TiedOutput over(WeightTable weights) {
    return new TiedOutput(weights, OutputOptions.plain(), null);
  }

  /** Returns this output with other options. */
  public TiedOutput with(OutputOptions other) {
    return new TiedOutput(weights, other, bias);
  }

  /**
   * Returns this output with a bias.
   *
   * @param bias V numbers; not copied, so an optimizer of one's own may change them
   * @throws IllegalArgumentException if there are not V of them
   */
  public TiedOutput withBias(float... bias) {
    requireBias(bias);
    return new TiedOutput(weights, options, bias);
  }

  private void requireBias(float[] numbers) {
    if (numbers.length != weights.rows()) {
      throw new IllegalArgumentException(
          "a bias of %,d numbers; the table has %,d rows"
              .formatted(numbers.length, weights.rows()));
    }
  }

  /** Returns the rows that are scored against. */
  public WeightTable weights() {
    return weights;
  }

  /** Returns the options. */
  public OutputOptions options() {
    return options;
  }

  /** Returns whether an embedding reads the same rows. */
  public boolean isTiedTo(Embedding embedding) {
    return embedding.weights() == weights;
  }

  float @Nullable [] bias() {
    return bias;
  }

  float biasOf(long id) {
    return bias == null ? 0f : bias[(int) id];
  }

  /** Receives the scores of consecutive rows; called by several threads for different rows. */
  public interface Panel {
    /**
     * Takes scores; the array is only lent.
     *
     * @param firstRow the id of the first row
     * @param rows how many rows
     * @param values the score of row firstRow + r for batch entry b is at r × stride + b
     */
    void accept(long firstRow, int rows, float[] values, int stride);
  }

  /**
   * Returns the logits: batch × V numbers. Use the streaming forms where that is large.
   *
   * @param hidden batch × d numbers
   * @throws IllegalArgumentException if there are not batch × d, or the result fits no array
   */
  public Rows logits(float[] hidden, int batch) {
    float[] target = new float[Math.toIntExact(Math.multiplyExact(batch, weights.rows()))];
    int rows = (int) weights.rows();
    logits(
        hidden,
        batch,
        (first, count, values, stride) -> {
          for (int b = 0; b < batch; b++) {
            for (int r = 0; r < count; r++) {
              target[b * rows + (int) first + r] = values[r * stride + b];
            }
          }
        });
    return new Rows(target, batch, rows);
  }

  /** Streams the logits, some rows of the table at a time. */
  public void logits(float[] hidden, int batch, Panel panel) {
    OutputScan scan = new OutputScan(this);
    scan.load(hidden, batch);
    scan.run(
        (stripe, first, count, worker) -> panel.accept(first, count, worker.logits, scan.stride()));
  }

  /**
   * Streams the log-probabilities, log softmax(logits), some rows of the table at a time. Reads the
   * table twice.
   */
  public void logSoftmax(float[] hidden, int batch, Panel panel) {
    OutputScan scan = new OutputScan(this);
    scan.load(hidden, batch);
    Normalizer normalizer = new Normalizer(scan);
    normalizer.run(new long[0]);
    scan.run((stripe, first, count, worker) -> {
      for (int r = 0; r < count; r++) {
        for (int b = 0; b < batch; b++) {
          int at = r * scan.stride() + b;
          worker.logits[at] = (float) (worker.logits[at] - normalizer.logSumExp(b));
        }
      }
      panel.accept(first, count, worker.logits, scan.stride());
    });
  }

  /**
   * Returns log Σ_v e^logit_v for each entry of the batch, in double; reads the table once and
   * never holds batch × V numbers.
   */
  public double[] logSumExp(float[] hidden, int batch) {
    OutputScan scan = new OutputScan(this);
    scan.load(hidden, batch);
    Normalizer normalizer = new Normalizer(scan);
    normalizer.run(new long[0]);
    double[] result = new double[batch];
    for (int b = 0; b < batch; b++) {
      result[b] = normalizer.logSumExp(b);
    }
    return result;
  }

  @Override
  public String toString() {
    return "TiedOutput[%s]".formatted(weights);
  }
}

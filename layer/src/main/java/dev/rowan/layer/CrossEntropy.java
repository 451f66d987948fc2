package dev.rowan.layer;

import dev.rowan.core.kernel.Matrix;
import java.util.Arrays;

/**
 * Softmax cross-entropy over all V rows, computed while logits go by: at no time are batch × V
 * numbers held. loss_b = log Σ_v e^z_bv − z_b,target.
 *
 * <p>{@link #forward} reads the table once; the gradients compute the logits again (one more
 * product instead of batch × V memory). With G = ∂loss/∂s (softmax minus one-hot, times the slope
 * of a soft-cap): dh = hiddenScale · G·E, dE = hiddenScale · Gᵀ·h, dbias = Σ_b G. Sums do not
 * depend on the number of threads. Memory is kept between calls. Not safe for concurrent use.
 */
public final class CrossEntropy {
  /** A target that is left out of the loss and the gradient. */
  public static final long IGNORED = -100;

  /** How the losses of a batch become one. */
  public enum Reduction {
    /** Their mean over targets that are not ignored; 0 if all are. */
    MEAN,
    /** Their sum. */
    SUM
  }

  private final TiedOutput output;
  private final Reduction reduction;
  private final OutputScan scan;
  private final Normalizer normalizer;
  private long[] targets = new long[0];
  private float[] factors = new float[0]; // reduction weight / Σ e^(z−m), one an entry
  private float[] shares = new float[0]; // reduction weight of each entry, 0 if ignored
  private float[][] hiddenParts = new float[0][];
  private float[] biasGradient = new float[0];
  private boolean ready;

  /** Makes an objective over an output. */
  public CrossEntropy(TiedOutput output, Reduction reduction) {
    this.output = output;
    this.reduction = reduction;
    this.scan = new OutputScan(output);
    this.normalizer = new Normalizer(scan);
  }

  /**
   * Computes the loss of a batch.
   *
   * @param hidden batch × d numbers
   * @param newTargets one id an entry, in [0, V) or {@link #IGNORED}
   * @return the loss, in double
   * @throws IndexOutOfBoundsException if a target is otherwise
   * @throws IllegalArgumentException if there are not batch × d numbers
   */
  public double forward(float[] hidden, long[] newTargets) {
    ready = false;
    int batch = newTargets.length;
    long rows = output.weights().rows();
    int kept = 0;
    for (int b = 0; b < batch; b++) {
      if (newTargets[b] != IGNORED) {
        if (newTargets[b] < 0 || newTargets[b] >= rows) {
          throw new IndexOutOfBoundsException(
              "target %d at position %d is not in [0, %d) nor %d (ignored)"
                  .formatted(newTargets[b], b, rows, IGNORED));
        }
        kept++;
      }
    }
    scan.load(hidden, batch);
    targets = newTargets.clone();
    normalizer.run(targets);
    prepareFactors(kept);
    double sum = 0;
    for (int b = 0; b < batch; b++) {
      if (targets[b] != IGNORED) {
        sum += loss(b);
      }
    }
    ready = true;
    return reduction == Reduction.MEAN && kept > 0 ? sum / kept : sum;
  }

  /** Returns the loss of one entry, before reduction; 0 if it is ignored. */
  public double loss(int b) {
    java.util.Objects.checkIndex(b, targets.length);
    return targets[b] == IGNORED ? 0 : normalizer.logSumExp(b) - normalizer.targetLogit(b);
  }

  private void prepareFactors(int kept) {
    int stride = scan.stride();
    if (factors.length != stride) {
      factors = new float[stride];
      shares = new float[stride];
    }
    float share = reduction == Reduction.MEAN && kept > 0 ? 1f / kept : 1f;
    for (int b = 0; b < stride; b++) {
      boolean counts = b < targets.length && targets[b] != IGNORED;
      shares[b] = counts ? share : 0f;
      factors[b] = counts ? (float) (share / normalizer.total(b)) : 0f;
    }
  }

  /**
   * Computes the gradient of the hidden vectors alone; one pass over the table.
   *
   * @param hiddenGradient receives batch × d numbers
   * @throws IllegalStateException if there was no forward
   * @throws IllegalArgumentException if there is no room for them
   */
  public void backward(float[] hiddenGradient) {
    backward(hiddenGradient, (_, _, _) -> {});
  }

  /**
   * Computes both gradients in one pass. The table's is V × d by nature and is held as such here;
   * {@link #step} does without.
   *
   * @param hiddenGradient receives batch × d numbers
   * @param tableGradient is overwritten by all V rows
   */
  public void backward(float[] hiddenGradient, RowGradient tableGradient) {
    int width = output.weights().width();
    tableGradient.requireShape(output.weights().rows(), width);
    requireForward(hiddenGradient);
    float[] dense = tableGradient.dense();
    backward(
        hiddenGradient,
        (first, count, rows) ->
            System.arraycopy(rows, 0, dense, (int) (first * width), count * width));
  }

  /** Receives the gradient of consecutive rows; called by several threads for different rows. */
  public interface RowPanel {
    /** Takes count × d numbers; the array is only lent. */
    void accept(long first, int count, float[] rows);
  }

  /**
   * Computes both gradients in one pass and hands the table's out some rows at a time.
   *
   * @param hiddenGradient receives batch × d numbers
   */
  public void backward(float[] hiddenGradient, RowPanel tableGradient) {
    requireForward(hiddenGradient);
    prepareHiddenParts();
    scan.run((stripe, first, count, worker) -> {
      signal(first, count, worker);
      Matrix signal = Matrix.of(worker.logits, 0, count, scan.stride());
      addHidden(signal, worker, hiddenParts[stripe]);
      rowGradient(signal, worker);
      tableGradient.accept(first, count, worker.gradient);
    });
    sumHidden(hiddenGradient);
  }

  /**
   * Does one optimizer step with the table's gradient, some rows at a time and without holding it,
   * plus the gradient of another use of the same table: its lookup, when input and output are tied.
   * One more pass over the table.
   *
   * @param lookup the gradient to add; {@link RowGradient#empty} if there is none
   * @throws IllegalArgumentException if the optimizer is of another table; nothing is changed then
   * @throws IllegalStateException if there was no forward, or the table is frozen
   */
  public void step(Optimizer optimizer, RowGradient lookup) {
    WeightTable weights = output.weights();
    if (optimizer.weights() != weights) {
      throw new IllegalArgumentException(
          "the optimizer is of %s, not of the output's %s".formatted(optimizer.weights(), weights));
    }
    lookup.requireShape(weights.rows(), weights.width());
    requireForward(null);
    optimizer.begin();
    int width = weights.width();
    RowUpdate.Scratch[] scratches = optimizer.scratches();
    scan.run((stripe, first, count, worker) -> {
      if (worker.optimizerSlot < 0) {
        worker.optimizerSlot = optimizer.takeSlot();
      }
      RowUpdate.Scratch scratch = scratches[worker.optimizerSlot];
      signal(first, count, worker);
      rowGradient(Matrix.of(worker.logits, 0, count, scan.stride()), worker);
      for (int r = 0; r < count; r++) {
        System.arraycopy(worker.gradient, r * width, scratch.g, 0, width);
        int at = lookup.find(first + r);
        if (at >= 0) {
          scan.kernels.add(lookup.rawValues(), at * width, scratch.g, 0, width);
        }
        optimizer.apply(first + r, scratch);
      }
    });
    ready = false; // the logits of the old rows are gone
  }

  /**
   * Returns the bias's gradient of the last backward or step: V numbers; empty without a bias. The
   * array is reused.
   */
  public float[] biasGradient() {
    return biasGradient;
  }

  /** Turns a panel's logits into G: share · (softmax − one-hot) · slope. */
  private void signal(long first, int count, OutputScan.Worker worker) {
    int stride = scan.stride();
    float[] values = worker.logits;
    OutputOptions options = output.options();
    float[] slopes = options.softCap().isPresent() ? slopes(values, count * stride) : new float[0];
    for (int r = 0; r < count; r++) {
      scan.kernels.exponentials(values, r * stride, normalizer.largest(), factors, stride);
    }
    for (int b = 0; b < targets.length; b++) {
      long place = targets[b] - first;
      if (targets[b] != IGNORED && place >= 0 && place < count) {
        values[(int) place * stride + b] -= shares[b];
      }
    }
    for (int i = 0; i < slopes.length; i++) {
      values[i] *= slopes[i];
    }
    if (output.bias() != null) {
      for (int r = 0; r < count; r++) {
        double sum = 0;
        for (int b = 0; b < targets.length; b++) {
          sum += values[r * stride + b];
        }
        biasGradient[(int) first + r] = (float) sum;
      }
    }
  }

  private float[] slopes(float[] logits, int count) {
    float[] slopes = new float[count];
    for (int i = 0; i < count; i++) {
      slopes[i] = (float) output.options().slope(logits[i]);
    }
    return slopes;
  }

  private void addHidden(Matrix signal, OutputScan.Worker worker, float[] sum) {
    int width = output.weights().width();
    Matrix entries = new Matrix(worker.logits, 0, targets.length, signal.rows(), 1, scan.stride());
    Matrix rows = Matrix.of(worker.rows, 0, signal.rows(), width);
    scan.kernels.multiply(entries, rows, Matrix.of(sum, 0, targets.length, width));
  }

  private void rowGradient(Matrix signal, OutputScan.Worker worker) {
    int width = output.weights().width();
    if (worker.gradient.length < OutputScan.PANEL * width) {
      worker.gradient = new float[OutputScan.PANEL * width];
    }
    Arrays.fill(worker.gradient, 0, signal.rows() * width, 0f);
    Matrix entries = new Matrix(worker.logits, 0, signal.rows(), targets.length, scan.stride(), 1);
    Matrix hidden = Matrix.of(scan.scaled(), 0, targets.length, width);
    scan.kernels.multiply(entries, hidden, Matrix.of(worker.gradient, 0, signal.rows(), width));
  }

  private void prepareHiddenParts() {
    int size = targets.length * output.weights().width();
    int stripes = scan.stripes();
    if (hiddenParts.length != stripes || hiddenParts[0].length != size) {
      hiddenParts = new float[stripes][size];
    }
    for (float[] part : hiddenParts) {
      Arrays.fill(part, 0);
    }
  }

  private void sumHidden(float[] target) {
    int size = hiddenParts[0].length;
    System.arraycopy(hiddenParts[0], 0, target, 0, size);
    for (int s = 1; s < hiddenParts.length; s++) {
      scan.kernels.add(hiddenParts[s], 0, target, 0, size);
    }
    float scale = output.options().hiddenScale();
    if (scale != 1) {
      scan.kernels.scale(scale, target, 0, size);
    }
  }

  private void requireForward(float @org.jspecify.annotations.Nullable [] hiddenGradient) {
    if (!ready) {
      throw new IllegalStateException("no gradient before forward; a step uses forward up");
    }
    if (hiddenGradient != null) {
      Checks.room(
          "hidden gradient", hiddenGradient.length, targets.length, output.weights().width());
    }
    if (output.bias() != null && biasGradient.length != output.weights().rows()) {
      biasGradient = new float[(int) output.weights().rows()];
    }
  }
}

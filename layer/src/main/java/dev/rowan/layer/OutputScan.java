package dev.rowan.layer;

import dev.rowan.core.OutOfRange;
import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs over the table in panels of rows and computes each panel's logits for the whole batch.
 *
 * <p>Panels are dealt out in stripes: runs of consecutive panels whose number does not depend on
 * the number of threads, so that sums kept by stripe have the same bits for any number. Memory: the
 * batch twice, and a panel of rows and of logits for each worker.
 */
final class OutputScan {
  /** 8 tiles of 6 rows; at d = 768, 147 KB of rows stay in the second-level cache. */
  static final int PANEL = 48;

  /** Enough to share among 16 threads; each keeps a batch × d sum in the backward pass. */
  private static final int STRIPES = 16;

  /** Columns of a block of the packed batch: 4 vectors of 16, the kernel's widest tile. */
  private static final int BLOCK = 64;

  private static final int LANES = 16;

  final TiedOutput output;
  final WeightTable weights;
  final RowKernels kernels = RowKernels.best();
  private final int width;
  private int batch;
  private int stride;
  private float[] scaled = new float[0]; // hiddenScale · h, batch × d
  private float[] packed = new float[0]; // blocks of d × 64 numbers, zeros beyond the batch
  private Worker[] workers = new Worker[0];
  private final AtomicInteger nextWorker = new AtomicInteger();

  OutputScan(TiedOutput output) {
    this.output = output;
    this.weights = output.weights();
    this.width = weights.width();
  }

  /** What one worker holds: a panel of rows, its logits, and the panel's gradient. */
  static final class Worker {
    float[] rows = new float[0];
    float[] logits = new float[0];
    float[] gradient = new float[0];
    int optimizerSlot = -1;
  }

  /** Takes the logits of a panel: that of row first + r and entry b is at r × stride + b. */
  interface PanelTask {
    void accept(int stripe, long first, int count, Worker worker);
  }

  int batch() {
    return batch;
  }

  /** Returns the batch rounded up to whole vectors: places from one row's logits to the next. */
  int stride() {
    return stride;
  }

  /** Returns hiddenScale · h, batch × d. */
  float[] scaled() {
    return scaled;
  }

  int stripes() {
    return (int) Math.min(STRIPES, Parallel.chunks(weights.rows(), PANEL));
  }

  /** Checks, scales and packs the hidden vectors. */
  void load(float[] hidden, int newBatch) {
    OutOfRange.atLeast("batch", newBatch, 1);
    Checks.length("hidden", hidden, newBatch, width);
    float[] bias = output.bias();
    if (bias != null && bias.length != weights.rows()) {
      throw new IllegalStateException(
          "the bias has %,d numbers but the table was resized to %,d rows; make a new output"
              .formatted(bias.length, weights.rows()));
    }
    batch = newBatch;
    stride = (int) Parallel.chunks(batch, LANES) * LANES;
    if (scaled.length != hidden.length) {
      scaled = new float[hidden.length];
      packed = new float[Math.multiplyExact(stride, width)];
    }
    float scale = output.options().hiddenScale();
    for (int i = 0; i < hidden.length; i++) {
      scaled[i] = scale * hidden[i];
    }
    Arrays.fill(packed, 0);
    for (int b = 0; b < batch; b++) {
      int first = b / BLOCK * BLOCK;
      int columns = Math.min(BLOCK, stride - first);
      int at = first * width + b - first;
      for (int i = 0; i < width; i++) {
        packed[at + i * columns] = scaled[b * width + i];
      }
    }
  }

  void run(PanelTask task) {
    long panels = Parallel.chunks(weights.rows(), PANEL);
    int stripes = stripes();
    prepareWorkers();
    Parallel.run(
        weights.workers(),
        stripes,
        () -> {
          Worker worker = workers[nextWorker.getAndIncrement()];
          return stripe -> {
            long end = panels * (stripe + 1) / stripes;
            for (long panel = panels * stripe / stripes; panel < end; panel++) {
              long first = panel * PANEL;
              int count = (int) Math.min(PANEL, weights.rows() - first);
              computeLogits(first, count, worker);
              task.accept((int) stripe, first, count, worker);
            }
          };
        });
  }

  private void prepareWorkers() {
    var shared = weights.workers();
    int threads = shared == null ? 1 : shared.threads();
    if (workers.length < threads) {
      workers = new Worker[threads];
      for (int i = 0; i < threads; i++) {
        workers[i] = new Worker();
        workers[i].rows = new float[PANEL * width];
      }
    }
    for (Worker worker : workers) {
      worker.optimizerSlot = -1;
      if (worker.logits.length < PANEL * stride) {
        worker.logits = new float[PANEL * stride];
      }
    }
    nextWorker.set(0);
  }

  private void computeLogits(long first, int count, Worker worker) {
    long rowBytes = weights.format().rowBytes(width);
    // rows of a float format lie one after the other: a panel decodes as one long row
    weights.format().decode(weights.data(), first * rowBytes, count * width, worker.rows, 0);
    float[] bias = output.bias();
    for (int r = 0; r < count; r++) {
      float start = bias == null ? 0f : bias[(int) first + r];
      Arrays.fill(worker.logits, r * stride, (r + 1) * stride, start);
    }
    Matrix rows = Matrix.of(worker.rows, 0, count, width);
    for (int column = 0; column < stride; column += BLOCK) {
      int columns = Math.min(BLOCK, stride - column);
      Matrix block = Matrix.of(packed, column * width, width, columns);
      Matrix target = new Matrix(worker.logits, column, count, columns, stride, 1);
      kernels.multiply(rows, block, target);
    }
    OutputOptions options = output.options();
    if (options.softCap().isPresent()) {
      for (int i = 0; i < count * stride; i++) {
        worker.logits[i] = (float) options.logit(worker.logits[i]);
      }
    }
  }
}

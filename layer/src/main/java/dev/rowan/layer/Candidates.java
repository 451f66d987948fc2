package dev.rowan.layer;

import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;

/**
 * Some rows of an output's table scored against some hidden vectors, and the gradients of that:
 * pairs (entry of the batch, row), each with a coefficient ∂loss/∂s.
 */
final class Candidates {
  private final TiedOutput output;
  private final Coalescer coalescer = new Coalescer();
  private final RowKernels kernels = RowKernels.best();
  private final float[] row;
  private float[] hidden = new float[0];
  private int batch;
  private long[] rowOf = new long[0]; // the row of each pair
  private int[] entryOf = new int[0];
  private double[] coefficient = new double[0];
  private int pairs;

  Candidates(TiedOutput output) {
    this.output = output;
    this.row = new float[output.weights().width()];
  }

  void begin(float[] newHidden, long[] targets) {
    batch = targets.length;
    Checks.length("hidden", newHidden, batch, row.length);
    for (int b = 0; b < batch; b++) {
      if (targets[b] < 0 || targets[b] >= output.weights().rows()) {
        throw new IndexOutOfBoundsException(
            "target %d at position %d is not in [0, %d)"
                .formatted(targets[b], b, output.weights().rows()));
      }
    }
    hidden = newHidden.clone();
    pairs = 0;
  }

  /** Returns the logit of a pair. */
  double logit(int entry, long id) {
    output.weights().read(id, row, 0);
    int width = row.length;
    double dot = Exact.dot(hidden, entry * width, row, 0, width);
    return output.options().logit(output.options().hiddenScale() * dot + output.biasOf(id));
  }

  /** Keeps a pair; {@code signal} is ∂loss/∂z of its logit z. */
  void keep(int entry, long id, double logit, double signal) {
    if (rowOf.length == pairs) {
      int room = Math.max(16, 2 * pairs);
      rowOf = Arrays.copyOf(rowOf, room);
      entryOf = Arrays.copyOf(entryOf, room);
      coefficient = Arrays.copyOf(coefficient, room);
    }
    rowOf[pairs] = id;
    entryOf[pairs] = entry;
    coefficient[pairs++] = signal * output.options().slope(logit);
  }

  /** Writes the gradient of the hidden vectors and adds that of the rows touched. */
  void backward(float[] hiddenGradient, RowGradient tableGradient) {
    int width = row.length;
    WeightTable weights = output.weights();
    Checks.room("hidden gradient", hiddenGradient.length, batch, width);
    tableGradient.requireShape(weights.rows(), width);
    Arrays.fill(hiddenGradient, 0, batch * width, 0f);
    double scale = output.options().hiddenScale();
    for (int p = 0; p < pairs; p++) {
      weights.read(rowOf[p], row, 0);
      float factor = (float) (scale * coefficient[p]);
      kernels.addScaled(factor, row, 0, hiddenGradient, entryOf[p] * width, width);
    }
    coalescer.group(Arrays.copyOf(rowOf, pairs), weights.rows(), -1);
    tableGradient.accumulate(
        coalescer,
        (segment, target, offset) -> {
          Arrays.fill(target, offset, offset + width, 0f);
          for (int k = coalescer.start(segment); k < coalescer.end(segment); k++) {
            int p = coalescer.position(k);
            float factor = (float) (scale * coefficient[p]);
            kernels.addScaled(factor, hidden, entryOf[p] * width, target, offset, width);
          }
        },
        weights.workers());
  }

  /** Adds ∂loss/∂bias for the rows touched. */
  void addBiasGradient(float[] biasGradient) {
    Checks.length("the bias gradient", biasGradient, output.weights().rows(), 1);
    for (int p = 0; p < pairs; p++) {
      biasGradient[(int) rowOf[p]] += (float) coefficient[p];
    }
  }
}

package dev.rowan.layer;

import java.util.Arrays;

/**
 * The softmax's denominators in one pass: for each entry of the batch the largest logit m and Σ
 * e^(z − m), kept by stripe while the logits go by. Panel sums are float32 over at most 48 terms,
 * everything above is double.
 */
final class Normalizer {
  private final OutputScan scan;
  private float[][] maxima = new float[0][];
  private double[][] sums = new double[0][];
  private float[] largest = new float[0];
  private double[] total = new double[0];
  private double[] targetLogits = new double[0];

  Normalizer(OutputScan scan) {
    this.scan = scan;
  }

  /** Returns log Σ e^z of an entry. */
  double logSumExp(int b) {
    return largest[b] + Math.log(total[b]);
  }

  /** Returns the largest logit of each entry: the shift under which {@link #total} is summed. */
  float[] largest() {
    return largest;
  }

  /** Returns Σ e^(z − largest) of an entry. */
  double total(int b) {
    return total[b];
  }

  /** Returns the logit of an entry's target; 0 if it has none. */
  double targetLogit(int b) {
    return targetLogits[b];
  }

  /**
   * Runs over the table.
   *
   * @param targets the row whose logit to keep for each entry, negative for none; may be empty
   */
  void run(long[] targets) {
    int stride = scan.stride();
    int stripes = scan.stripes();
    prepare(stripes, stride);
    scan.run((stripe, first, count, worker) -> {
      float[] max = maxima[stripe];
      double[] sum = sums[stripe];
      float[] logits = worker.logits;
      float[] scratch = reserveScratch(worker, 2 * stride);
      System.arraycopy(max, 0, scratch, stride, stride);
      for (int r = 0; r < count; r++) {
        scan.kernels.max(logits, r * stride, max, 0, stride);
      }
      for (int b = 0; b < stride; b++) {
        float before = scratch[stride + b];
        sum[b] = before == max[b] ? sum[b] : sum[b] * Math.exp((double) before - max[b]);
      }
      Arrays.fill(scratch, 0, stride, 0f);
      for (int r = 0; r < count; r++) {
        scan.kernels.addExponentials(logits, r * stride, max, scratch, stride);
      }
      for (int b = 0; b < stride; b++) {
        sum[b] += scratch[b];
      }
      for (int b = 0; b < targets.length; b++) {
        long place = targets[b] - first;
        if (place >= 0 && place < count) {
          targetLogits[b] = logits[(int) place * stride + b];
        }
      }
    });
    combine(stripes, stride);
  }

  private static float[] reserveScratch(OutputScan.Worker worker, int size) {
    if (worker.gradient.length < size) {
      worker.gradient = new float[size];
    }
    return worker.gradient;
  }

  private void prepare(int stripes, int stride) {
    if (maxima.length != stripes || largest.length != stride) {
      maxima = new float[stripes][stride];
      sums = new double[stripes][stride];
      largest = new float[stride];
      total = new double[stride];
      targetLogits = new double[stride];
    }
    for (int s = 0; s < stripes; s++) {
      Arrays.fill(maxima[s], Float.NEGATIVE_INFINITY);
      Arrays.fill(sums[s], 0);
    }
    Arrays.fill(targetLogits, 0);
  }

  private void combine(int stripes, int stride) {
    for (int b = 0; b < stride; b++) {
      float max = Float.NEGATIVE_INFINITY;
      for (int s = 0; s < stripes; s++) {
        max = Math.max(max, maxima[s][b]);
      }
      double sum = 0;
      for (int s = 0; s < stripes; s++) {
        sum += sums[s][b] * Math.exp((double) maxima[s][b] - max);
      }
      largest[b] = max;
      total[b] = sum;
    }
  }
}

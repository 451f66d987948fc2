package dev.rowan.layer;

import dev.rowan.core.OutOfRange;
import java.util.SplittableRandom;

/**
 * Softmax cross-entropy over the target and a few rows drawn anew for each batch, the same for all
 * its entries (Bengio and Senécal 2008). The sum over V is estimated as e^z_target + Σ e^z / (n·p)
 * over the n drawn rows, p being their chance in one draw; a drawn row that is the entry's target
 * is left out. That estimate of the sum is unbiased, so the full softmax is the limit of many
 * draws. (TensorFlow's {@code sampled_softmax_loss} draws without replacement and corrects the
 * target's logit as well.) The loss is the mean over the batch.
 *
 * <p>Cost per batch: batch × (drawn + 1) rows, whatever V is. The loss is a biased estimate of
 * {@link CrossEntropy}: report that one. Not safe for concurrent use.
 */
public final class SampledSoftmax {
  private final Candidates candidates;
  private final TiedOutput output;
  private final NegativeSampler sampler;
  private final int drawn;
  private final SplittableRandom random;
  private boolean ready;

  /**
   * Makes an objective.
   *
   * @param drawn how many rows are drawn for a batch, 1 or more
   * @throws IllegalArgumentException if {@code drawn} is below 1 or the sampler has not V ids
   */
  public SampledSoftmax(TiedOutput output, NegativeSampler sampler, int drawn, long seed) {
    requireFit(output, sampler, drawn);
    this.output = output;
    this.sampler = sampler;
    this.drawn = drawn;
    this.candidates = new Candidates(output);
    this.random = new SplittableRandom(seed);
  }

  static void requireFit(TiedOutput output, NegativeSampler sampler, int drawn) {
    OutOfRange.atLeast("drawn", drawn, 1);
    if (sampler.rows() != output.weights().rows()) {
      throw new IllegalArgumentException(
          "the sampler draws from %,d ids; the table has %,d rows"
              .formatted(sampler.rows(), output.weights().rows()));
    }
  }

  /**
   * Draws rows and computes the mean loss.
   *
   * @param hidden batch × d numbers
   * @param targets one id an entry
   * @throws IndexOutOfBoundsException if a target is not in [0, V)
   */
  public double forward(float[] hidden, long[] targets) {
    requireFit(output, sampler, drawn);
    ready = false;
    candidates.begin(hidden, targets);
    long[] rows = new long[drawn];
    for (int i = 0; i < drawn; i++) {
      rows[i] = sampler.draw(random);
    }
    double loss = 0;
    double[] logits = new double[drawn + 1];
    double[] shifted = new double[drawn + 1];
    for (int b = 0; b < targets.length; b++) {
      logits[drawn] = candidates.logit(b, targets[b]);
      shifted[drawn] = logits[drawn];
      double max = shifted[drawn];
      for (int i = 0; i < drawn; i++) {
        logits[i] = candidates.logit(b, rows[i]);
        boolean hit = rows[i] == targets[b];
        shifted[i] = hit ? Double.NEGATIVE_INFINITY : logits[i] - logCount(rows[i]);
        max = Math.max(max, shifted[i]);
      }
      double sum = 0;
      for (double z : shifted) {
        sum += Math.exp(z - max);
      }
      loss += max + Math.log(sum) - shifted[drawn];
      for (int i = 0; i <= drawn; i++) {
        double p = Math.exp(shifted[i] - max) / sum;
        double signal = (i == drawn ? p - 1 : p) / targets.length;
        candidates.keep(b, i == drawn ? targets[b] : rows[i], logits[i], signal);
      }
    }
    ready = true;
    return loss / targets.length;
  }

  private double logCount(long id) {
    return Math.log(drawn * sampler.probability(id));
  }

  /**
   * Computes the gradients of the last forward.
   *
   * @param hiddenGradient receives batch × d numbers
   * @param tableGradient the touched rows are added
   * @throws IllegalStateException if there was no forward
   */
  public void backward(float[] hiddenGradient, RowGradient tableGradient) {
    if (!ready) {
      throw new IllegalStateException("no gradient before forward");
    }
    candidates.backward(hiddenGradient, tableGradient);
  }

  /** Adds the gradient of the bias, V numbers, for the touched rows. */
  public void addBiasGradient(float[] biasGradient) {
    candidates.addBiasGradient(biasGradient);
  }
}

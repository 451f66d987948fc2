package dev.rowan.layer;

import java.util.SplittableRandom;

/**
 * The objective of word2vec (Mikolov et al. 2013, eq. 4): −log σ(z_target) − Σ log σ(−z_drawn),
 * rows drawn anew for each entry, a drawn row that is the target left out. The loss is the mean
 * over the batch. It is not a likelihood over V: losses of different draws do not compare.
 *
 * <p>Cost per batch: batch × (drawn + 1) rows. Not safe for concurrent use.
 */
public final class NegativeSampling {
  private final Candidates candidates;
  private final TiedOutput output;
  private final NegativeSampler sampler;
  private final int drawn;
  private final SplittableRandom random;
  private boolean ready;

  /**
   * Makes an objective.
   *
   * @param drawn how many rows are drawn for an entry, 1 or more
   * @throws IllegalArgumentException if {@code drawn} is below 1 or the sampler has not V ids
   */
  public NegativeSampling(TiedOutput output, NegativeSampler sampler, int drawn, long seed) {
    SampledSoftmax.requireFit(output, sampler, drawn);
    this.output = output;
    this.sampler = sampler;
    this.drawn = drawn;
    this.candidates = new Candidates(output);
    this.random = new SplittableRandom(seed);
  }

  /**
   * Draws rows and computes the mean loss.
   *
   * @param hidden batch × d numbers
   * @param targets one id an entry
   * @throws IndexOutOfBoundsException if a target is not in [0, V)
   */
  public double forward(float[] hidden, long[] targets) {
    SampledSoftmax.requireFit(output, sampler, drawn);
    ready = false;
    candidates.begin(hidden, targets);
    double loss = 0;
    for (int b = 0; b < targets.length; b++) {
      double z = candidates.logit(b, targets[b]);
      loss += softplus(-z);
      candidates.keep(b, targets[b], z, (sigmoid(z) - 1) / targets.length);
      for (int i = 0; i < drawn; i++) {
        long row = sampler.draw(random);
        if (row != targets[b]) {
          double other = candidates.logit(b, row);
          loss += softplus(other);
          candidates.keep(b, row, other, sigmoid(other) / targets.length);
        }
      }
    }
    ready = true;
    return loss / targets.length;
  }

  /** Returns log(1 + e^z) = −log σ(−z) without overflow. */
  private static double softplus(double z) {
    return Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
  }

  private static double sigmoid(double z) {
    return 1 / (1 + Math.exp(-z));
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

package dev.rowan.layer;

import dev.rowan.core.Rows;
import dev.rowan.core.kernel.Exact;
import java.util.Objects;

/**
 * Lookup and pooling in one: each bag of ids becomes one row, without the looked-up rows ever being
 * stored.
 *
 * <p>Padding ids inside a bag are skipped: they count neither in sums nor in divisors, whatever
 * their row holds. A weight of 0 does not skip: 0 × NaN is NaN. Sums are float32 in the order of
 * positions, divided once. See {@link Pooling} for the formulas.
 *
 * <p>Lookups are safe for any number of threads unless there is a max norm; gradients are not.
 */
public final class EmbeddingBag {
  private final WeightTable weights;
  private final Pooling pooling;
  private final EmbeddingOptions options;
  private final Renorm renorm;
  private final BagPlan plan;

  /**
   * Makes a layer over weights, which may be shared with other layers.
   *
   * @throws IllegalArgumentException if the padding id is not in [−V, V)
   */
  public EmbeddingBag(WeightTable weights, Pooling pooling, EmbeddingOptions options) {
    this.weights = Objects.requireNonNull(weights, "weights");
    this.pooling = Objects.requireNonNull(pooling, "pooling");
    this.options = Objects.requireNonNull(options, "options");
    long _ = options.paddingIn(weights.rows());
    this.renorm = new Renorm(weights);
    this.plan = new BagPlan(weights, pooling);
  }

  /** Returns the rows that training changes. */
  public WeightTable weights() {
    return weights;
  }

  /** Returns how bags are pooled. */
  public Pooling pooling() {
    return pooling;
  }

  /** Returns the options. */
  public EmbeddingOptions options() {
    return options;
  }

  /**
   * Pools bags.
   *
   * @return float32 of shape {@code [bags, d]}
   * @throws IndexOutOfBoundsException if an id is not in [0, V); nothing is written then
   * @throws IllegalArgumentException if there are weights and the pooling takes none
   */
  public Rows lookup(Bags bags) {
    float[] target = new float[Math.multiplyExact(bags.count(), weights.width())];
    lookup(bags, target);
    return new Rows(target, bags.count(), weights.width());
  }

  /**
   * Pools bags into a caller's array, without allocation.
   *
   * @param target receives bags × d numbers from its start
   * @throws IllegalArgumentException also if {@code target} is too short; nothing is written then
   */
  public void lookup(Bags bags, float[] target) {
    check(bags);
    Checks.room("the buffer", target.length, bags.count(), weights.width());
    if (options.maxNorm().isPresent()) {
      renorm.apply(bags.rawIds(), options.maxNorm().get());
    }
    BagLookup.pool(weights, pooling, bags, padding(), options.scale(), target);
  }

  /**
   * Returns the gradient of the table.
   *
   * @param upstream the gradient of the pooled rows, bags × d numbers
   * @throws IndexOutOfBoundsException if an id is not in [0, V)
   * @throws IllegalArgumentException if {@code upstream} has another length
   */
  public RowGradient backward(Bags bags, float[] upstream) {
    RowGradient gradient = RowGradient.empty(weights.rows(), weights.width());
    backward(bags, upstream, gradient);
    return gradient;
  }

  /** As {@link #backward(Bags, float[])}, added to a gradient that the caller keeps. */
  public void backward(Bags bags, float[] upstream, RowGradient gradient) {
    gradient.requireShape(weights.rows(), weights.width());
    SegmentSum sum = prepare(bags, upstream, gradient.coalescer());
    gradient.accumulate(gradient.coalescer(), sum, weights.workers());
  }

  /** Checks a call of backward, groups its ids and returns how they are summed. */
  SegmentSum prepare(Bags bags, float[] upstream, Coalescer coalescer) {
    check(bags);
    Checks.length("upstream", upstream, bags.count(), weights.width());
    plan.prepare(bags, padding());
    coalescer.group(bags.rawIds(), weights.rows(), padding());
    boolean mean = options.frequency() == EmbeddingOptions.Frequency.MEAN;
    return plan.sum(coalescer, upstream, options.scale(), mean);
  }

  /**
   * Returns the gradient of the weights of the ids, one a position; 0 for padding.
   *
   * <p>SUM: dw_p = dy·r_p. MEAN, with W = Σ w: dw_p = dy·(r_p − y) / W. SQRTN, with N = √Σ w²: dw_p
   * = dy·r_p / N − w_p (dy·y) / N².
   *
   * @throws IllegalStateException if the bags have no weights
   */
  public float[] weightGradient(Bags bags, float[] upstream) {
    check(bags);
    Checks.length("upstream", upstream, bags.count(), weights.width());
    if (!bags.hasWeights()) {
      throw new IllegalStateException("these bags have no weights, so their gradient has no place");
    }
    int width = weights.width();
    float[] pooled = new float[Math.multiplyExact(bags.count(), width)];
    BagLookup.pool(weights, pooling, bags, padding(), 1f, pooled);
    plan.prepare(bags, padding());
    float[] gradient = new float[bags.idCount()];
    float[] row = new float[width];
    for (int b = 0; b < bags.count(); b++) {
      double divisor = plan.divisor(b);
      double along = Exact.dot(upstream, b * width, pooled, b * width, width);
      for (int p = bags.start(b); p < bags.end(b); p++) {
        if (bags.id(p) != padding() && divisor != 0) {
          weights.read(bags.id(p), row, 0);
          double dot = Exact.dot(upstream, b * width, row, 0, width);
          double value =
              switch (pooling) {
                case SUM -> dot;
                case MEAN -> (dot - along) / divisor;
                case SQRTN -> dot / divisor - bags.weight(p) * along / (divisor * divisor);
                case MAX -> throw noWeights();
              };
          gradient[p] = (float) (options.scale() * value);
        }
      }
    }
    return gradient;
  }

  private long padding() {
    return options.paddingIn(weights.rows());
  }

  private void check(Bags bags) {
    Checks.ids(bags.rawIds(), weights.rows());
    if (pooling == Pooling.MAX && bags.hasWeights()) {
      throw noWeights();
    }
  }

  private static IllegalArgumentException noWeights() {
    return new IllegalArgumentException("MAX takes no weights; use SUM, MEAN or SQRTN");
  }

  @Override
  public String toString() {
    return "EmbeddingBag[%s, %s]".formatted(pooling, weights);
  }
}

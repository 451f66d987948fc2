package dev.rowan.layer;

import dev.rowan.core.kernel.RowKernels;

/** The arithmetic of a rule on one row, in scratch arrays of d numbers. */
abstract class RowUpdate {
  final RowKernels kernels = RowKernels.best();
  float rate;

  /** What one worker needs to update a row: the row, its gradient, its state. */
  static final class Scratch {
    final float[] w;
    final float[] g;
    final float[] first;
    final float[] second;
    final RowQueue queue;
    float scalar;

    Scratch(int width, RowUpdate update) {
      w = new float[width];
      g = new float[width];
      first = new float[update.vectors() > 0 ? width : 0];
      second = new float[update.vectors() > 1 ? width : 0];
      queue = new RowQueue(width);
    }
  }

  /** Returns how many numbers of state, in units of d, a row has: 0, 1 or 2. */
  int vectors() {
    return 0;
  }

  /** Returns whether a row has one number of state of its own. */
  boolean scalar() {
    return false;
  }

  /** Prepares the factors of a step. */
  void begin(long step, double learningRate) {
    rate = (float) learningRate;
  }

  /** Moves {@code s.w} along {@code s.g}. */
  abstract void apply(Scratch s, int width);

  /** Returns whether a row moves by a multiple of its gradient: {@link #factor} says which. */
  boolean isMultiple() {
    return false;
  }

  /**
   * Updates the row's number of state and returns a: adding a times the gradient to the row gives
   * the bits of {@link #apply}.
   */
  float factor(float[] g, int from, Scratch s, int width) {
    throw new IllegalStateException("this rule does not move rows by multiples of gradients");
  }

  static RowUpdate of(Rule rule) {
    return switch (rule) {
      case Sgd sgd when sgd.momentum() > 0 -> new Momentum((float) sgd.momentum());
      case Sgd _ -> new Plain();
      case Adagrad a -> new Full((float) a.epsilon());
      case RowWiseAdagrad a -> new RowWise((float) a.epsilon());
      case SparseAdam a -> new Adam(a.beta1(), a.beta2(), a.epsilon(), true);
      case LazyAdam a -> new Adam(a.beta1(), a.beta2(), a.epsilon(), false);
      case DenseAdam a -> new Adam(a.beta1(), a.beta2(), a.epsilon(), false);
      case PartialRowWiseAdam a -> new PartialAdam(a);
    };
  }

  private static final class Plain extends RowUpdate {
    @Override
    void apply(Scratch s, int width) {
      kernels.addScaled(-rate, s.g, 0, s.w, 0, width);
    }

    @Override
    boolean isMultiple() {
      return true;
    }

    @Override
    float factor(float[] g, int from, Scratch s, int width) {
      return -rate;
    }
  }

  private static final class Momentum extends RowUpdate {
    private final float momentum;

    Momentum(float momentum) {
      this.momentum = momentum;
    }

    @Override
    int vectors() {
      return 1;
    }

    @Override
    void apply(Scratch s, int width) {
      kernels.scale(momentum, s.first, 0, width);
      kernels.add(s.g, 0, s.first, 0, width);
      kernels.addScaled(-rate, s.first, 0, s.w, 0, width);
    }
  }

  private static final class Full extends RowUpdate {
    private final float epsilon;

    Full(float epsilon) {
      this.epsilon = epsilon;
    }

    @Override
    int vectors() {
      return 1;
    }

    @Override
    void apply(Scratch s, int width) {
      kernels.adagrad(s.w, s.g, s.first, width, rate, epsilon);
    }
  }

  private static final class RowWise extends RowUpdate {
    private final float epsilon;

    RowWise(float epsilon) {
      this.epsilon = epsilon;
    }

    @Override
    boolean scalar() {
      return true;
    }

    @Override
    void apply(Scratch s, int width) {
      kernels.addScaled(factor(s.g, 0, s, width), s.g, 0, s.w, 0, width);
    }

    @Override
    float factor(float[] g, int from, Scratch s, int width) {
      s.scalar += (float) (kernels.squaredNorm(g, from, width) / width);
      return (float) (-rate / (Math.sqrt(s.scalar) + epsilon));
    }

    @Override
    boolean isMultiple() {
      return true;
    }
  }

  private static final class Adam extends RowUpdate {
    private final double beta1;
    private final double beta2;
    private final double epsilon;
    private final boolean sparse;
    private RowKernels.AdamFactors factors = new RowKernels.AdamFactors(0, 1, 0, 1, 0, 1, 1);

    /** With {@code sparse}, ε is added to the uncorrected √v, as PyTorch's SparseAdam does. */
    Adam(double beta1, double beta2, double epsilon, boolean sparse) {
      this.beta1 = beta1;
      this.beta2 = beta2;
      this.epsilon = epsilon;
      this.sparse = sparse;
    }

    @Override
    int vectors() {
      return 2;
    }

    @Override
    void begin(long step, double learningRate) {
      double correction1 = 1 - Math.pow(beta1, (double) step);
      double root2 = Math.sqrt(1 - Math.pow(beta2, (double) step));
      factors =
          new RowKernels.AdamFactors(
              (float) beta1,
              (float) (1 - beta1),
              (float) beta2,
              (float) (1 - beta2),
              (float) (sparse ? learningRate * root2 / correction1 : learningRate / correction1),
              (float) (sparse ? 1 : 1 / root2),
              (float) epsilon);
    }

    @Override
    void apply(Scratch s, int width) {
      kernels.adam(s.w, s.g, s.first, s.second, width, factors);
    }
  }

  private static final class PartialAdam extends RowUpdate {
    private final PartialRowWiseAdam rule;
    private double correction1;
    private double correction2;
    private double learningRate;

    PartialAdam(PartialRowWiseAdam rule) {
      this.rule = rule;
    }

    @Override
    int vectors() {
      return 1;
    }

    @Override
    boolean scalar() {
      return true;
    }

    @Override
    void begin(long step, double learningRate) {
      this.learningRate = learningRate;
      correction1 = 1 - Math.pow(rule.beta1(), (double) step);
      correction2 = 1 - Math.pow(rule.beta2(), (double) step);
    }

    @Override
    void apply(Scratch s, int width) {
      double meanSquare = kernels.squaredNorm(s.g, 0, width) / width;
      s.scalar = (float) (rule.beta2() * s.scalar + (1 - rule.beta2()) * meanSquare);
      kernels.scale((float) rule.beta1(), s.first, 0, width);
      kernels.addScaled((float) (1 - rule.beta1()), s.g, 0, s.first, 0, width);
      double root = Math.sqrt(s.scalar / correction2) + rule.epsilon();
      kernels.addScaled((float) (-learningRate / correction1 / root), s.first, 0, s.w, 0, width);
    }
  }
}

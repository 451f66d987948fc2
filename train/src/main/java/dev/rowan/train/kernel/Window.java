package dev.rowan.train.kernel;

/**
 * One thread's scratch memory for a window: which rows take part, and room for their products.
 *
 * <p>Allocated once, used for every window. Not thread-safe.
 */
public final class Window {
  private final int stride;
  private final int[] inputs;
  private final int[] targets;
  private final float[] hidden;
  private final float[] error;
  private float[] labels;

  /** Logits x_i · o_j, row-major; padded so that whole vectors can be read. */
  final float[] sums;

  /** The factors g_ij, row-major. */
  final float[] factors;

  /** Partial sums of dot products, one vector each, before they are added across lanes. */
  final float[] partial;

  private int inputCount;
  private int targetCount;

  /**
   * Makes scratch memory.
   *
   * @param mostInputs the most input rows of a window
   * @param mostTargets the most target rows, a multiple of {@link WindowKernels#GROUP}
   * @param stride the numbers of a padded row
   */
  public Window(int mostInputs, int mostTargets, int stride) {
    if (mostTargets % WindowKernels.GROUP != 0 || stride % WindowKernels.PADDING != 0) {
      throw new IllegalArgumentException(
          "%d targets and %d numbers a row are not multiples of %d and %d"
              .formatted(mostTargets, stride, WindowKernels.GROUP, WindowKernels.PADDING));
    }
    this.stride = stride;
    int pairs = Math.ceilDiv(Math.multiplyExact(mostInputs, mostTargets), 16) * 16;
    inputs = new int[mostInputs];
    targets = new int[mostTargets];
    hidden = new float[stride];
    error = new float[stride];
    labels = new float[pairs];
    sums = new float[pairs];
    factors = new float[pairs];
    partial = new float[Math.multiplyExact(pairs, 16)];
  }

  /** Returns the numbers of a padded row. */
  public int stride() {
    return stride;
  }

  /** Returns the offsets of the input rows; the first {@link #inputCount} count. */
  public int[] inputs() {
    return inputs;
  }

  /** Returns the offsets of the target rows; the first {@link #targetCount} count. */
  public int[] targets() {
    return targets;
  }

  /** Returns the labels y_ij, row-major: all targets of the first input, then of the second. */
  public float[] labels() {
    return labels;
  }

  /** Returns the hidden row of {@link WindowKernels#stepHidden}. */
  public float[] hidden() {
    return hidden;
  }

  /** Returns what the hidden row would have moved by in the last step. */
  public float[] error() {
    return error;
  }

  /** Returns how many inputs the window has. */
  public int inputCount() {
    return inputCount;
  }

  /** Returns how many targets the window has, a multiple of {@link WindowKernels#GROUP}. */
  public int targetCount() {
    return targetCount;
  }

  /** Sets how many inputs and targets the next step has. */
  public void size(int inputCount, int targetCount) {
    this.inputCount = inputCount;
    this.targetCount = targetCount;
  }

  /**
   * Returns the loss of the last step in nats, over all its pairs: −Σ log σ(±x·o), from the rows
   * before it.
   */
  public double loss() {
    double loss = 0;
    for (int p = 0; p < inputCount * targetCount; p++) {
      float label = labels[p];
      if (label != 0.5f) { // ½ marks padding
        double x = label > 0.5f ? sums[p] : -sums[p];
        // −log σ(x), written so that neither exponential can overflow
        loss += x > 0 ? Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)) - x;
      }
    }
    return loss;
  }
}

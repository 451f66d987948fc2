package dev.rowan.train;

import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.kernel.Window;
import dev.rowan.train.kernel.WindowKernels;
import java.util.Arrays;

/**
 * Learns from windows whose input rows lie in one block and whose output rows lie in another: the
 * step that a single machine does with one block of each, and several threads or machines with as
 * many as they like.
 *
 * <p>One thread's own; allocates nothing after it is made.
 */
final class BlockStep {
  /** Of so many steps, the loss of one is computed: logarithms cost as much as the step itself. */
  private static final int LOSS_EVERY = 128;

  /** Draws before a negative is looked for in order: a few words may have nearly all the weight. */
  private static final int MOST_DRAWS = 32;

  /**
   * The most that rate times inputs of one step may be. A step that m inputs take from the same
   * rows is stable while rate · m · |x|² / 4 < 2, were they alike: with 20 of them at rate 0.025
   * rows longer than 4 blow up, and trained rows are that long. This leaves room for 7.
   */
  private static final float MOST_STEP = 0.16f;

  private final WindowKernels kernels;
  private final Lesson lesson;
  private final Weights weights;
  private final int[] outputs; // by row where it begins
  private final Window window;
  private final Draw draw;
  private final Sharing sharing;
  private int negatives;
  private AliasTable drawn;
  private int firstOutput;
  private int steps;
  private double loss;
  private long losses;

  /**
   * Makes a step.
   *
   * @param outputs by output row where it begins in the weights
   */
  BlockStep(Lesson lesson, int[] outputs, Draw draw, WindowKernels kernels) {
    this.outputs = outputs;
    this.kernels = kernels;
    this.lesson = lesson;
    this.weights = lesson.weights();
    this.draw = draw;
    int inputs = 2 * lesson.settings().window();
    this.window = new Window(inputs, lesson.mostTargets(), weights.stride());
    this.drawn = new AliasTable(new double[] {1});
    this.sharing =
        switch (lesson.settings().output()) {
          case NegativeSampling(_, _, Sharing drawn) -> drawn;
          case HierarchicalSoftmax() -> Sharing.WINDOW;
        };
    enter(0, 0);
  }

  /**
   * Moves to a block of output rows.
   *
   * @param firstRow the first row of the block
   */
  void enter(int block, int firstRow) {
    firstOutput = firstRow;
    switch (lesson.settings().output()) {
      case NegativeSampling(int wanted, _, _) -> {
        drawn = lesson.negatives(block);
        negatives = Math.min(wanted, drawn.size() - 1);
        int n = lesson.mostTargets();
        float[] labels = window.labels();
        for (int p = 0; p < labels.length; p++) {
          int j = p % n;
          labels[p] = j == 0 ? 1 : j <= negatives ? 0 : 0.5f;
        }
        Arrays.fill(window.targets(), weights.zeros());
      }
      case HierarchicalSoftmax() -> negatives = 0;
    }
  }

  /** Returns the window's scratch memory: where callers put the offsets of input rows. */
  Window window() {
    return window;
  }

  /**
   * Learns that each of the inputs predicts an output row.
   *
   * @param in holds the input rows at the offsets that {@link #window} has
   * @param count how many inputs
   * @param row the output row
   */
  void skipGram(float[] in, int count, int row, float rate) {
    switch (sharing) {
      case PAIR -> {
        for (int i = 0; i < count; i++) {
          step(in, i, 1, targets(row, 1), rate);
        }
      }
      case WINDOW -> {
        int n = targets(row, count);
        int steps = Math.ceilDiv(count, Math.max(1, (int) (MOST_STEP / rate)));
        for (int s = 0; s < steps; s++) {
          int from = s * count / steps;
          step(in, from, (s + 1) * count / steps - from, n, rate);
        }
      }
    }
  }

  private void step(float[] in, int from, int count, int targetCount, float rate) {
    int[] inputs = window.inputs();
    System.arraycopy(inputs, from, inputs, 0, count); // those in front are done with
    window.size(count, targetCount);
    kernels.step(in, weights.output(), window, rate);
    note(count);
  }

  /** Learns that the inputs together predict an output row. */
  void bag(float[] in, int count, int row, float rate, Objective.Combine combine) {
    float factor =
        switch (combine) {
          case MEAN -> 1f / count;
          case SUM -> 1;
        };
    kernels.sum(in, window.inputs(), count, factor, window.hidden(), 0, weights.stride());
    learnFromHidden(in, count, row, rate);
  }

  /**
   * As {@link #bag}, with a mean in which input i counts {@code shares[i]} times: what fastText
   * does where the inputs are themselves means of so many rows. Each gets the mean's whole
   * gradient.
   */
  void bag(float[] in, int[] shares, int count, int row, float rate) {
    float[] hidden = window.hidden();
    int[] inputs = window.inputs();
    int all = 0;
    for (int i = 0; i < count; i++) {
      all += shares[i];
    }
    Arrays.fill(hidden, 0, weights.stride(), 0);
    for (int i = 0; i < count; i++) {
      float share = (float) shares[i] / all;
      int from = inputs[i];
      for (int k = 0; k < weights.stride(); k++) {
        hidden[k] += share * in[from + k];
      }
    }
    learnFromHidden(in, count, row, rate);
  }

  private void learnFromHidden(float[] in, int count, int row, float rate) {
    window.size(1, targets(row, 1));
    kernels.stepHidden(weights.output(), window, rate);
    kernels.add(in, window.inputs(), count, window.error(), 0, weights.stride());
    note(1);
  }

  /** Sets targets and labels for an output row; returns how many targets there are. */
  private int targets(int row, int inputs) {
    if (lesson.tree().isPresent()) {
      return path(lesson.tree().get(), row, inputs);
    }
    int[] targets = window.targets();
    targets[0] = outputs[row];
    for (int k = 1; k <= negatives; k++) {
      int local = drawn.draw(draw.bits());
      for (int tries = 1; holds(targets, k, offset(local)); tries++) {
        local = tries < MOST_DRAWS ? drawn.draw(draw.bits()) : (local + 1) % drawn.size();
      }
      targets[k] = offset(local);
    }
    return lesson.mostTargets();
  }

  private int offset(int local) {
    return outputs[firstOutput + local];
  }

  /** Two targets must not be one row, since a step writes each only once. */
  private static boolean holds(int[] targets, int count, int offset) {
    for (int j = 0; j < count; j++) {
      if (targets[j] == offset) {
        return true;
      }
    }
    return false;
  }

  private int path(HuffmanTree tree, int word, int inputs) {
    int start = tree.start(word);
    int length = tree.start(word + 1) - start;
    int n = Math.ceilDiv(length, WindowKernels.GROUP) * WindowKernels.GROUP;
    int[] targets = window.targets();
    float[] labels = window.labels();
    for (int j = 0; j < n; j++) {
      boolean real = j < length;
      targets[j] = real ? outputs[tree.node(start + j)] : weights.zeros();
      labels[j] = real ? 1 - tree.code(start + j) : 0.5f;
    }
    for (int i = 1; i < inputs; i++) {
      System.arraycopy(labels, 0, labels, i * n, n);
    }
    return n;
  }

  private void note(int predictions) {
    if (++steps % LOSS_EVERY == 0) {
      loss += window.loss();
      losses += predictions;
    }
  }

  /** Returns the sum of the losses that were computed, in nats. */
  double loss() {
    return loss;
  }

  /** Returns how many predictions they belong to. */
  long losses() {
    return losses;
  }

  /** Begins to sum anew. */
  void clearLoss() {
    steps = 0;
    loss = 0;
    losses = 0;
  }
}

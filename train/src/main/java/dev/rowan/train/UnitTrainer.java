package dev.rowan.train;

import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.SkipGram;
import dev.rowan.train.kernel.WindowKernels;

/**
 * Learns from units of the corpus, all rows in one block. What a unit does depends on the seed, the
 * epoch, its number and the rows alone.
 *
 * <p>One thread's own; allocates nothing after it is made.
 */
final class UnitTrainer {
  private final Lesson lesson;
  private final Weights weights;
  private final Draw draw = new Draw();
  private final BlockStep step;
  private final Sentences sentences;
  private final int[] words; // of a sentence
  private final int spare;
  private final SentenceRows rows;
  private final Replicas inputs;
  private final Replicas outputs;
  private final int[] shares; // of the words of a window, where they are made of parts

  /**
   * Makes a trainer.
   *
   * @param thread its number among all, from 0
   */
  UnitTrainer(Lesson lesson, int thread, WindowKernels kernels) {
    TrainingSettings settings = lesson.settings();
    this.lesson = lesson;
    this.weights = lesson.weights();
    this.inputs = Replicas.ofInput(lesson, thread, kernels);
    this.outputs = Replicas.ofOutput(lesson, thread, kernels);
    this.step = new BlockStep(lesson, outputs.offsets(), draw, kernels);
    this.sentences = new Sentences(lesson, draw);
    this.words = sentences.words();
    int copies = thread * lesson.spareInputs() + lesson.hotInputs().size();
    this.spare = weights.spareInput(copies);
    this.shares = new int[2 * settings.window()];
    this.rows =
        new SentenceRows(
            lesson, inputs.offsets(), kernels, lesson.grams().isPresent() ? words.length : 0);
  }

  /** Learns from a unit. */
  void train(int epoch, int number) {
    step.clearLoss();
    draw.seed(lesson.settings().seed(), epoch, number);
    sentences.start(epoch, number);
    int count;
    while ((count = sentences.next()) >= 0) {
      float rate = (float) sentences.rate();
      if (lesson.grams().isPresent()) {
        rows.gather(words, count);
        windows(count, rate);
        rows.scatter(words, count);
      } else {
        windows(count, rate);
      }
      inputs.advance(sentences.taken());
      outputs.advance(sentences.taken());
    }
  }

  private void windows(int count, float rate) {
    int most = lesson.settings().window();
    boolean grams = lesson.grams().isPresent();
    boolean frozen = !lesson.frozen().isEmpty();
    int[] window = step.window().inputs();
    int[] offsets = inputs.offsets();
    float[] in = grams ? rows.values() : weights.input();
    for (int at = 0; at < count; at++) {
      int radius = 1 + draw.below(most);
      int from = Math.max(0, at - radius);
      int to = Math.min(count - 1, at + radius);
      int m = 0;
      for (int i = from; i <= to; i++) {
        if (i != at) {
          window[m++] = grams ? i * weights.stride() : offsets[words[i]];
        }
      }
      if (m > 0) {
        if (frozen) {
          protect(from, to, at);
        }
        if (grams && lesson.settings().objective() instanceof Cbow) {
          rows.parts(words, from, to, at, shares);
          step.bag(in, shares, m, words[at], rate);
        } else {
          learn(in, m, words[at], rate);
        }
      }
    }
  }

  private void learn(float[] in, int count, int row, float rate) {
    switch (lesson.settings().objective()) {
      case SkipGram() -> step.skipGram(in, count, row, rate);
      case Cbow(Objective.Combine combine) -> step.bag(in, count, row, rate, combine);
    }
  }

  /** Lets frozen rows take part as copies, which are thrown away. */
  private void protect(int from, int to, int at) {
    int[] offsets = step.window().inputs();
    int m = 0;
    for (int i = from; i <= to; i++) {
      if (i != at) {
        if (lesson.frozen().get(words[i])) {
          int copy = spare + m * weights.stride();
          System.arraycopy(weights.input(), offsets[m], weights.input(), copy, weights.stride());
          offsets[m] = copy;
        }
        m++;
      }
    }
  }

  /** Merges a part of the replicas with the rows; for pauses, when no thread learns. */
  void mergePart(long part, int parts) {
    inputs.mergePart(part, parts);
    outputs.mergePart(part, parts);
  }

  /** Returns the sum of the losses computed in the last unit, in nats. */
  double loss() {
    return step.loss();
  }

  /** Returns how many predictions they belong to. */
  long losses() {
    return step.losses();
  }
}

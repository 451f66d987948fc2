package dev.rowan.train;

import dev.rowan.train.kernel.WindowKernels;
import java.util.Arrays;

/**
 * The rows of a sentence's words where a word's row is the mean of several: made once a sentence,
 * changed by its windows like rows of their own, and what they moved by is then given to each of
 * the rows that they are made of.
 *
 * <p>fastText gives each part the whole gradient of the mean, so the mean moves by just that
 * gradient, for skip-gram and CBOW alike: within a sentence this is what fastText does, except that
 * two words which share an n-gram do not see each other's changes before its end. The reward is
 * that parts are read and written once a word, not once a pair.
 */
final class SentenceRows {
  private final Lesson lesson;
  private final WindowKernels kernels;
  private final int[] offsets; // by row of a part
  private final int stride;
  private final float[] values;
  private final float[] before;
  private final int[] parts;

  SentenceRows(Lesson lesson, int[] offsets, WindowKernels kernels, int words) {
    this.lesson = lesson;
    this.kernels = kernels;
    this.offsets = offsets;
    this.stride = lesson.weights().stride();
    this.values = new float[Math.multiplyExact(words, stride)];
    this.before = new float[values.length];
    this.parts = new int[lesson.grams().map(GramRows::most).orElse(0)];
  }

  /** Returns the rows, word i of the sentence from i × stride on. */
  float[] values() {
    return values;
  }

  /** Makes the rows of a sentence. */
  void gather(int[] words, int count) {
    GramRows grams = lesson.grams().orElseThrow();
    for (int i = 0; i < count; i++) {
      int n = grams.offsets(words[i], offsets, parts);
      kernels.sum(lesson.weights().input(), parts, n, 1f / n, values, i * stride, stride);
    }
    System.arraycopy(values, 0, before, 0, count * stride);
  }

  /** Writes of how many parts the words of a window are made, the one in the middle left out. */
  void parts(int[] words, int from, int to, int middle, int[] target) {
    GramRows grams = lesson.grams().orElseThrow();
    int m = 0;
    for (int i = from; i <= to; i++) {
      if (i != middle) {
        target[m++] = grams.parts(words[i]);
      }
    }
  }

  /** Gives back by how much they moved. */
  void scatter(int[] words, int count) {
    GramRows grams = lesson.grams().orElseThrow();
    for (int i = 0; i < count; i++) {
      if (lesson.frozen().get(words[i])) {
        continue;
      }
      int from = i * stride;
      boolean moved = !Arrays.equals(values, from, from + stride, before, from, from + stride);
      if (moved) {
        for (int k = from; k < from + stride; k++) {
          before[k] = values[k] - before[k];
        }
        int n = grams.offsets(words[i], offsets, parts);
        kernels.add(lesson.weights().input(), parts, n, before, from, stride);
      }
    }
  }
}

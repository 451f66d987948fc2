package dev.rowan.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.kernel.Window;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Steps of CBOW against finite differences of −Σ y log σ(h·o) + (1 − y) log (1 − σ(h·o)), computed
 * in double from rows before the step, without the code under test.
 */
class BlockStepTest {
  private static final int WIDTH = 10;
  private static final float RATE = 1e-3f;
  private static final int INPUTS = 3;

  @TempDir Path folder;

  private interface Step {
    void go(BlockStep step, float[] in);
  }

  private static final class Before {
    final Window window;
    final float[] in;
    final float[] out;

    Before(Window window, float[] in, float[] out) {
      this.window = window;
      this.in = in;
      this.out = out;
    }

    double loss(double[] shares) {
      double loss = 0;
      double[] hidden = new double[WIDTH];
      for (int i = 0; i < INPUTS; i++) {
        for (int k = 0; k < WIDTH; k++) {
          hidden[k] += shares[i] * in[window.inputs()[i] + k];
        }
      }
      for (int j = 0; j < window.targetCount(); j++) {
        float label = window.labels()[j];
        if (label != 0.5f) {
          double dot = 0;
          for (int k = 0; k < WIDTH; k++) {
            dot += hidden[k] * out[window.targets()[j] + k];
          }
          loss += Math.log1p(Math.exp(label == 1 ? -dot : dot));
        }
      }
      return loss;
    }

    double gradient(float[] rows, int at, double[] shares) {
      float value = rows[at];
      rows[at] = value + 1e-3f;
      double above = loss(shares);
      double up = rows[at];
      rows[at] = value - 1e-3f;
      double below = loss(shares);
      double down = rows[at];
      rows[at] = value;
      return (above - below) / (up - down);
    }
  }

  private void check(TrainingSettings settings, double[] shares, Step taken) throws IOException {
    Path text = Files.writeString(folder.resolve("a.txt"), "a b c d e f g h i j k l\n".repeat(3));
    try (Workers workers = Workers.of(1);
        var corpus = Planted.read(text, workers)) {
      Lesson lesson = Lesson.of(corpus, settings.withWidth(WIDTH), new BitSet(), 1);
      Weights weights = lesson.weights();
      Random random = new Random(4);
      for (int row = 0; row < weights.outputRows(); row++) {
        for (int k = 0; k < WIDTH; k++) {
          weights.output()[weights.offset(row) + k] = random.nextFloat() - 0.5f;
        }
      }
      float[] in = new float[weights.offset(8)];
      for (int row = 0; row < 8; row++) {
        for (int k = 0; k < WIDTH; k++) {
          in[weights.offset(row) + k] = random.nextFloat() - 0.5f;
        }
      }
      Draw draw = new Draw();
      draw.seed(1, 2, 3);
      BlockStep step = step(lesson, draw);
      for (int i = 0; i < INPUTS; i++) {
        step.window().inputs()[i] = weights.offset(2 * i + 1);
      }
      Before before = new Before(step.window(), in.clone(), weights.output().clone());
      taken.go(step, in);
      for (int i = 0; i < INPUTS; i++) {
        for (int k = 0; k < WIDTH; k++) {
          int at = step.window().inputs()[i] + k;
          // each input gets the whole gradient of the hidden row, not its share of it
          double whole = before.gradient(before.in, at, shares) / shares[i];
          assertThat((in[at] - before.in[at]) / RATE).isCloseTo((float) -whole, within(2e-3f));
        }
      }
      for (int at = Weights.FIRST; at < weights.offset(weights.outputRows()); at++) {
        if ((at - Weights.FIRST) % weights.stride() < WIDTH) {
          double gradient = before.gradient(before.out, at, shares);
          assertThat((weights.output()[at] - before.out[at]) / RATE)
              .isCloseTo((float) -gradient, within(2e-3f));
        }
      }
    }
  }

  private static BlockStep step(Lesson lesson, Draw draw) {
    int[] outputs = Replicas.ofOutput(lesson, 0, WindowKernels.best()).offsets();
    return new BlockStep(lesson, outputs, draw, WindowKernels.best());
  }

  private static double[] all(double share) {
    double[] shares = new double[INPUTS];
    Arrays.fill(shares, share);
    return shares;
  }

  @Test
  void meanOfAContextFollowsItsGradient() throws IOException {
    check(
        TrainingSettings.DEFAULT,
        all(1.0 / INPUTS),
        (step, in) -> step.bag(in, INPUTS, 4, RATE, Combine.MEAN));
  }

  @Test
  void sumOfAContextFollowsItsGradient() throws IOException {
    check(
        TrainingSettings.DEFAULT, all(1), (step, in) -> step.bag(in, INPUTS, 4, RATE, Combine.SUM));
  }

  // words of 1, 5 and 2 parts: the mean of 8 parts, as fastText's
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void meanOfAllPartsFollowsItsGradient(boolean tree) throws IOException {
    int[] parts = {1, 5, 2};
    check(
        tree
            ? TrainingSettings.DEFAULT.withOutput(new HierarchicalSoftmax())
            : TrainingSettings.DEFAULT,
        IntStream.of(parts).mapToDouble(n -> n / 8.0).toArray(),
        (step, in) -> step.bag(in, parts, INPUTS, 4, RATE));
  }
}

package dev.rowan.layer;

import static dev.rowan.layer.Toy.bits;
import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CrossEntropyTest {
  private static final int V = 1_000; // 21 panels, the last one short, in 16 stripes
  private static final int D = 24;

  private static WeightTable weights(FloatFormat format) {
    return WeightTable.fresh(V, D, format, Initializer.normal(3));
  }

  private static float[] hidden(int batch) {
    return Doubles.random(new SplittableRandom(8), batch * D);
  }

  private static long[] targets(int batch) {
    return new SplittableRandom(9).longs(batch, 0, V).toArray();
  }

  @Test
  void streamedLossIsThatOfWholeLogitsInDouble() {
    WeightTable weights = weights(FloatFormat.F32);
    for (int batch : new int[] {1, 15, 16, 17, 64, 70, 130}) {
      double[] h = Doubles.of(hidden(batch));
      double[] e = Doubles.of(Toy.values(weights));
      double expected = 0;
      for (int b = 0; b < batch; b++) {
        double sum = 0;
        for (int v = 0; v < V; v++) {
          sum += Math.exp(Doubles.dot(h, b * D, e, v * D, D));
        }
        expected += Math.log(sum) - Doubles.dot(h, b * D, e, (int) targets(batch)[b] * D, D);
      }
      CrossEntropy objective =
          new CrossEntropy(TiedOutput.over(weights), CrossEntropy.Reduction.SUM);
      assertThat(objective.forward(hidden(batch), targets(batch)))
          .isCloseTo(expected, within(1e-6 * expected));
    }
  }

  @Test
  void bitsDoNotDependOnTheNumberOfThreads() {
    int[] one = bitsOfBackward(weights(FloatFormat.BF16));
    for (int threads : new int[] {2, 3, 16}) {
      try (Workers workers = Workers.of(threads)) {
        assertThat(bitsOfBackward(weights(FloatFormat.BF16).on(workers))).isEqualTo(one);
      }
    }
  }

  private static int[] bitsOfBackward(WeightTable weights) {
    CrossEntropy objective =
        new CrossEntropy(TiedOutput.over(weights), CrossEntropy.Reduction.MEAN);
    double loss = objective.forward(hidden(20), targets(20));
    float[] hiddenGradient = new float[20 * D];
    RowGradient rows = RowGradient.empty(V, D);
    objective.backward(hiddenGradient, rows);
    float[] all = new float[1 + 20 * D + V * D];
    all[0] = (float) loss;
    System.arraycopy(hiddenGradient, 0, all, 1, 20 * D);
    System.arraycopy(rows.values(), 0, all, 1 + 20 * D, V * D);
    return bits(all);
  }

  @Test
  void tiedStepWithoutTheGradientEqualsTheStepWithIt() {
    long[] ids = {5, 999, 5};
    float[] upstream = Doubles.random(new SplittableRandom(4), 3 * D);
    for (boolean streamed : new boolean[] {true, false}) {
      assertThat(tiedStep(streamed, ids, upstream)).isEqualTo(tiedStep(true, ids, upstream));
    }
  }

  private static int[] tiedStep(boolean streamed, long[] ids, float[] upstream) {
    try (Workers workers = Workers.of(3)) {
      WeightTable weights = weights(FloatFormat.F32).on(workers);
      Embedding embedding = new Embedding(weights, EmbeddingOptions.plain());
      Optimizer optimizer = Optimizer.of(weights, RowWiseAdagrad.of(Schedule.constant(0.1)));
      CrossEntropy objective =
          new CrossEntropy(TiedOutput.tiedTo(embedding), CrossEntropy.Reduction.MEAN);
      double _ = objective.forward(hidden(20), targets(20));
      RowGradient lookup = embedding.backward(ids, upstream);
      float[] hiddenGradient = new float[20 * D];
      if (streamed) {
        objective.backward(hiddenGradient);
        objective.step(optimizer, lookup);
      } else {
        RowGradient sum = RowGradient.empty(V, D);
        objective.backward(hiddenGradient, sum);
        sum.add(lookup);
        optimizer.step(sum);
      }
      assertThat(optimizer.steps()).isEqualTo(1);
      return bits(Toy.values(weights));
    }
  }

  @Test
  void hugeLogitsDoNotOverflow() {
    CrossEntropy objective =
        new CrossEntropy(
            TiedOutput.over(WeightTable.of(1, 1000, 0, -1000)), CrossEntropy.Reduction.SUM);
    assertThat(objective.forward(floats(1), ids(0))).isZero();
    assertThat(objective.forward(floats(1), ids(2))).isEqualTo(2000);
    float[] hiddenGradient = new float[1];
    objective.backward(hiddenGradient);
    assertThat(hiddenGradient).containsExactly(2000);
  }

  @Test
  void logProbabilitiesSumToOne() {
    TiedOutput output = TiedOutput.over(weights(FloatFormat.F32));
    double[] sums = new double[3];
    output.logSoftmax(
        hidden(3),
        3,
        (first, rows, values, stride) -> {
          for (int r = 0; r < rows; r++) {
            for (int b = 0; b < 3; b++) {
              sums[b] += Math.exp(values[r * stride + b]);
            }
          }
        });
    assertThat(sums).containsExactly(new double[] {1, 1, 1}, within(1e-6));
  }

  @Test
  void ignoredTargetsCountForNothing() {
    WeightTable weights = weights(FloatFormat.F32);
    CrossEntropy objective =
        new CrossEntropy(TiedOutput.over(weights), CrossEntropy.Reduction.MEAN);
    float[] two = hidden(2);
    double one = objective.forward(java.util.Arrays.copyOf(two, D), ids(7));
    double both = objective.forward(two, ids(7, CrossEntropy.IGNORED));
    assertThat(both).isEqualTo(one);
    assertThat(objective.loss(1)).isZero();
    float[] hiddenGradient = new float[2 * D];
    objective.backward(hiddenGradient);
    assertThat(java.util.Arrays.copyOfRange(hiddenGradient, D, 2 * D)).containsOnly(0f);
    assertThat(objective.forward(two, ids(-100, -100))).isZero();
  }

  @Test
  void checksBeforeItComputes() {
    CrossEntropy objective =
        new CrossEntropy(TiedOutput.over(Toy.weights()), CrossEntropy.Reduction.MEAN);
    assertThatThrownBy(() -> objective.forward(floats(1, 2), ids(5)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("target 5 at position 0 is not in [0, 5) nor -100 (ignored)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> objective.forward(floats(1, 2, 3), ids(1)))
        .withMessage("hidden has 3 numbers; 1 rows of width 2 take exactly 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> objective.forward(new float[0], new long[0]))
        .withMessage("batch is 0; it takes 1 or more");
    assertThatThrownBy(() -> objective.backward(new float[2]))
        .isInstanceOf(IllegalStateException.class);
    double _ = objective.forward(floats(1, 2), ids(1));
    Optimizer stranger = Optimizer.of(Toy.weights(), Sgd.of(Schedule.constant(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> objective.step(stranger, RowGradient.empty(5, 2)));
  }

  @Test
  void aBiasOfAnOldSizeIsRefused() {
    Embedding embedding = Toy.embedding();
    TiedOutput output = TiedOutput.tiedTo(embedding).withBias(new float[5]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> output.withBias(new float[4]))
        .withMessage("a bias of 4 numbers; the table has 5 rows");
    embedding.resize(Resize.growTo(6), 1);
    assertThatThrownBy(() -> output.logits(floats(1, 2), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("resized to 6 rows");
  }

  @Test
  void softCapAndBiasEnterTheLogits() {
    TiedOutput output =
        TiedOutput.over(WeightTable.of(1, 1, 2))
            .with(OutputOptions.plain().withHiddenScale(0.5f).withSoftCap(3))
            .withBias(0.25f, -1);
    float[] logits = output.logits(floats(4), 1).values();
    assertThat(logits[0]).isCloseTo((float) (3 * Math.tanh(2.25 / 3)), within(3e-7f));
    assertThat(logits[1]).isCloseTo((float) (3 * Math.tanh(3.0 / 3)), within(3e-7f));
  }

  @Test
  void manyDrawsApproachTheFullSoftmax() {
    WeightTable weights = WeightTable.fresh(50, 8, FloatFormat.F32, Initializer.normal(1));
    TiedOutput output = TiedOutput.over(weights);
    float[] hidden = Doubles.random(new SplittableRandom(2), 8);
    double full = new CrossEntropy(output, CrossEntropy.Reduction.MEAN).forward(hidden, ids(3));
    double sampled =
        new SampledSoftmax(output, NegativeSampler.uniform(50), 200_000, 5).forward(hidden, ids(3));
    // 200,000 draws: the sum over drawn rows errs by about 1 / √200,000 times its spread
    assertThat(sampled).isCloseTo(full, within(0.02));
  }

  @Test
  void samplersDrawWithTheirProbabilities() {
    for (NegativeSampler sampler :
        new NegativeSampler[] {
          NegativeSampler.uniform(6),
          NegativeSampler.logUniform(6),
          NegativeSampler.counts(0.75, 16, 0, 1, 81, 1, 16)
        }) {
      int[] counts = new int[6];
      SplittableRandom random = new SplittableRandom(77);
      for (int i = 0; i < 60_000; i++) {
        counts[(int) sampler.draw(random)]++;
      }
      double sum = 0;
      for (int id = 0; id < 6; id++) {
        double p = sampler.probability(id);
        sum += p;
        assertThat((double) counts[id])
            .isCloseTo(60_000 * p, within(5 * Math.sqrt(60_000 * p) + 1e-9));
      }
      assertThat(sum).isCloseTo(1, within(1e-12));
    }
    assertThat(NegativeSampler.counts(0.75, 16, 0, 1, 81, 1, 16).probability(3))
        .isCloseTo(27.0 / (8 + 1 + 27 + 1 + 8), within(1e-12));
  }
}

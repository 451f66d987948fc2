package dev.rowan.layer;

import static dev.rowan.layer.Doubles.assertGradient;
import static dev.rowan.layer.Doubles.dot;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Every gradient against finite differences of a plain double implementation of its forward. */
class GradientCheckTest {
  private static final int V = 7;
  private static final int D = 5;

  private final SplittableRandom random = new SplittableRandom(2024);

  @Test
  void ofTheLookup() {
    for (int round = 0; round < 20; round++) {
      float[] table = Doubles.random(random, V * D);
      float[] upstream = Doubles.random(random, 6 * D);
      long[] ids = random.longs(6, 0, V).toArray();
      float scale = 1.5f;
      Embedding embedding =
          new Embedding(WeightTable.of(D, table), EmbeddingOptions.plain().withScale(scale));
      assertGradient(
          embedding.backward(ids, upstream).densify(),
          Doubles.of(table),
          rows -> {
            double loss = 0;
            for (int p = 0; p < ids.length; p++) {
              loss += scale * dot(rows, (int) ids[p] * D, Doubles.of(upstream), p * D, D);
            }
            return loss;
          });
    }
  }

  /** Σ upstream · pooled(rows), written down from the definitions of {@link Pooling}. */
  private static double pooledLoss(
      double[] rows, double[] weights, Bags bags, Pooling pooling, long padding, float[] upstream) {
    double loss = 0;
    for (int b = 0; b < bags.count(); b++) {
      for (int i = 0; i < D; i++) {
        double sum = 0;
        double total = 0;
        double squares = 0;
        double max = Double.NEGATIVE_INFINITY;
        int kept = 0;
        for (int p = bags.start(b); p < bags.end(b); p++) {
          if (bags.id(p) != padding) {
            double x = rows[(int) bags.id(p) * D + i];
            sum += weights[p] * x;
            total += weights[p];
            squares += weights[p] * weights[p];
            max = Math.max(max, x);
            kept++;
          }
        }
        double pooled =
            switch (pooling) {
              case SUM -> sum;
              case MEAN -> sum / total;
              case SQRTN -> sum / Math.sqrt(squares);
              case MAX -> max;
            };
        loss += kept == 0 ? 0 : upstream[b * D + i] * pooled;
      }
    }
    return loss;
  }

  @Test
  void ofBagsAndOfTheirWeights() {
    for (int round = 0; round < 40; round++) {
      float[] table = Doubles.random(random, V * D);
      float[] upstream = Doubles.random(random, 4 * D);
      long padding = round % 2 == 0 ? -1 : 3;
      float[] weights = new float[9];
      for (int p = 0; p < 9; p++) {
        weights[p] = 0.5f + (float) random.nextDouble();
      }
      Bags plain = Bags.of(random.longs(9, 0, V).toArray(), 0, 4, 4, 7);
      EmbeddingOptions options =
          padding < 0 ? EmbeddingOptions.plain() : EmbeddingOptions.plain().withPadding(padding);
      for (Pooling pooling : Pooling.values()) {
        EmbeddingBag bag = new EmbeddingBag(WeightTable.of(D, table), pooling, options);
        double[] ones = Doubles.of(Toy.ones(9));
        assertGradient(
            bag.backward(plain, upstream).densify(),
            Doubles.of(table),
            rows -> pooledLoss(rows, ones, plain, pooling, padding, upstream));
        if (pooling != Pooling.MAX) {
          Bags weighted = plain.weighted(weights);
          assertGradient(
              bag.backward(weighted, upstream).densify(),
              Doubles.of(table),
              rows -> pooledLoss(rows, Doubles.of(weights), plain, pooling, padding, upstream));
          assertGradient(
              bag.weightGradient(weighted, upstream),
              Doubles.of(weights),
              w -> pooledLoss(Doubles.of(table), w, plain, pooling, padding, upstream));
        }
      }
    }
  }

  /** An output's logits from their definition. */
  private record Logits(float scale, double cap) {
    double of(double[] hidden, int b, double[] rows, double[] bias, int v) {
      double s = scale * dot(hidden, b * D, rows, v * D, D) + bias[v];
      return cap == 0 ? s : cap * Math.tanh(s / cap);
    }

    TiedOutput over(float[] rows, float[] bias) {
      OutputOptions options = OutputOptions.plain().withHiddenScale(scale);
      return TiedOutput.over(WeightTable.of(D, rows))
          .with(cap == 0 ? options : options.withSoftCap(cap))
          .withBias(bias);
    }
  }

  private static double crossEntropy(
      Logits logits, double[] hidden, double[] rows, double[] bias, long[] targets, boolean mean) {
    double loss = 0;
    int kept = 0;
    for (int b = 0; b < targets.length; b++) {
      if (targets[b] != CrossEntropy.IGNORED) {
        double sum = 0;
        for (int v = 0; v < V; v++) {
          sum += Math.exp(logits.of(hidden, b, rows, bias, v));
        }
        loss += Math.log(sum) - logits.of(hidden, b, rows, bias, (int) targets[b]);
        kept++;
      }
    }
    return mean ? loss / kept : loss;
  }

  @Test
  void ofCrossEntropyForHiddenRowsAndBias() {
    for (int round = 0; round < 24; round++) {
      Logits logits = new Logits(round % 2 == 0 ? 1 : 0.7f, round % 3 == 0 ? 2.5 : 0);
      boolean mean = round % 4 < 2;
      float[] table = Doubles.random(random, V * D);
      float[] hidden = Doubles.random(random, 3 * D);
      float[] bias = Doubles.random(random, V);
      long[] targets = {random.nextLong(V), round % 5 == 0 ? CrossEntropy.IGNORED : 2, 6};
      CrossEntropy objective =
          new CrossEntropy(
              logits.over(table, bias),
              mean ? CrossEntropy.Reduction.MEAN : CrossEntropy.Reduction.SUM);
      double[] h = Doubles.of(hidden);
      double[] e = Doubles.of(table);
      double[] c = Doubles.of(bias);
      double loss = objective.forward(hidden, targets);
      org.assertj.core.api.Assertions.assertThat(loss)
          .isCloseTo(
              crossEntropy(logits, h, e, c, targets, mean),
              org.assertj.core.api.Assertions.within(1e-5));
      float[] hiddenGradient = new float[3 * D];
      RowGradient rows = RowGradient.empty(V, D);
      objective.backward(hiddenGradient, rows);
      assertGradient(hiddenGradient, h, x -> crossEntropy(logits, x, e, c, targets, mean));
      assertGradient(rows.values(), e, x -> crossEntropy(logits, h, x, c, targets, mean));
      assertGradient(
          objective.biasGradient(), c, x -> crossEntropy(logits, h, e, x, targets, mean));
    }
  }

  /** The loss of sampled softmax for rows drawn once for the batch. */
  private static double sampledSoftmax(
      Logits logits,
      double[] hidden,
      double[] rows,
      double[] bias,
      long[] targets,
      long[] drawn,
      NegativeSampler sampler) {
    double loss = 0;
    for (int b = 0; b < targets.length; b++) {
      double target = logits.of(hidden, b, rows, bias, (int) targets[b]);
      double sum = Math.exp(target);
      for (long id : drawn) {
        if (id != targets[b]) {
          double z = logits.of(hidden, b, rows, bias, (int) id);
          sum += Math.exp(z) / (drawn.length * sampler.probability(id));
        }
      }
      loss += Math.log(sum) - target;
    }
    return loss / targets.length;
  }

  /** The loss of negative sampling for rows drawn for each entry. */
  private static double negativeSampling(
      Logits logits, double[] hidden, double[] rows, double[] bias, long[] targets, long[] drawn) {
    double loss = 0;
    int each = drawn.length / targets.length;
    for (int b = 0; b < targets.length; b++) {
      loss += Math.log1p(Math.exp(-logits.of(hidden, b, rows, bias, (int) targets[b])));
      for (int i = 0; i < each; i++) {
        int id = (int) drawn[b * each + i];
        if (id != targets[b]) {
          loss += Math.log1p(Math.exp(logits.of(hidden, b, rows, bias, id)));
        }
      }
    }
    return loss / targets.length;
  }

  private static long[] draws(NegativeSampler sampler, int count, long seed) {
    SplittableRandom same = new SplittableRandom(seed);
    long[] ids = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = sampler.draw(same);
    }
    return ids;
  }

  @Test
  void ofSampledObjectives() {
    for (int round = 0; round < 20; round++) {
      Logits logits = new Logits(0.8f, round % 2 == 0 ? 3 : 0);
      float[] table = Doubles.random(random, V * D);
      float[] hidden = Doubles.random(random, 3 * D);
      float[] bias = Doubles.random(random, V);
      long[] targets = random.longs(3, 0, V).toArray();
      NegativeSampler sampler =
          switch (round % 3) {
            case 0 -> NegativeSampler.uniform(V);
            case 1 -> NegativeSampler.logUniform(V);
            default -> NegativeSampler.counts(0.75, 9, 1, 4, 2, 7, 3, 5);
          };
      double[] h = Doubles.of(hidden);
      double[] e = Doubles.of(table);
      double[] c = Doubles.of(bias);
      TiedOutput output = logits.over(table, bias);

      SampledSoftmax softmax = new SampledSoftmax(output, sampler, 4, round);
      long[] drawn = draws(sampler, 4, round);
      double softmaxLoss = softmax.forward(hidden, targets);
      check(softmaxLoss, h, x -> sampledSoftmax(logits, x, e, c, targets, drawn, sampler));
      float[] hiddenGradient = new float[3 * D];
      RowGradient rows = RowGradient.empty(V, D);
      softmax.backward(hiddenGradient, rows);
      float[] biasGradient = new float[V];
      softmax.addBiasGradient(biasGradient);
      assertGradient(
          hiddenGradient, h, x -> sampledSoftmax(logits, x, e, c, targets, drawn, sampler));
      assertGradient(
          rows.densify(), e, x -> sampledSoftmax(logits, h, x, c, targets, drawn, sampler));
      assertGradient(
          biasGradient, c, x -> sampledSoftmax(logits, h, e, x, targets, drawn, sampler));

      NegativeSampling sampling = new NegativeSampling(output, sampler, 2, round);
      long[] each = draws(sampler, 6, round);
      double samplingLoss = sampling.forward(hidden, targets);
      check(samplingLoss, h, x -> negativeSampling(logits, x, e, c, targets, each));
      rows.clear();
      sampling.backward(hiddenGradient, rows);
      assertGradient(hiddenGradient, h, x -> negativeSampling(logits, x, e, c, targets, each));
      assertGradient(rows.densify(), e, x -> negativeSampling(logits, h, x, c, targets, each));
    }
  }

  private static void check(double loss, double[] point, ToDoubleFunction<double[]> function) {
    org.assertj.core.api.Assertions.assertThat(loss)
        .isCloseTo(function.applyAsDouble(point), org.assertj.core.api.Assertions.within(1e-6));
  }
}

package dev.rowan.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.kernel.FloatFormat;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AdagradOptions;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.T_TensorTensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The layer against libtorch on random configurations.
 *
 * <p>Denied, because libtorch itself is wrong there (the worked cases assert the right values):
 * sums of 16-bit gradients and bags (15, 16, 40), a wrong id under a max norm (24), a last offset
 * that is not the number of ids (29), offsets that fall (30), NaN in a maximum (35), bags scaled by
 * frequency (it divides the n-th different id by the count of the n-th position: ids 0, 0, 1 give
 * row 1 a gradient of 0.5 instead of 1). SparseAdam and the row-wise rules do not exist in
 * libtorch's C++ interface.
 *
 * <p>A failure names its seed; {@code -Drowan.seed=N} replays that configuration alone.
 */
class DifferentialTest {
  private static final long REPLAY = Long.getLong("rowan.seed", -1);
  private static final float EPSILON = 2e-5f;

  @BeforeAll
  static void needsLibtorch() {
    Torch.require();
  }

  /** One random configuration. */
  private interface Check {
    void run(SplittableRandom random, String seed);
  }

  private static void repeat(int times, Check check) {
    for (long seed = REPLAY < 0 ? 0 : REPLAY; seed < (REPLAY < 0 ? times : REPLAY + 1); seed++) {
      try (PointerScope _ = new PointerScope()) {
        check.run(new SplittableRandom(seed), "-Drowan.seed=" + seed);
      }
    }
  }

  private static void assertNear(String seed, float[] ours, float[] theirs) {
    assertThat(ours).as(seed).hasSameSizeAs(theirs);
    for (int i = 0; i < ours.length; i++) {
      float bound = EPSILON * Math.max(1, Math.abs(theirs[i]));
      assertThat(ours[i]).as("%s, place %d", seed, i).isCloseTo(theirs[i], within(bound));
    }
  }

  /** Sizes and ids of one configuration. */
  private static final class Problem {
    final int rows;
    final int width;
    final float[] table;
    final long[] ids;
    final long padding;

    Problem(SplittableRandom random) {
      rows = 1 + random.nextInt(30);
      width = 1 + random.nextInt(40);
      table = Doubles.random(random, rows * width);
      ids = random.longs(random.nextInt(40), 0, rows).toArray();
      padding = random.nextInt(3) == 0 ? random.nextInt(rows) : -1;
    }

    EmbeddingOptions options() {
      EmbeddingOptions plain = EmbeddingOptions.plain();
      return padding < 0 ? plain : plain.withPadding(padding);
    }

    WeightTable weights() {
      return WeightTable.of(width, table);
    }
  }

  @Test
  void lookupsAndTheirGradients() {
    repeat(
        2000,
        (random, seed) -> {
          Problem problem = new Problem(random);
          boolean byFrequency = random.nextBoolean();
          boolean sparse = !byFrequency && random.nextBoolean(); // theirs refuses both together
          EmbeddingOptions options = problem.options();
          if (byFrequency) {
            options = options.withFrequency(EmbeddingOptions.Frequency.MEAN);
          }
          Embedding ours = new Embedding(problem.weights(), options);
          Tensor weight = Torch.parameter(problem.table, problem.rows, problem.width);
          Tensor ids = Torch.longs(problem.ids, problem.ids.length);
          Tensor theirs = torch.embedding(weight, ids, problem.padding, byFrequency, sparse);
          float[] rows = new float[problem.ids.length * problem.width];
          ours.lookup(problem.ids, rows);
          assertThat(rows).as(seed).isEqualTo(Torch.array(theirs));
          float[] upstream = Doubles.random(random, rows.length);
          Torch.backward(theirs, upstream);
          assertNear(
              seed, ours.backward(problem.ids, upstream).densify(), Torch.array(weight.grad()));
        });
  }

  @Test
  void sixteenBitLookups() {
    repeat(
        500,
        (random, seed) -> {
          Problem problem = new Problem(random);
          boolean half = random.nextBoolean();
          FloatFormat format = half ? FloatFormat.F16 : FloatFormat.BF16;
          Tensor weight =
              Torch.floats(problem.table, problem.rows, problem.width)
                  .to(half ? torch.ScalarType.Half : torch.ScalarType.BFloat16);
          Tensor theirs =
              torch
                  .embedding(weight, Torch.longs(problem.ids, problem.ids.length))
                  .to(torch.ScalarType.Float);
          float[] rows = new float[problem.ids.length * problem.width];
          new Embedding(Toy.weights(format, problem.width, problem.table), EmbeddingOptions.plain())
              .lookup(problem.ids, rows);
          assertThat(rows).as(seed).isEqualTo(Torch.array(theirs));
        });
  }

  @Test
  void maxNorm() {
    double[] powers = {2, 1, 3, 0.5, Double.POSITIVE_INFINITY};
    repeat(
        1000,
        (random, seed) -> {
          Problem problem = new Problem(random);
          double p = powers[random.nextInt(powers.length)];
          double max = random.nextDouble() * Math.pow(problem.width, Math.min(2, 1 / p));
          Embedding ours =
              new Embedding(
                  problem.weights(), EmbeddingOptions.plain().withMaxNorm(new MaxNorm(max, p)));
          ours.renorm(problem.ids);
          Tensor weight = Torch.floats(problem.table, problem.rows, problem.width).clone();
          if (problem.ids.length > 0) {
            Tensor _ =
                torch.embedding_renorm_(
                    weight, Torch.longs(problem.ids, problem.ids.length), max, p);
          }
          assertNear(seed, Toy.values(ours.weights()), Torch.array(weight));
        });
  }

  @Test
  void bagsAndTheirGradients() {
    Pooling[] modes = {Pooling.SUM, Pooling.MEAN, Pooling.MAX}; // numbered as theirs
    repeat(
        2000,
        (random, seed) -> {
          Problem problem = new Problem(random);
          int mode = random.nextInt(3);
          boolean weighted = mode == 0 && random.nextBoolean();
          boolean last = random.nextBoolean();
          int count = problem.ids.length;
          int bags = count == 0 ? 1 : 1 + random.nextInt(8);
          long[] offsets = random.longs(bags, 0, count + 1).sorted().toArray();
          offsets[0] = 0;
          EmbeddingOptions options = problem.options();
          Bags ourBags = Bags.of(problem.ids, offsets);
          long[] theirOffsets = offsets;
          if (last) {
            theirOffsets = Arrays.copyOf(offsets, bags + 1);
            theirOffsets[bags] = count;
            ourBags = Bags.withLastOffset(problem.ids, theirOffsets);
          }
          Tensor sampleWeights = Torch.parameter(Doubles.random(random, count), count);
          if (weighted) {
            ourBags = ourBags.weighted(Torch.array(sampleWeights));
          }
          Tensor weight = Torch.parameter(problem.table, problem.rows, problem.width);
          T_TensorTensorTensorTensor_T result =
              torch.embedding_bag(
                  weight,
                  Torch.longs(problem.ids, count),
                  Torch.longs(theirOffsets, theirOffsets.length),
                  false,
                  mode,
                  false,
                  weighted ? new TensorOptional(sampleWeights) : new TensorOptional(),
                  last,
                  problem.padding < 0 ? new LongOptional() : new LongOptional(problem.padding));
          Tensor theirs = result.get0();
          EmbeddingBag ours = new EmbeddingBag(problem.weights(), modes[mode], options);
          assertNear(seed, ours.lookup(ourBags).values(), Torch.array(theirs));
          float[] upstream = Doubles.random(random, bags * problem.width);
          Torch.backward(theirs, upstream);
          assertNear(seed, ours.backward(ourBags, upstream).densify(), Torch.array(weight.grad()));
          if (weighted) {
            assertNear(
                seed, ours.weightGradient(ourBags, upstream), Torch.array(sampleWeights.grad()));
          }
        });
  }

  @Test
  void optimizers() {
    repeat(
        600,
        (random, seed) -> {
          Problem problem = new Problem(random);
          double rate = 0.01 + 0.2 * random.nextDouble();
          double decay = random.nextBoolean() ? 0 : 0.1 * random.nextDouble();
          double momentum = random.nextBoolean() ? 0 : 0.9;
          Tensor weight = Torch.parameter(problem.table, problem.rows, problem.width);
          int which = random.nextInt(4);
          Rule rule =
              switch (which) {
                case 0 -> Sgd.momentum(Schedule.constant(rate), momentum);
                case 1 -> Adagrad.of(Schedule.constant(rate));
                case 2 -> DenseAdam.of(Schedule.constant(rate)).with(WeightDecay.l2(decay));
                default -> new Adagrad(Schedule.constant(rate), 1e-8, 0.3, WeightDecay.none());
              };
          Optimizer theirs = theirs(which, weight, rate, decay, momentum);
          boolean sparse = which == 1 && random.nextBoolean();
          WeightTable weights = problem.weights();
          Embedding embedding = new Embedding(weights, problem.options());
          dev.rowan.layer.Optimizer ours = dev.rowan.layer.Optimizer.of(weights, rule);
          for (int step = 0; step < 4; step++) {
            long[] ids = random.longs(1 + random.nextInt(9), 0, problem.rows).toArray();
            float[] upstream = Doubles.random(random, ids.length * problem.width);
            ours.step(embedding.backward(ids, upstream));
            theirs.zero_grad();
            Torch.backward(
                torch.embedding(
                    weight, Torch.longs(ids, ids.length), problem.padding, false, sparse),
                upstream);
            Tensor _ = theirs.step();
          }
          assertNear(seed, Toy.values(weights), Torch.array(weight));
        });
  }

  private static Optimizer theirs(
      int which, Tensor weight, double rate, double decay, double momentum) {
    TensorVector parameters = new TensorVector(weight);
    return switch (which) {
      case 0 -> {
        SGDOptions options = new SGDOptions(rate);
        options.momentum().put(momentum);
        yield new org.bytedeco.pytorch.SGD(parameters, options);
      }
      case 2 -> {
        AdamOptions options = new AdamOptions(rate);
        options.weight_decay().put(decay);
        yield new org.bytedeco.pytorch.Adam(parameters, options);
      }
      default -> {
        AdagradOptions options = new AdagradOptions(rate);
        options.eps().put(which == 1 ? 1e-10 : 1e-8);
        options.initial_accumulator_value().put(which == 1 ? 0 : 0.3);
        yield new org.bytedeco.pytorch.Adagrad(parameters, options);
      }
    };
  }

  @Test
  void crossEntropyOverWholeLogits() {
    repeat(
        600,
        (random, seed) -> {
          Problem problem = new Problem(random);
          int batch = 1 + random.nextInt(20);
          boolean mean = random.nextBoolean();
          float[] hidden = Doubles.random(random, batch * problem.width);
          float[] bias = Doubles.random(random, problem.rows);
          long[] targets = random.longs(batch, 0, problem.rows).toArray();
          if (batch > 1 && random.nextBoolean()) {
            targets[random.nextInt(batch)] = CrossEntropy.IGNORED;
          }
          Tensor weight = Torch.parameter(problem.table, problem.rows, problem.width);
          Tensor h = Torch.parameter(hidden, batch, problem.width);
          Tensor b = Torch.parameter(bias, problem.rows);
          Tensor logits = torch.addmm(b, h, weight.t());
          Tensor loss =
              torch.cross_entropy_loss(
                  logits,
                  Torch.longs(targets, batch),
                  new TensorOptional(),
                  mean ? 1 : 2,
                  CrossEntropy.IGNORED,
                  0);
          loss.backward();
          TiedOutput output = TiedOutput.over(problem.weights()).withBias(bias);
          assertNear(seed, output.logits(hidden, batch).values(), Torch.array(logits));
          CrossEntropy ours =
              new CrossEntropy(
                  output, mean ? CrossEntropy.Reduction.MEAN : CrossEntropy.Reduction.SUM);
          double ourLoss = ours.forward(hidden, targets);
          assertThat(ourLoss)
              .as(seed)
              .isCloseTo(loss.item_float(), within(EPSILON * Math.max(1.0, ourLoss)));
          float[] hiddenGradient = new float[hidden.length];
          RowGradient rows = RowGradient.empty(problem.rows, problem.width);
          ours.backward(hiddenGradient, rows);
          assertNear(seed, hiddenGradient, Torch.array(h.grad()));
          assertNear(seed, rows.values(), Torch.array(weight.grad()));
          assertNear(seed, ours.biasGradient(), Torch.array(b.grad()));
        });
  }
}

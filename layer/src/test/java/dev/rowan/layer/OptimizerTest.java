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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {
  private static final Schedule RATE = Schedule.constant(0.1);

  static Stream<Rule> rules() {
    return Stream.of(
        Sgd.of(RATE).with(WeightDecay.l2(0.01)),
        Sgd.lazyMomentum(RATE, 0.9),
        Sgd.momentum(RATE, 0.9),
        new Adagrad(RATE, 1e-10, 0.5, WeightDecay.decoupled(0.01)),
        RowWiseAdagrad.of(RATE),
        SparseAdam.of(RATE),
        LazyAdam.of(RATE).with(WeightDecay.decoupled(0.01)),
        DenseAdam.of(RATE),
        PartialRowWiseAdam.of(RATE).with(WeightDecay.l2(0.01)));
  }

  /** Ids of one step on a table of 300 × 21: many, with repetitions. */
  private static long[] idsOf(long seed) {
    return new SplittableRandom(seed).longs(400, 0, 300).map(id -> id * id / 300).toArray();
  }

  private static float[] upstreamOf(long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    float[] upstream = new float[400 * 21];
    for (int i = 0; i < upstream.length; i++) {
      upstream[i] = (float) random.nextGaussian();
    }
    return upstream;
  }

  private static Embedding embedding(FloatFormat format) {
    return new Embedding(
        WeightTable.fresh(300, 21, format, Initializer.normal(9)), EmbeddingOptions.plain());
  }

  private static int[] after(Embedding embedding, Rule rule, int steps) {
    Optimizer optimizer = Optimizer.of(embedding.weights(), rule);
    for (int step = 0; step < steps; step++) {
      optimizer.step(embedding.backward(idsOf(step), upstreamOf(step)));
    }
    return bits(Toy.values(embedding.weights()));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void bitsDoNotDependOnTheNumberOfThreads(Rule rule) {
    for (FloatFormat format : FloatFormat.values()) {
      int[] one = after(embedding(format), rule, 4);
      for (int threads : new int[] {2, 5}) {
        try (Workers workers = Workers.of(threads)) {
          Embedding shared = embedding(format);
          shared.weights().on(workers);
          assertThat(after(shared, rule, 4)).isEqualTo(one);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void fusedStepsGiveTheBitsOfSeparateOnes(Rule rule) {
    Embedding embedding = embedding(FloatFormat.F32);
    Optimizer optimizer = Optimizer.of(embedding.weights(), rule);
    if (rule.touchesEveryRow()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> FusedStep.of(embedding, optimizer))
          .withMessageContaining("touches every row");
      return;
    }
    FusedStep fused = FusedStep.of(embedding, optimizer);
    for (int step = 0; step < 4; step++) {
      fused.apply(idsOf(step), upstreamOf(step));
    }
    assertThat(bits(Toy.values(embedding.weights())))
        .isEqualTo(after(embedding(FloatFormat.F32), rule, 4));
  }

  @Test
  void fusedBagStepsGiveTheBitsOfSeparateOnes() {
    for (Pooling pooling : Pooling.values()) {
      WeightTable[] both = {
        embedding(FloatFormat.F32).weights(), embedding(FloatFormat.F32).weights()
      };
      Bags bags = Bags.of(idsOf(1), 0, 5, 5, 200, 390);
      float[] upstream = java.util.Arrays.copyOf(upstreamOf(2), 5 * 21);
      for (int way = 0; way < 2; way++) {
        EmbeddingBag bag = new EmbeddingBag(both[way], pooling, EmbeddingOptions.plain());
        Optimizer optimizer = Optimizer.of(both[way], RowWiseAdagrad.of(RATE));
        if (way == 0) {
          FusedBagStep.of(bag, optimizer).apply(bags, upstream);
        } else {
          optimizer.step(bag.backward(bags, upstream));
        }
      }
      assertThat(bits(Toy.values(both[0]))).isEqualTo(bits(Toy.values(both[1])));
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void savedStateResumesToTheSameBits(Rule rule, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("state");
    Embedding embedding = embedding(FloatFormat.F32);
    Optimizer optimizer = Optimizer.of(embedding.weights(), rule);
    optimizer.step(embedding.backward(idsOf(0), upstreamOf(0)));
    optimizer.save(file);
    Optimizer resumed = Optimizer.of(embedding.weights(), rule);
    resumed.restore(file);
    assertThat(resumed.steps()).isEqualTo(1);
    resumed.step(embedding.backward(idsOf(1), upstreamOf(1)));
    assertThat(bits(Toy.values(embedding.weights())))
        .isEqualTo(after(embedding(FloatFormat.F32), rule, 2));
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file); // no temporary file stays
    }
  }

  @Test
  void damagedStateIsRefusedAndChangesNothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("state");
    Optimizer optimizer = Optimizer.of(Toy.weights(), Adagrad.of(RATE));
    optimizer.step(RowGradient.of(5, 2, ids(1), floats(3, 4)));
    optimizer.save(file);
    byte[] whole = Files.readAllBytes(file);
    Optimizer other = Optimizer.of(Toy.weights(), Adagrad.of(RATE));
    for (int cut = 0; cut < whole.length; cut++) {
      Files.write(file, java.util.Arrays.copyOf(whole, cut));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> other.restore(file))
          .withMessageStartingWith(file.toString());
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x10;
      Files.write(file, changed);
      assertThatIllegalArgumentException().isThrownBy(() -> other.restore(file));
    }
    assertThat(other.steps()).isZero();
    assertThat(other.state().first(1)).containsExactly(0, 0);
    Files.write(file, whole);
    other.restore(file);
    assertThat(other.state().first(1)).containsExactly(9, 16);
  }

  @Test
  void stateOfAnotherRuleOrShapeIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("state");
    Optimizer.of(Toy.weights(), Adagrad.of(RATE)).save(file);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Optimizer.of(Toy.weights(), SparseAdam.of(RATE)).restore(file))
        .withMessageContaining("holds state of \"adagrad\"; this optimizer is \"sparse-adam\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Optimizer.of(WeightTable.of(2, 1, 2), Adagrad.of(RATE)).restore(file))
        .withMessageContaining("holds 1 arrays of 5 × 2; this optimizer has 1 of 1 × 2");
  }

  @Test
  void aRateThatIsNoRateIsRefusedBeforeAnythingChanges() {
    for (double wrong : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Schedule.constant(wrong));
      Optimizer optimizer = Optimizer.of(Toy.weights(), Adagrad.of(_ -> wrong));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> optimizer.step(RowGradient.of(5, 2, ids(1), floats(3, 4))))
          .withMessage("learning rate of step 1 is %s; it takes 0 or more, finite", wrong);
      Toy.assertBitsUnchanged(optimizer.weights());
      assertThat(optimizer.steps()).isZero();
      assertThat(optimizer.state().first(1)).containsExactly(0, 0);
    }
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sgd.lazyMomentum(RATE, 1))
        .withMessage("momentum is 1.0; it takes 0 to less than 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adagrad(RATE, 0, 0, WeightDecay.none()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SparseAdam(RATE, 0.9, Double.NaN, 1e-8, WeightDecay.none()));
    assertThatIllegalArgumentException().isThrownBy(() -> WeightDecay.l2(-1));
  }

  @Test
  void gradientsOfAnotherShapeAreRefusedBeforeAnythingChanges() {
    Optimizer optimizer = Optimizer.of(Toy.weights(), Adagrad.of(RATE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> optimizer.step(RowGradient.of(6, 2, ids(5), floats(3, 4))));
    Toy.assertBitsUnchanged(optimizer.weights());
    assertThat(optimizer.steps()).isZero();
  }

  @Test
  void fusedStepsCheckBeforeTheyWrite() {
    Embedding embedding = Toy.embedding();
    FusedStep fused = FusedStep.of(embedding, Optimizer.of(embedding.weights(), Sgd.of(RATE)));
    assertThatThrownBy(() -> fused.apply(ids(0, 5), Toy.ones(4)))
        .hasMessage("id 5 at position 1 is not in [0, 5)");
    assertThatThrownBy(() -> fused.apply(ids(0, 4), Toy.ones(3)))
        .hasMessage("upstream has 3 numbers; 2 rows of width 2 take exactly 4");
    Toy.assertBitsUnchanged(embedding.weights());
    Optimizer stranger = Optimizer.of(Toy.weights(), Sgd.of(RATE));
    assertThatIllegalArgumentException().isThrownBy(() -> FusedStep.of(embedding, stranger));
  }

  @Test
  void stateFollowsAResizedTable() {
    Embedding embedding = Toy.embedding();
    Optimizer optimizer =
        Optimizer.of(embedding.weights(), new Adagrad(RATE, 1e-10, 2, WeightDecay.none()));
    optimizer.step(RowGradient.of(5, 2, ids(4), floats(3, 4)));
    embedding.resize(Resize.growTo(8), 1);
    optimizer.step(RowGradient.of(8, 2, ids(7), floats(1, 1)));
    assertThat(optimizer.state().first(4)).containsExactly(11, 18);
    assertThat(optimizer.state().first(7)).containsExactly(3, 3);
    assertThat(optimizer.state().first(6)).containsExactly(2, 2);
  }

  @Test
  void schedulesFollowTheirFormulas() {
    assertRates(Schedule.constant(0.5), 0.5, 0.5, 0.5);
    assertRates(Schedule.linear(1, 0, 5), 1, 0.75, 0.5, 0.25, 0, 0);
    assertRates(Schedule.cosine(1, 0, 5), 1, 0.8535533906, 0.5, 0.1464466094, 0, 0);
    assertRates(Schedule.constant(1).afterWarmUp(4), 0.25, 0.5, 0.75, 1, 1, 1);
    assertRates(Schedule.linear(1, 0, 3).afterWarmUp(2), 0.5, 1, 1, 0.5, 0);
    assertRates(Schedule.inverseTime(1, 0.5), 1, 1 / 1.5, 0.5);
    assertRates(Schedule.linear(1, 0, 1), 0, 0);
  }

  private static void assertRates(Schedule schedule, double... expected) {
    for (int step = 1; step <= expected.length; step++) {
      assertThat(schedule.at(step)).isCloseTo(expected[step - 1], within(1e-9));
    }
  }

  @Test
  void stepsFollowTheSchedule() {
    Optimizer optimizer = Optimizer.of(WeightTable.of(1, 0), Sgd.of(Schedule.linear(1, 0, 3)));
    for (int step = 0; step < 3; step++) {
      optimizer.step(RowGradient.of(1, 1, ids(0), floats(1)));
    }
    assertThat(optimizer.weights().row(0)).containsExactly(-1.5f);
  }

  @Test
  void stateTakesTheMemoryItsRuleSays() {
    record Size(Rule rule, long bytes) {}
    for (Size size :
        List.of(
            new Size(Sgd.of(RATE), 0),
            new Size(RowWiseAdagrad.of(RATE), 5 * 4),
            new Size(Adagrad.of(RATE), 5 * 8),
            new Size(PartialRowWiseAdam.of(RATE), 5 * 12),
            new Size(SparseAdam.of(RATE), 5 * 16))) {
      assertThat(Optimizer.of(Toy.weights(), size.rule).state().bytes()).isEqualTo(size.bytes);
    }
  }
}

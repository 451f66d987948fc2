package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Worked cases 41 to 50: optimizers; learning rate 0.1, tables of zeros unless rows are given. */
class OptimizerCasesTest {
  private static final Schedule RATE = Schedule.constant(0.1);
  private static final Offset<Float> NEAR = within(2e-8f);

  private static Optimizer scalars(Rule rule) {
    return Optimizer.of(WeightTable.of(1, 0, 0, 0), rule);
  }

  /** One step in which row {@code id} of a table of scalars has this gradient. */
  private static void step(Optimizer optimizer, long id, float gradient) {
    optimizer.step(RowGradient.of(optimizer.weights().rows(), 1, ids(id), new float[] {gradient}));
  }

  private static float weight(Optimizer optimizer, long id) {
    return optimizer.weights().row(id)[0];
  }

  @Test
  void case41MomentumOfEveryRowKeepsRolling() {
    Optimizer optimizer = scalars(Sgd.momentum(RATE, 0.9));
    step(optimizer, 1, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.1f, NEAR);
    step(optimizer, 2, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.19f, NEAR);
    assertThat(weight(optimizer, 2)).isCloseTo(-0.1f, NEAR);
  }

  @Test
  void case41LazyMomentumStaysWhereItHasNoGradient() {
    Optimizer optimizer = scalars(Sgd.lazyMomentum(RATE, 0.9));
    step(optimizer, 1, 1);
    step(optimizer, 2, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.1f, NEAR);
    assertThat(weight(optimizer, 2)).isCloseTo(-0.1f, NEAR);
  }

  @Test
  void case42AdagradSquaresTheCoalescedGradient() {
    Optimizer optimizer = scalars(Adagrad.of(RATE));
    optimizer.step(RowGradient.of(3, 1, ids(1, 1), floats(1, 2)));
    assertThat(optimizer.state().first(1)).containsExactly(9);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.1f, NEAR);
    optimizer.step(RowGradient.of(3, 1, ids(1, 2), floats(4, 1)));
    assertThat(optimizer.state().first(1)).containsExactly(25);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.18f, NEAR);
    assertThat(weight(optimizer, 2)).isCloseTo(-0.1f, NEAR);
  }

  private static Optimizer row(Rule rule) {
    return Optimizer.of(WeightTable.of(2, 1, 2), rule);
  }

  private static void stepRow(Optimizer optimizer, double... gradient) {
    optimizer.step(RowGradient.of(1, gradient.length, ids(0), floats(gradient)));
  }

  @Test
  void case43RowWiseAdagradTakesTheMeanOfSquares() {
    Optimizer optimizer = row(RowWiseAdagrad.of(RATE));
    stepRow(optimizer, 3, 4);
    assertThat(optimizer.state().scalar(0)).isEqualTo(12.5f);
    assertThat(optimizer.weights().row(0))
        .containsExactly(floats(0.91514719, 1.88686292), within(1.2e-7f));
    stepRow(optimizer, 1, 1);
    assertThat(optimizer.state().scalar(0)).isEqualTo(13.5f);
    assertThat(optimizer.weights().row(0))
        .containsExactly(floats(0.88793063, 1.85964636), within(1.2e-7f));
  }

  @Test
  void case44WeightDecayIsL2OrDecoupled() {
    Optimizer l2 = row(RowWiseAdagrad.of(RATE).with(WeightDecay.l2(0.1)));
    stepRow(l2, 3, 4);
    assertThat(l2.state().scalar(0)).isCloseTo(13.625f, within(1e-5f));
    assertThat(l2.weights().row(0))
        .containsExactly(floats(0.91601660, 1.88621604), within(1.2e-7f));
    Optimizer decoupled = row(RowWiseAdagrad.of(RATE).with(WeightDecay.decoupled(0.1)));
    stepRow(decoupled, 3, 4);
    assertThat(decoupled.state().scalar(0)).isEqualTo(12.5f);
    assertThat(decoupled.weights().row(0))
        .containsExactly(floats(0.90514719, 1.86686292), within(2.4e-7f));
  }

  @Test
  void case44UntouchedRowsDoNotDecay() {
    Optimizer optimizer =
        Optimizer.of(Toy.weights(), RowWiseAdagrad.of(RATE).with(WeightDecay.l2(0.1)));
    optimizer.step(RowGradient.of(5, 2, ids(1), floats(1, 1)));
    assertThat(optimizer.weights().row(2)).containsExactly(6, 8);
  }

  @Test
  void case45SparseAdamAddsEpsilonBeforeTheBiasCorrection() {
    Optimizer sparse = scalars(SparseAdam.of(RATE));
    step(sparse, 1, 1);
    assertThat(weight(sparse, 1)).isCloseTo(-0.09999997f, within(1e-8f));
    Optimizer dense = scalars(DenseAdam.of(RATE));
    step(dense, 1, 1);
    assertThat(weight(dense, 1)).isCloseTo(-0.1f, within(1e-8f));
  }

  @Test
  void case46SmallGradientsTellWhereEpsilonIs() {
    Optimizer sparse = scalars(SparseAdam.of(RATE));
    step(sparse, 1, 1e-6f);
    assertThat(weight(sparse, 1)).isCloseTo(-0.07597469f, NEAR);
    for (Rule rule : new Rule[] {DenseAdam.of(RATE), LazyAdam.of(RATE)}) {
      Optimizer dense = scalars(rule);
      step(dense, 1, 1e-6f);
      assertThat(weight(dense, 1)).isCloseTo(-0.0990099f, NEAR);
    }
  }

  @Test
  void case47TheStepCounterIsOneForAllRows() {
    Optimizer optimizer = scalars(SparseAdam.of(RATE));
    step(optimizer, 0, 1);
    step(optimizer, 1, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.07441366f, NEAR);
  }

  @Test
  void case48NothingDecaysWhileARowHasNoGradient() {
    Optimizer optimizer = scalars(SparseAdam.of(RATE));
    step(optimizer, 1, 1);
    step(optimizer, 0, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.09999997f, within(1e-8f));
    step(optimizer, 1, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.1858462f, NEAR);
    assertThat(optimizer.state().first(1)[0]).isCloseTo(0.19f, NEAR);
    assertThat(optimizer.state().second(1)[0]).isCloseTo(0.001999f, within(1e-9f));
  }

  @Test
  void case48DenseAdamMovesARowWithoutGradient() {
    Optimizer optimizer = scalars(DenseAdam.of(RATE));
    step(optimizer, 1, 1);
    step(optimizer, 0, 1);
    assertThat(weight(optimizer, 1)).isCloseTo(-0.16700582f, NEAR);
  }

  @Test
  void case49PartialRowWiseAdamHasOneSecondMomentARow() {
    Optimizer optimizer = row(PartialRowWiseAdam.of(RATE));
    stepRow(optimizer, 3, 4);
    assertThat(optimizer.weights().row(0))
        .containsExactly(floats(0.91514719, 1.88686292), within(1.2e-7f));
    // m = 0.1·g in full, v = 0.001 · 12.5
    assertThat(optimizer.state().first(0)).containsExactly(floats(0.3, 0.4), NEAR);
    assertThat(optimizer.state().scalar(0)).isCloseTo(0.0125f, within(1e-8f));
  }

  @Test
  void case50ClippingTakesTheNormOfCoalescedRows() {
    RowGradient gradient = RowGradient.of(3, 1, ids(1, 1), floats(3, 3));
    assertThat(gradient.norm()).isEqualTo(6);
    assertThat(gradient.clipByNorm(1)).isEqualTo(6);
    assertThat(gradient.row(1)[0]).isCloseTo((float) (6 / (6 + 1e-6)), within(1.2e-7f));
  }
}

package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.kernel.FloatFormat;
import org.junit.jupiter.api.Test;

/** Worked cases 19 to 26: max-norm. */
class MaxNormCasesTest {

  private static Embedding bounded(double max, double p) {
    return Toy.embedding(EmbeddingOptions.plain().withMaxNorm(new MaxNorm(max, p)));
  }

  private static float[] lookup(Embedding embedding, long... ids) {
    float[] target = new float[ids.length * embedding.weights().width()];
    embedding.lookup(ids, target);
    return target;
  }

  @Test
  void case19ScalesLookedUpRowsInTheTableAndNoOthers() {
    Embedding embedding = bounded(5, 2);
    assertThat(lookup(embedding, 2, 2, 0)).containsExactly(3, 4, 3, 4, 1, 2);
    assertThat(Toy.values(embedding.weights())).containsExactly(1, 2, 3, 4, 3, 4, 0, 1, -2, 5);
    // row 1 has norm exactly 5: the bound is strict
    assertThat(lookup(embedding, 1)).containsExactly(3, 4);
    assertThat(Toy.values(embedding.weights())).containsExactly(1, 2, 3, 4, 3, 4, 0, 1, -2, 5);
  }

  @Test
  void case19IntIdsAreScaledToo() {
    Embedding embedding = bounded(5, 2);
    float[] target = new float[2];
    embedding.lookup(new int[] {2}, target);
    assertThat(target).containsExactly(3, 4);
  }

  @Test
  void case20NoDerivativeFlowsThroughTheScaling() {
    Embedding embedding = bounded(5, 2);
    float[] _ = lookup(embedding, 2, 0);
    RowGradient gradient = embedding.backward(ids(2, 0), floats(1, 0, 0, 1));
    assertThat(gradient.row(2)).containsExactly(1, 0);
    assertThat(gradient.row(0)).containsExactly(0, 1);
  }

  @Test
  void case21SumOfMagnitudes() {
    assertThat(lookup(bounded(3, 1), 4, 1))
        .containsExactly(-0.85714287f, 2.142857f, 1.2857143f, 1.7142857f);
  }

  @Test
  void case22LargestMagnitudeAndThirdPower() {
    assertThat(lookup(bounded(4, Double.POSITIVE_INFINITY), 2)).containsExactly(3, 4);
    assertThat(lookup(bounded(1, 3), 1)).containsExactly(0.6669718f, 0.8892957f);
  }

  @Test
  void case23ZeroMakesLookedUpRowsZeroAndNegativeIsRefused() {
    Embedding embedding = bounded(0, 2);
    assertThat(lookup(embedding, 2)).containsExactly(0, 0);
    assertThat(Toy.values(embedding.weights())).containsExactly(1, 2, 3, 4, 0, 0, 0, 1, -2, 5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxNorm.of(-1))
        .withMessage("max norm is -1.0; it takes 0 or more");
    assertThatIllegalArgumentException().isThrownBy(() -> MaxNorm.of(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> new MaxNorm(1, Double.NaN));
  }

  @Test
  void case24AWrongIdLeavesTheTableUntouched() {
    for (long wrong : ids(-1, 5, Long.MIN_VALUE)) {
      Embedding embedding = bounded(1, 2);
      assertThatThrownBy(() -> lookup(embedding, 2, wrong))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("id %d at position 1 is not in [0, 5)", wrong);
      Toy.assertBitsUnchanged(embedding.weights());
    }
  }

  @Test
  void case25Bf16HoldsTheBoundToOneStep() {
    Embedding embedding =
        new Embedding(
            Toy.weights(FloatFormat.BF16, 2, 6, 8), EmbeddingOptions.plain().withMaxNorm(1));
    assertThat(lookup(embedding, 0)).containsExactly(0.6015625f, 0.80078125f);
    // a second lookup finds norm 1.0016 and scales again: once per call, not once for ever
  }

  @Test
  void case25AnInfiniteRowBecomesNaN() {
    float infinity = Float.POSITIVE_INFINITY;
    Embedding embedding =
        new Embedding(
            WeightTable.of(2, infinity, infinity), EmbeddingOptions.plain().withMaxNorm(1));
    assertThat(lookup(embedding, 0)).containsOnly(Float.NaN);
  }

  @Test
  void case25DuplicatesInOneCallScaleOnce() {
    Embedding embedding =
        new Embedding(
            Toy.weights(FloatFormat.BF16, 2, 6, 8), EmbeddingOptions.plain().withMaxNorm(1));
    assertThat(lookup(embedding, 0, 0, 0))
        .containsExactly(0.6015625f, 0.80078125f, 0.6015625f, 0.80078125f, 0.6015625f, 0.80078125f);
  }

  @Test
  void case26ThePaddingRowIsScaledToo() {
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withMaxNorm(5).withPadding(2));
    assertThat(lookup(embedding, 2)).containsExactly(3, 4);
  }

  @Test
  void explicitRenormIsWhatALookupDoesFirst() {
    Embedding embedding = bounded(5, 2);
    embedding.renorm(ids(2));
    assertThat(Toy.values(embedding.weights())).containsExactly(1, 2, 3, 4, 3, 4, 0, 1, -2, 5);
  }
}

package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Ids;
import dev.rowan.core.kernel.FloatFormat;
import org.junit.jupiter.api.Test;

/** Worked cases 27 to 40: bags. */
class BagCasesTest {
  private static final Bags BAGS = Bags.of(ids(1, 3, 1, 4), 0, 2, 2);
  private static final EmbeddingOptions PLAIN = EmbeddingOptions.plain();
  private static final EmbeddingOptions PAD1 = PLAIN.withPadding(1);

  private static EmbeddingBag bag(Pooling pooling, EmbeddingOptions options) {
    return new EmbeddingBag(Toy.weights(), pooling, options);
  }

  private static EmbeddingBag bag(Pooling pooling, float... values) {
    return new EmbeddingBag(WeightTable.of(2, values), pooling, PLAIN);
  }

  private static float[] pooled(Pooling pooling, EmbeddingOptions options, Bags bags) {
    return bag(pooling, options).lookup(bags).values();
  }

  @Test
  void case27PoolsAndLeavesEmptyBagsZero() {
    assertThat(pooled(Pooling.SUM, PLAIN, BAGS)).containsExactly(3, 5, 0, 0, 1, 9);
    assertThat(pooled(Pooling.MEAN, PLAIN, BAGS)).containsExactly(1.5f, 2.5f, 0, 0, 0.5f, 4.5f);
    assertThat(pooled(Pooling.MAX, PLAIN, BAGS)).containsExactly(3, 4, 0, 0, 3, 5);
    assertThat(bag(Pooling.SUM, PLAIN).lookup(BAGS).shape()).containsExactly(3, 2);
  }

  @Test
  void case28GradientsOfEachPooling() {
    float[] ones = Toy.ones(6);
    assertThat(bag(Pooling.SUM, PLAIN).backward(BAGS, ones).densify())
        .containsExactly(0, 0, 2, 2, 0, 0, 1, 1, 1, 1);
    assertThat(bag(Pooling.MEAN, PLAIN).backward(BAGS, ones).densify())
        .containsExactly(0, 0, 1, 1, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f);
    assertThat(bag(Pooling.MAX, PLAIN).backward(BAGS, ones).densify())
        .containsExactly(0, 0, 2, 1, 0, 0, 0, 0, 0, 1);
  }

  @Test
  void case29LastOffsetMustBeTheNumberOfIds() {
    Bags bags = Bags.withLastOffset(ids(1, 3, 1, 4), 0, 2, 2, 4);
    assertThat(pooled(Pooling.SUM, PLAIN, bags)).containsExactly(3, 5, 0, 0, 1, 9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bags.withLastOffset(ids(1, 3, 1, 4), 0, 2, 3))
        .withMessage("the last offset, at position 2, is 3; there are 4 ids, so it must be that");
  }

  @Test
  void case30RefusesOffsetsThatDoNotBeginAtZeroFallOrPassTheEnd() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bags.of(ids(1, 2), 1))
        .withMessage("offset 1 at position 0 is not in [0, 0]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bags.of(ids(1, 2), 0, 3))
        .withMessage("offset 3 at position 1 is not in [0, 2]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bags.of(ids(1, 2), 0, 2, 1))
        .withMessage("offset 1 at position 2 is not in [2, 2]");
    assertThatIllegalArgumentException().isThrownBy(() -> Bags.of(ids(1)));
  }

  @Test
  void case31PaddingIsLeftOutOfSumsDivisorsAndGradients() {
    for (EmbeddingOptions options : new EmbeddingOptions[] {PAD1, PLAIN.withPadding(-4)}) {
      for (Pooling pooling : new Pooling[] {Pooling.SUM, Pooling.MEAN, Pooling.MAX}) {
        assertThat(pooled(pooling, options, BAGS)).containsExactly(0, 1, 0, 0, -2, 5);
        assertThat(bag(pooling, options).backward(BAGS, Toy.ones(6)).densify())
            .containsExactly(0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
      }
    }
  }

  @Test
  void case32ABagOfPaddingAloneIsZero() {
    Bags bags = Bags.of(ids(1, 1, 3), 0, 2);
    for (Pooling pooling : Pooling.values()) {
      assertThat(pooled(pooling, PAD1, bags)).containsExactly(0, 0, 0, 1);
    }
  }

  @Test
  void case33TheLargestOfNegativesIsNegative() {
    EmbeddingBag bag = bag(Pooling.MAX, -7, -1, -3, -2);
    assertThat(bag.lookup(Bags.of(ids(0, 1), 0)).values()).containsExactly(-3, -1);
  }

  @Test
  void case34TheFirstOfEqualsTakesTheWholeGradient() {
    EmbeddingBag bag = bag(Pooling.MAX, 7, 1, 7, 2);
    assertThat(bag.backward(Bags.of(ids(0, 1), 0), Toy.ones(2)).densify())
        .containsExactly(1, 0, 0, 1);
    assertThat(bag.backward(Bags.of(ids(1, 0), 0), Toy.ones(2)).densify())
        .containsExactly(0, 0, 1, 1);
  }

  @Test
  void case35NaNWinsTheMaximumInAnyOrder() {
    EmbeddingBag bag = bag(Pooling.MAX, Float.NaN, 1, 3, 2);
    assertThat(bag.lookup(Bags.of(ids(0, 1), 0)).values()).containsExactly(Float.NaN, 2);
    assertThat(bag.lookup(Bags.of(ids(1, 0), 0)).values()).containsExactly(Float.NaN, 2);
    assertThat(bag.backward(Bags.of(ids(1, 0), 0), Toy.ones(2)).densify())
        .containsExactly(1, 0, 0, 1);
  }

  @Test
  void case36PaddingIsSkippedButAWeightOfZeroIsNot() {
    float[] values = {Float.NaN, Float.NaN, 3, 4, 6, 8, 0, 1};
    EmbeddingBag padded =
        new EmbeddingBag(WeightTable.of(2, values), Pooling.SUM, PLAIN.withPadding(0));
    assertThat(padded.lookup(Bags.of(ids(0, 1, 3), 0, 2)).values()).containsExactly(3, 4, 0, 1);
    EmbeddingBag plain = bag(Pooling.SUM, values);
    assertThat(plain.lookup(Bags.of(ids(0), 0).weighted(0)).values()).containsOnly(Float.NaN);
  }

  @Test
  void case37WeightsAndTheirGradient() {
    Bags bags = BAGS.weighted(0.5f, 2, -1, 3);
    EmbeddingBag bag = bag(Pooling.SUM, PLAIN);
    assertThat(bag.lookup(bags).values()).containsExactly(1.5f, 4, 0, 0, -9, 11);
    assertThat(bag.backward(bags, Toy.ones(6)).densify())
        .containsExactly(0, 0, -0.5f, -0.5f, 0, 0, 2, 2, 3, 3);
    assertThat(bag.weightGradient(bags, Toy.ones(6))).containsExactly(7, 1, 7, 3);
    EmbeddingBag padded = bag(Pooling.SUM, PAD1);
    assertThat(padded.lookup(bags).values()).containsExactly(0, 2, 0, 0, -6, 15);
    assertThat(padded.weightGradient(bags, Toy.ones(6))).containsExactly(0, 1, 0, 3);
  }

  @Test
  void case38WeightedMeanAndRootDivideByTheWeights() {
    Bags bags = Bags.of(ids(1, 3), 0).weighted(2, 0.5f);
    assertThat(pooled(Pooling.MEAN, PLAIN, bags)).containsExactly(floats(2.4, 3.4), within(3e-7f));
    assertThat(pooled(Pooling.SQRTN, PLAIN, bags))
        .containsExactly(floats(2.91042750, 4.12310563), within(5e-7f));
  }

  @Test
  void case39FrequencyCountsOverTheWholeCall() {
    EmbeddingBag bag = bag(Pooling.SUM, PLAIN.withFrequency(EmbeddingOptions.Frequency.MEAN));
    RowGradient gradient = bag.backward(Bags.of(ids(1, 1), 0, 1), Toy.ones(4));
    assertThat(gradient.row(1)).containsExactly(1, 1);
  }

  @Test
  void case39EachIdIsDividedByItsOwnCount() {
    // libtorch 2.10 divides row 1 by the count of row 0
    EmbeddingBag bag = bag(Pooling.SUM, PLAIN.withFrequency(EmbeddingOptions.Frequency.MEAN));
    RowGradient gradient = bag.backward(Bags.of(ids(0, 0, 1), 0), Toy.ones(2));
    assertThat(gradient.values()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void case40SixteenBitRowsAreSummedInFloat32() {
    EmbeddingBag mean = new EmbeddingBag(Toy.weights(FloatFormat.F16, 1, 1), Pooling.MEAN, PLAIN);
    assertThat(mean.lookup(Bags.of(new long[70_000], 0)).values()).containsExactly(1);
    EmbeddingBag sum = new EmbeddingBag(Toy.weights(FloatFormat.BF16, 1, 1), Pooling.SUM, PLAIN);
    assertThat(sum.lookup(Bags.of(new long[512], 0)).values()).containsExactly(512);
  }

  @Test
  void equalBagsComeFromARectangleOfIds() {
    Bags bags = Bags.rectangle(Ids.shaped(ids(1, 2, 4, 3), 2, 2));
    assertThat(bags.count()).isEqualTo(2);
    assertThat(pooled(Pooling.SUM, PLAIN, bags)).containsExactly(9, 12, -2, 6);
    assertThat(Bags.rectangle(Ids.shaped(new long[0], 3, 0)).count()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Bags.rectangle(Ids.of(1, 2)))
        .withMessage("ids of shape [2]; a rectangle has two axes, [bags, size]");
  }

  @Test
  void weightsThatSumToZeroGiveZeros() {
    Bags bags = Bags.of(ids(1, 3), 0).weighted(1, -1);
    assertThat(pooled(Pooling.MEAN, PLAIN, bags)).containsExactly(0, 0);
    assertThat(bag(Pooling.MEAN, PLAIN).backward(bags, Toy.ones(2)).densify()).containsOnly(0f);
  }

  @Test
  void refusesWeightsWhereTheyHaveNoMeaning() {
    Bags bags = BAGS.weighted(1, 1, 1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pooled(Pooling.MAX, PLAIN, bags))
        .withMessage("MAX takes no weights; use SUM, MEAN or SQRTN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BAGS.weighted(1, 2))
        .withMessage("2 weights for 4 ids; there must be one for each");
  }
}

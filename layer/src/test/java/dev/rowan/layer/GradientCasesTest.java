package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.kernel.FloatFormat;
import org.junit.jupiter.api.Test;

/** Worked cases 9 to 18: gradients of the lookup. */
class GradientCasesTest {
  private static final float[] G = floats(1, 1, 10, 20, 100, 200);

  @Test
  void case09OccurrencesOfARowAddUp() {
    RowGradient gradient = Toy.embedding().backward(ids(1, 3, 1), G);
    assertThat(gradient.densify()).containsExactly(0, 0, 101, 201, 0, 0, 10, 20, 0, 0);
  }

  @Test
  void case10ThreeContributionsBecomeTwoRows() {
    RowGradient gradient = RowGradient.of(5, 2, ids(1, 3, 1), G);
    assertThat(gradient.ids()).containsExactly(1, 3);
    assertThat(gradient.values()).containsExactly(101, 201, 10, 20);
  }

  @Test
  void case11PaddingHasNoGradientAndAnUnchangedForward() {
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withPadding(1));
    RowGradient gradient = embedding.backward(ids(1, 3, 1), G);
    assertThat(gradient.ids()).containsExactly(3);
    assertThat(gradient.values()).containsExactly(10, 20);
    float[] forward = new float[2];
    embedding.lookup(ids(1), forward);
    assertThat(forward).containsExactly(3, 4);
  }

  @Test
  void case12OnlyPaddingGivesAnEmptyGradientOfFullShape() {
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withPadding(1));
    RowGradient gradient = embedding.backward(ids(1, 1), Toy.ones(4));
    assertThat(gradient.count()).isZero();
    assertThat(gradient.rows()).isEqualTo(5);
    assertThat(gradient.width()).isEqualTo(2);
  }

  @Test
  void case13ScaleByFrequencyDividesByTheCountOfTheId() {
    RowGradient gradient = byFrequency().backward(ids(1, 3, 1), G);
    assertThat(gradient.row(1)).containsExactly(50.5f, 100.5f);
    assertThat(gradient.row(3)).containsExactly(10, 20);
  }

  private static Embedding byFrequency() {
    return Toy.embedding(EmbeddingOptions.plain().withFrequency(EmbeddingOptions.Frequency.MEAN));
  }

  @Test
  void case14EachCallCountsForItself() {
    RowGradient gradient = byFrequency().backward(ids(1), Toy.ones(2));
    byFrequency().backward(ids(1, 2), Toy.ones(4), gradient);
    assertThat(gradient.row(1)).containsExactly(2, 2);
    assertThat(gradient.row(2)).containsExactly(1, 1);
  }

  @Test
  void case15Bf16SumsInFloat32() {
    Embedding embedding =
        new Embedding(Toy.weights(FloatFormat.BF16, 1, 0, 0), EmbeddingOptions.plain());
    RowGradient gradient = embedding.backward(new long[512], Toy.ones(512));
    assertThat(gradient.row(0)).containsExactly(512);
    // and the update is rounded once: 512 is a bf16 number
    Optimizer.of(embedding.weights(), Sgd.of(Schedule.constant(1))).step(gradient);
    assertThat(embedding.weights().row(0)).containsExactly(-512);
  }

  @Test
  void case16F16SumsInFloat32() {
    Embedding embedding =
        new Embedding(Toy.weights(FloatFormat.F16, 1, 0, 0), EmbeddingOptions.plain());
    RowGradient gradient = embedding.backward(new long[4096], Toy.ones(4096));
    assertThat(gradient.row(0)).containsExactly(4096);
  }

  @Test
  void case17SumsFollowTheOrderOfPositionsForAnyThreadCount() {
    WeightTable weights = WeightTable.of(1, new float[200]);
    Embedding embedding = new Embedding(weights, EmbeddingOptions.plain());
    float[] falling = {16777216, 1, 1};
    float[] rising = {1, 1, 16777216};
    assertThat(embedding.backward(ids(7, 7, 7), falling).row(7)).containsExactly(16777216);
    assertThat(embedding.backward(ids(7, 7, 7), rising).row(7)).containsExactly(16777218);
    for (int threads : new int[] {1, 2, 5}) {
      try (var workers = dev.rowan.core.Workers.of(threads)) {
        weights.on(workers);
        long[] ids = new long[600];
        float[] upstream = new float[600];
        for (int i = 0; i < 600; i++) { // each row three times: 2^24 first, then 1, 1
          ids[i] = i % 200;
          upstream[i] = i < 200 ? 16777216 : 1;
        }
        assertThat(embedding.backward(ids, upstream).values()).containsOnly(16777216f);
      }
    }
  }

  @Test
  void case18BackwardAccumulates() {
    RowGradient gradient = Toy.embedding().backward(ids(1), Toy.ones(2));
    Toy.embedding().backward(ids(1, 2), Toy.ones(4), gradient);
    assertThat(gradient.row(1)).containsExactly(2, 2);
    assertThat(gradient.row(2)).containsExactly(1, 1);
  }

  @Test
  void twoCallsKeepRowsApartAsAReportedBugDidNot() {
    WeightTable weights = WeightTable.of(1, new float[10]);
    Embedding embedding = new Embedding(weights, EmbeddingOptions.plain());
    RowGradient gradient = embedding.backward(ids(7, 1, 3), Toy.ones(3));
    embedding.backward(ids(8, 1, 3), Toy.ones(3), gradient);
    assertThat(gradient.ids()).containsExactly(1, 3, 7, 8);
    assertThat(gradient.values()).containsExactly(2, 2, 1, 1);
  }
}

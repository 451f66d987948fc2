package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowGradientTest {

  @Test
  void rowsComeInRisingOrder() {
    RowGradient gradient = RowGradient.of(1L << 40, 1, ids(1L << 39, 3, 1L << 39), floats(1, 2, 4));
    assertThat(gradient.ids()).containsExactly(3, 1L << 39);
    assertThat(gradient.values()).containsExactly(2, 5);
  }

  @Test
  void sumsAreThoseOfPositionsInOrder() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 50; round++) {
      int rows = 1 + random.nextInt(5000);
      int count = random.nextInt(3000);
      long[] ids = random.longs(count, 0, rows).toArray();
      float[] values = new float[count * 3];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextGaussian();
      }
      float[] expected = new float[rows * 3];
      for (int p = 0; p < count; p++) {
        for (int i = 0; i < 3; i++) {
          expected[(int) ids[p] * 3 + i] += values[p * 3 + i];
        }
      }
      RowGradient gradient = RowGradient.of(rows, 3, ids, values);
      assertThat(gradient.densify()).isEqualTo(expected);
      assertThat(gradient.ids()).isEqualTo(Arrays.stream(ids).distinct().sorted().toArray());
    }
  }

  @Test
  void additionJoinsRows() {
    RowGradient sum = RowGradient.of(5, 2, ids(1, 3), floats(1, 2, 3, 4));
    sum.add(RowGradient.of(5, 2, ids(0, 3), floats(5, 6, 7, 8)));
    assertThat(sum.ids()).containsExactly(0, 1, 3);
    assertThat(sum.values()).containsExactly(5, 6, 1, 2, 10, 12);
    sum.add(sum);
    assertThat(sum.values()).containsExactly(10, 12, 2, 4, 20, 24);
  }

  @Test
  void additionToAllRowsIsInPlace() {
    RowGradient all = RowGradient.of(2, 1, ids(0, 1), floats(1, 2));
    all.add(RowGradient.of(2, 1, ids(1), floats(5)));
    assertThat(all.values()).containsExactly(1, 7);
  }

  @Test
  void scalesEveryNumber() {
    RowGradient gradient = RowGradient.of(5, 2, ids(1), floats(1, -2));
    gradient.scale(0.5f);
    assertThat(gradient.values()).containsExactly(0.5f, -1);
  }

  @Test
  void clipsByValueOnBothSides() {
    RowGradient gradient = RowGradient.of(5, 3, ids(1), floats(-9, 0.25, 9));
    gradient.clipByValue(0.5);
    assertThat(gradient.values()).containsExactly(-0.5f, 0.25f, 0.5f);
  }

  @Test
  void clipsByNormOnlyWhatIsLonger() {
    RowGradient gradient = RowGradient.of(5, 2, ids(1), floats(3, 4));
    assertThat(gradient.clipByNorm(5.1)).isEqualTo(5);
    assertThat(gradient.values()).containsExactly(3, 4);
  }

  @Test
  void clipsSeveralGradientsByTheirCommonNorm() {
    RowGradient a = RowGradient.of(5, 1, ids(1), floats(3));
    RowGradient b = RowGradient.of(9, 1, ids(8), floats(-4));
    assertThat(Clipping.byNorm(List.of(a, b), 1)).isEqualTo(5);
    assertThat(a.values()[0]).isCloseTo(0.6f, within(1e-6f));
    assertThat(b.values()[0]).isCloseTo(-0.8f, within(1e-6f));
  }

  @Test
  void refusesToClipByANormThatIsNotFinite() {
    RowGradient gradient = RowGradient.of(5, 2, ids(1), floats(3, Double.NaN));
    assertThatThrownBy(() -> gradient.clipByNorm(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NaN");
    assertThat(gradient.values()[0]).isEqualTo(3);
    for (double wrong : new double[] {-1, Double.NaN}) {
      assertThatIllegalArgumentException().isThrownBy(() -> gradient.clipByNorm(wrong));
      assertThatIllegalArgumentException().isThrownBy(() -> gradient.clipByValue(wrong));
    }
  }

  @Test
  void refusesOtherShapes() {
    RowGradient gradient = RowGradient.empty(5, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gradient.add(RowGradient.empty(6, 2)))
        .withMessage("a gradient of 6 × 2 does not fit one of 5 × 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowGradient.of(5, 2, ids(1), floats(1)))
        .withMessage("values has 1 numbers; 1 rows of width 2 take exactly 2");
    assertThatThrownBy(() -> RowGradient.of(5, 2, ids(5), floats(1, 2)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id 5 at position 0 is not in [0, 5)");
  }

  @Test
  void refusesToDensifyWhatFitsNoArray() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowGradient.empty(1L << 33, 2).densify())
        .withMessageContaining("do not fit an array");
  }

  @Test
  void clearedGradientsStartAgain() {
    RowGradient gradient = RowGradient.of(5, 1, ids(1), floats(3));
    gradient.clear();
    assertThat(gradient.count()).isZero();
    Embedding embedding = new Embedding(WeightTable.of(1, 0, 0, 0, 0, 0), EmbeddingOptions.plain());
    embedding.backward(ids(4), floats(2), gradient);
    assertThat(gradient.ids()).containsExactly(4);
    assertThat(gradient.row(1)).containsExactly(0);
  }
}

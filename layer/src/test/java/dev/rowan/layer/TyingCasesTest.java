package dev.rowan.layer;

import static dev.rowan.layer.Toy.floats;
import static dev.rowan.layer.Toy.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rowan.core.Table;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Worked cases 51 to 60: tying, scaling, resizing, quantised rows. */
class TyingCasesTest {

  /** Both gradients of Σ logits for ids [2, 0] on W, h being the looked-up rows themselves. */
  private static RowGradient tiedGradient(EmbeddingOptions options) {
    Embedding embedding = new Embedding(WeightTable.of(2, 1, 0, 0, 1, 1, 1), options);
    TiedOutput output = TiedOutput.tiedTo(embedding);
    assertThat(output.isTiedTo(embedding)).isTrue();
    float[] hidden = new float[4];
    embedding.lookup(ids(2, 0), hidden);
    assertThat(output.logits(hidden, 2).values()).containsExactly(1, 1, 2, 1, 0, 1);
    // ∂Σ/∂logit = 1 everywhere: the output side of each row is Σ_b h_b, of each h Σ_v W_v = [2, 2]
    float[] outputSide = new float[2];
    for (int b = 0; b < 2; b++) {
      outputSide[0] += hidden[2 * b];
      outputSide[1] += hidden[2 * b + 1];
    }
    RowGradient gradient =
        RowGradient.of(
            3,
            2,
            ids(0, 1, 2),
            floats(
                outputSide[0],
                outputSide[1],
                outputSide[0],
                outputSide[1],
                outputSide[0],
                outputSide[1]));
    gradient.add(embedding.backward(ids(2, 0), floats(2, 2, 2, 2)));
    return gradient;
  }

  @Test
  void case51GradientsOfBothSidesAddIntoOneStep() {
    RowGradient gradient = tiedGradient(EmbeddingOptions.plain());
    assertThat(gradient.values()).containsExactly(4, 3, 2, 1, 4, 3);
    WeightTable weights = WeightTable.of(2, 1, 0, 0, 1, 1, 1);
    Optimizer optimizer = Optimizer.of(weights, Adagrad.of(Schedule.constant(0.1)));
    optimizer.step(gradient);
    assertThat(optimizer.steps()).isEqualTo(1);
    assertThat(optimizer.state().first(0)).containsExactly(16, 9);
  }

  @Test
  void case52PaddingMasksTheLookupSideOnly() {
    RowGradient gradient = tiedGradient(EmbeddingOptions.plain().withPadding(0));
    assertThat(gradient.values()).containsExactly(2, 1, 2, 1, 4, 3);
  }

  @Test
  void case53ScoresEveryRow() {
    TiedOutput output = TiedOutput.over(Toy.weights());
    assertThat(output.logits(floats(1, 2), 1).values()).containsExactly(5, 11, 22, 2, 8);
  }

  @Test
  void case54GemmaScaleIsRoundedToBf16AndAppliesToLookupsOnly() {
    assertThat(EmbeddingOptions.gemmaScale(640)).isEqualTo(25.25f);
    assertThat(EmbeddingOptions.gemmaScale(1152)).isEqualTo(34.0f);
    assertThat(EmbeddingOptions.gemmaScale(2560)).isEqualTo(50.5f);
    assertThat(EmbeddingOptions.gemmaScale(3072)).isEqualTo(55.5f);
    assertThat(EmbeddingOptions.gemmaScale(3840)).isEqualTo(62.0f);
    assertThat(EmbeddingOptions.gemmaScale(5376)).isEqualTo(73.5f);
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withScale(34f));
    float[] rows = new float[2];
    embedding.lookup(ids(1), rows);
    assertThat(rows).containsExactly(102, 136);
    Toy.assertBitsUnchanged(embedding.weights());
    assertThat(TiedOutput.tiedTo(embedding).logits(floats(1, 2), 1).values())
        .containsExactly(5, 11, 22, 2, 8);
    assertThat(embedding.backward(ids(1), floats(1, 2)).row(1)).containsExactly(34, 68);
  }

  @Test
  void case55ResizingKeepsOldRowsAndDrawsNewOnesAroundTheMean() {
    Embedding embedding = Toy.embedding();
    TiedOutput output = TiedOutput.tiedTo(embedding);
    embedding.resize(Resize.growTo(7), 11);
    WeightTable weights = embedding.weights();
    assertThat(weights.rows()).isEqualTo(7);
    for (int id = 0; id < 5; id++) {
      assertThat(Toy.bits(weights.row(id)))
          .isEqualTo(Toy.bits(floats(Toy.VALUES[2 * id], Toy.VALUES[2 * id + 1])));
    }
    for (int id = 5; id < 7; id++) {
      assertThat(weights.row(id)[0]).isCloseTo(1.6f, within(6 * 8.63e-5f)).isNotEqualTo(1.6f);
      assertThat(weights.row(id)[1]).isCloseTo(4.0f, within(6 * 7.75e-5f)).isNotEqualTo(4.0f);
    }
    assertThat(weights.row(5)).isNotEqualTo(weights.row(6));
    assertThat(output.isTiedTo(embedding)).isTrue();
    assertThat(output.logits(floats(1, 2), 1).shape()).containsExactly(1, 7);
  }

  @Test
  void case55NewRowsHaveTheCovarianceOfTheOldOnes() {
    Embedding embedding = Toy.embedding();
    embedding.resize(Resize.growTo(20_005), 12);
    double[] squares = new double[2];
    double product = 0;
    for (int id = 5; id < 20_005; id++) {
      float[] row = embedding.weights().row(id);
      double x = row[0] - 1.6;
      double y = row[1] - 4.0;
      squares[0] += x * x / 20_000;
      squares[1] += y * y / 20_000;
      product += x * y / 20_000;
    }
    // float32 near 1.6 and 4 has steps of 1.2e-7 and 4.8e-7, small beside 8.6e-5 and 7.7e-5
    assertThat(squares[0]).isCloseTo(7.44e-9, within(0.04 * 7.44e-9));
    assertThat(squares[1]).isCloseTo(6e-9, within(0.04 * 6e-9));
    assertThat(product).isCloseTo(4e-9, within(0.06 * 4e-9));
  }

  @Test
  void case56RoundsUpToAMultipleAndClearsPaddingThatIsCutOff() {
    assertThat(resized(Resize.growTo(6).toMultipleOf(4)).weights().rows()).isEqualTo(8);
    assertThat(resized(Resize.pad(4)).weights().rows()).isEqualTo(8);
    Embedding cut = Toy.embedding(EmbeddingOptions.plain().withPadding(4));
    cut.resize(Resize.shrinkTo(3), 1);
    assertThat(cut.weights().rows()).isEqualTo(3);
    assertThat(cut.padding()).isEqualTo(-1);
  }

  private static Embedding resized(Resize size) {
    Embedding embedding = Toy.embedding();
    embedding.resize(size, 1);
    return embedding;
  }

  @Test
  void case56NeverShrinksUnlessAsked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> resized(Resize.growTo(3)))
        .withMessage("3 rows are fewer than the present 5; say shrinkTo if rows are to be lost");
  }

  @Test
  void case56NegativePaddingKeepsItsRowWhenTheTableGrows() {
    Embedding embedding = Toy.embedding(EmbeddingOptions.plain().withPadding(-1));
    embedding.resize(Resize.growTo(9), 1);
    assertThat(embedding.padding()).isEqualTo(4);
  }

  private static int[] codes(Table table, int count) {
    int[] codes = new int[count];
    for (int i = 0; i < count; i++) {
      codes[i] = table.data().get(ValueLayout.JAVA_BYTE, i) & 0xFF;
    }
    return codes;
  }

  private static float number(Table table, long at) {
    return table.data().get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
  }

  @Test
  void case57Int8CodesRoundTiesToEven() {
    Table table = QuantizedRows.INT8.quantize(Table.of(5, 0, 0.5f, 1.5f, 2.5f, 255));
    assertThat(codes(table, 5)).containsExactly(0, 0, 2, 2, 255);
    assertThat(number(table, 5)).isEqualTo(1);
    assertThat(number(table, 9)).isZero();
  }

  @Test
  void case58Int8RowsHaveAScaleEachAndConstantRowsAreExact() {
    Table table = QuantizedRows.INT8.quantize(Table.of(4, -1, 0.1f, 0.25f, 1, 5, 5, 5, 5));
    assertThat(codes(table, 4)).containsExactly(0, 140, 159, 255);
    assertThat(number(table, 4)).isEqualTo(0.007843138f);
    assertThat(table.row(0))
        .containsExactly(floats(-1, 0.09803927, 0.24705887, 1), within(1.2e-7f));
    assertThat(number(table, 12 + 4)).isZero();
    assertThat(table.row(1)).containsExactly(5, 5, 5, 5);
  }

  @Test
  void case59Int4KeepsF16ScaleAndTheLowHalfFirst() {
    Table table = QuantizedRows.INT4.quantize(Table.of(4, -1, 0.5f, 2, 0));
    assertThat(codes(table, 2)).containsExactly(0x80, 0x5F);
    short scale = table.data().get(ValueLayout.JAVA_SHORT_UNALIGNED, 2);
    assertThat(Float.float16ToFloat(scale)).isEqualTo(0.19995117f);
    assertThat(table.row(0))
        .containsExactly(floats(-1, 0.599609375, 1.999267578, -0.000244140625), within(1e-7f));
  }

  @Test
  void case60Int4RoundsTheBiasFirst() {
    Table table = QuantizedRows.INT4.quantize(Table.of(2, 0.1f, 0.1f));
    assertThat(codes(table, 1)).containsExactly(0xFF);
    short scale = table.data().get(ValueLayout.JAVA_SHORT_UNALIGNED, 1);
    assertThat(Float.float16ToFloat(scale)).isEqualTo(1.6093254e-6f);
    assertThat(table.row(0)).containsExactly(floats(0.0999997, 0.0999997), within(1e-7f));
  }
}

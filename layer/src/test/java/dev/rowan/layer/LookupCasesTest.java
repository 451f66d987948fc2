package dev.rowan.layer;

import static dev.rowan.layer.Toy.bits;
import static dev.rowan.layer.Toy.ids;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Ids;
import dev.rowan.core.Rows;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worked cases 1 to 8: lookup. Expected values observed on libtorch 2.10 or computed by hand. */
class LookupCasesTest {

  @Test
  void case01LookupHasTheShapeOfTheIdsThenTheWidth() {
    Rows square = Toy.embedding().lookup(Ids.shaped(ids(0, 1, 2, 3), 2, 2));
    assertThat(square.shape()).containsExactly(2, 2, 2);
    assertThat(square.values()).containsExactly(1, 2, 3, 4, 6, 8, 0, 1);
  }

  @Test
  void case01SingleIdGivesOneRowWithoutAnExtraAxis() {
    Rows row = Toy.embedding().lookup(Ids.scalar(2));
    assertThat(row.shape()).containsExactly(2);
    assertThat(row.values()).containsExactly(6, 8);
  }

  @Test
  void case01NoIdsGiveNoRowsAndAGradientWithoutEntries() {
    Ids none = Ids.shaped(new long[0], 2, 0);
    assertThat(Toy.embedding().lookup(none).shape()).containsExactly(2, 0, 2);
    RowGradient gradient = Toy.embedding().backward(none, new float[0]);
    assertThat(gradient.count()).isZero();
    assertThat(gradient.densify()).containsOnly(0f).hasSize(10);
  }

  @Test
  void case02RefusesIdsOutsideTheTableBeforeWriting() {
    for (long wrong : ids(-1, 5, Long.MIN_VALUE, Long.MAX_VALUE)) {
      Embedding embedding = Toy.embedding();
      float[] target = {7, 7, 7, 7};
      assertThatThrownBy(() -> embedding.lookup(ids(0, wrong), target))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("id %d at position 1 is not in [0, 5)", wrong);
      assertThat(target).containsOnly(7f);
      Toy.assertBitsUnchanged(embedding.weights());
    }
  }

  @Test
  void case02RefusesIntIdsOutsideTheTable() {
    float[] target = {7, 7};
    assertThatThrownBy(() -> Toy.embedding().lookup(new int[] {5}, target))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id 5 at position 0 is not in [0, 5)");
    assertThat(target).containsOnly(7f);
  }

  @Test
  void case03NegativePaddingCountsFromTheEnd() {
    assertThat(Toy.embedding(EmbeddingOptions.plain().withPadding(-1)).padding()).isEqualTo(4);
    assertThat(Toy.embedding(EmbeddingOptions.plain().withPadding(-5)).padding()).isZero();
    for (long wrong : ids(-6, 5)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Toy.embedding(EmbeddingOptions.plain().withPadding(wrong)))
          .withMessage("padding id %d is not in [-5, 5)", wrong);
    }
  }

  @Test
  void case04GivenWeightsKeepTheirPaddingRow() {
    Embedding given =
        Embedding.trainable(Table.of(2, Toy.VALUES), EmbeddingOptions.plain().withPadding(1));
    assertThat(given.lookup(Ids.of(1)).values()).containsExactly(3, 4);
  }

  @Test
  void case04FreshWeightsHaveAZeroPaddingRow() {
    WeightTable weights = WeightTable.fresh(5, 2, FloatFormat.F32, Initializer.normal(1));
    Embedding fresh = Embedding.fresh(weights, EmbeddingOptions.plain().withPadding(1));
    assertThat(fresh.lookup(Ids.of(1)).values()).containsExactly(0, 0);
    assertThat(fresh.lookup(Ids.of(0)).values()).doesNotContain(0f);
  }

  @Test
  void case05RowsComeOutWithTheirBits() {
    Embedding embedding = new Embedding(WeightTable.of(2, -0f, 1e-42f), EmbeddingOptions.plain());
    assertThat(bits(embedding.lookup(Ids.of(0)).values()))
        .containsExactly(0x80000000, Float.floatToRawIntBits(1e-42f));
  }

  @Test
  void case06RoundsToBf16WithTiesToEven() {
    WeightTable weights =
        Toy.weights(FloatFormat.BF16, 4, Toy.floats(1.00390625, 1.01171875, 3.4e38, 65520));
    assertThat(weights.row(0)).containsExactly(1.0f, 1.015625f, Float.POSITIVE_INFINITY, 65536f);
  }

  @Test
  void case07RoundsToF16WithTiesToEven() {
    WeightTable weights =
        Toy.weights(FloatFormat.F16, 6, 65519f, 65520f, 2049f, 2051f, 0x1p-25f, 2.99e-8f);
    assertThat(weights.row(0))
        .containsExactly(65504f, Float.POSITIVE_INFINITY, 2048f, 2052f, 0f, 5.9604645e-8f);
  }

  @Test
  void case08OffsetsAreLong(@TempDir Path folder) throws IOException {
    // 262,144 × 12,288 f32 numbers are 12.9 GB: a file of holes takes their place
    long offset = 3_221_213_184L; // of row 262,143, in numbers; as an int it would be negative
    Path file = folder.resolve("holes");
    try (var channel = FileChannel.open(file, CREATE_NEW, READ, WRITE, SPARSE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, 4 * 262_144L * 12_288, arena);
      bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * offset, 7);
      Embedding embedding =
          new Embedding(
              WeightTable.over(bytes, 262_144, 12_288, FloatFormat.F32), EmbeddingOptions.plain());
      float[] row = new float[12_288];
      embedding.lookup(ids(262_143), row);
      assertThat(row[0]).isEqualTo(7);
      Optimizer optimizer = Optimizer.of(embedding.weights(), Sgd.of(Schedule.constant(1)));
      optimizer.step(embedding.backward(ids(262_143), Toy.ones(12_288)));
      assertThat(bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * offset)).isEqualTo(6);
      assertThat(bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * (offset + 12_287))).isEqualTo(-1);
    }
  }

  @Test
  void oneHotTimesTableEqualsTheLookupToTheBit() {
    float[] awkward = {-0f, 1e-42f, Float.MAX_VALUE, 0f, Float.POSITIVE_INFINITY, -1.5f, 3, -0f};
    Embedding embedding = new Embedding(WeightTable.of(2, awkward), EmbeddingOptions.plain());
    Ids ids = Ids.shaped(ids(0, 3, 2, 1, 1, 0), 2, 3);
    Rows product = embedding.oneHotTimesTable(ids);
    assertThat(product.shape()).containsExactly(2, 3, 2);
    assertThat(bits(product.values())).isEqualTo(bits(embedding.lookup(ids).values()));
  }

  @Test
  void oneHotEqualsTheLookupUnderMaxNormAndScale() {
    EmbeddingOptions options = EmbeddingOptions.plain().withMaxNorm(3).withScale(1.7f);
    float[] product = Toy.embedding(options).oneHotTimesTable(Ids.of(2, 4, 2)).values();
    float[] lookup = Toy.embedding(options).lookup(Ids.of(2, 4, 2)).values();
    assertThat(bits(product)).isEqualTo(bits(lookup));
  }

  @Test
  void intAndLongIdsGiveTheSameRows() {
    float[] fromInts = new float[6];
    float[] fromLongs = new float[6];
    Toy.embedding().lookup(new int[] {4, 0, 4}, fromInts);
    Toy.embedding().lookup(ids(4, 0, 4), fromLongs);
    assertThat(fromInts).containsExactly(-2, 5, 1, 2, -2, 5).isEqualTo(fromLongs);
  }

  @Test
  void refusesABufferThatIsTooShort() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Toy.embedding().lookup(ids(0, 1), new float[3]))
        .withMessage("the buffer has room for 3 numbers; 2 rows of width 2 need 4");
  }

  @Test
  void tableSharesItsBytesWithTraining() {
    Embedding embedding = Toy.embedding();
    Table view = embedding.table();
    embedding.weights().setRow(3, 9, 9);
    assertThat(view.row(3)).containsExactly(9, 9);
  }

  @Test
  void freshRowsAreTheSameForAnySeedAndThreadCount() {
    WeightTable one = WeightTable.fresh(1000, 7, FloatFormat.F32, Initializer.normal(5));
    try (var workers = dev.rowan.core.Workers.of(3)) {
      WeightTable three =
          WeightTable.fresh(1000, 7, FloatFormat.F32, Initializer.normal(5), workers);
      assertThat(bits(Toy.values(three))).isEqualTo(bits(Toy.values(one)));
    }
    WeightTable other = WeightTable.fresh(1000, 7, FloatFormat.F32, Initializer.normal(6));
    assertThat(bits(Toy.values(other))).isNotEqualTo(bits(Toy.values(one)));
  }

  @Test
  void freshRowsFollowTheirDistribution() {
    assertMoments(Initializer.normal(3), 0, 1);
    assertMoments(Initializer.normal(2, 0.5, 3), 2, 0.5);
    assertMoments(Initializer.uniform(-1, 3, 3), 1, 4 / Math.sqrt(12));
    assertMoments(Initializer.xavierNormal(3), 0, Math.sqrt(2.0 / 2050));
    assertMoments(Initializer.xavierUniform(3), 0, Math.sqrt(2.0 / 2050));
    assertMoments(Initializer.zeros(), 0, 0);
  }

  private static void assertMoments(Initializer initializer, double mean, double deviation) {
    float[] values = Toy.values(WeightTable.fresh(2000, 50, FloatFormat.F32, initializer));
    double sum = 0;
    double squares = 0;
    for (float x : values) {
      sum += x;
      squares += (x - mean) * (x - mean);
    }
    // 100,000 draws: the mean is within 5 sd / √n, the deviation within about 2 %
    assertThat(sum / values.length)
        .isCloseTo(mean, org.assertj.core.data.Offset.offset(5 * deviation / 316 + 1e-12));
    assertThat(Math.sqrt(squares / values.length))
        .isCloseTo(deviation, org.assertj.core.data.Offset.offset(0.02 * deviation + 1e-12));
  }

  @Test
  void rowsComeFromASupplier() {
    Embedding embedding =
        Embedding.fresh(
            3,
            2,
            (row, rows, values) -> {
              values[0] = row;
              values[1] = rows;
            });
    assertThat(Toy.values(embedding.weights())).containsExactly(0, 3, 1, 3, 2, 3);
  }

  @Test
  void frozenTablesRefuseToTrain() {
    Embedding frozen = Embedding.frozen(Table.of(2, Toy.VALUES), EmbeddingOptions.plain());
    Optimizer optimizer = Optimizer.of(frozen.weights(), Sgd.of(Schedule.constant(1)));
    assertThatThrownBy(() -> optimizer.step(frozen.backward(ids(1), Toy.ones(2))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("frozen");
    Toy.assertBitsUnchanged(frozen.weights());
  }

  @Test
  void optionsStartPlain() {
    assertThat(EmbeddingOptions.plain().padding()).isEqualTo(OptionalLong.empty());
  }
}

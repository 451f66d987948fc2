package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernels of this JVM against sums in double that share no code with them, and bit for bit
 * against the scalar kernels where that is promised. The build runs this class once for each value
 * of {@code rowan.kernels}.
 */
class KernelsTest {
  private static final int[] WIDTHS = {
    1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 300, 384, 702, 768, 1021, 4098
  };
  private static final int[] ROWS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 37};

  private final Kernels kernels = Kernels.best();

  static Stream<Arguments> formatsAndPlaces() {
    List<RowFormat> formats = new ArrayList<>(List.of(FloatFormat.values()));
    formats.add(Sample.Eighths.EIGHTHS);
    return formats.stream()
        .flatMap(
            format -> Stream.of(Sample.Place.values()).map(place -> Arguments.of(format, place)));
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void scanScoresEveryWidth(RowFormat format, Sample.Place place) {
    for (int width : WIDTHS) {
      for (int queries : new int[] {1, 3, 5, 18}) {
        checkScores(Sample.of(format, 13, width, place, 0), queries);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void scanScoresEveryNumberOfRowsAtAnyAddress(RowFormat format, Sample.Place place) {
    for (int rows : ROWS) {
      for (int shift : new int[] {1, 2, 3, 28}) {
        for (int queries : new int[] {1, 2, 4, 17}) {
          checkScores(Sample.of(format, rows, 70, place, shift), queries);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void scanScoresEveryNumberOfQueries(RowFormat format, Sample.Place place) {
    Sample sample = Sample.of(format, 15, 75, place, 2);
    for (int queries = 1; queries <= 70; queries++) {
      checkScores(sample, queries);
    }
    for (int queries : new int[] {127, 128, 129, 256, 257, 600}) {
      checkScores(sample, queries);
    }
  }

  private void checkScores(Sample sample, int count) {
    int width = sample.block.width();
    int rows = sample.numbers.length;
    float[] queries = Sample.queries(count, width);
    RowWeights weights = weights(rows);
    Candidates found = new Candidates(count, Math.max(1, rows));
    kernels.scan(sample.block, weights, kernels.pack(queries, count, width), found);
    for (int q = 0; q < count; q++) {
      double[] query = new double[width];
      for (int i = 0; i < width; i++) {
        query[i] = queries[q * width + i];
      }
      double[] scores = scoresById(found, q, rows);
      for (int r = 0; r < rows; r++) {
        long id = Sample.FIRST_ID + r;
        double scale = weights.scale().get(id);
        double bias = weights.bias().get(id);
        double exact = dot(sample.numbers[r], query) * scale + bias;
        double norms = norm(sample.numbers[r]) * norm(query);
        // beside the dot product: one rounding for the factor, one for the sum
        double bound =
            Kernels.dotErrorBound(width + 2) * norms * scale + Math.abs(exact) * 0x1p-22 + 1e-40;
        if (!(Math.abs(scores[r] - exact) <= bound)) { // most pass, and a description costs time
          assertThat(scores[r])
              .as("%s: row %d of %s, query %d of %d", kernels.name(), r, sample.block, q, count)
              .isCloseTo(exact, within(bound));
        }
      }
    }
  }

  /** Different for each row, so that a row with another's weights is caught. */
  private static RowWeights weights(int rows) {
    Column scale = Column.ofSize(Sample.FIRST_ID + rows);
    Column bias = Column.ofSize(Sample.FIRST_ID + rows);
    for (int id = 0; id < Sample.FIRST_ID + rows; id++) {
      scale.set(id, 1 + id / 16f);
      bias.set(id, 100 - 3 * id);
    }
    return new RowWeights(scale, bias);
  }

  /** Returns the score of each row; fails unless each was offered exactly once. */
  private static double[] scoresById(Candidates found, int q, int rows) {
    assertThat(found.size(q)).isEqualTo(rows);
    double[] scores = new double[rows];
    boolean[] seen = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      int row = (int) (found.id(q, i) - Sample.FIRST_ID);
      if (seen[row]) {
        throw new AssertionError("row %d was offered twice".formatted(row));
      }
      seen[row] = true;
      scores[row] = found.score(q, i);
    }
    return scores;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double norm(double[] v) {
    return Math.sqrt(dot(v, v));
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void scanKeepsTheBestRowsOfEachQuery(RowFormat format, Sample.Place place) {
    Sample sample = Sample.of(format, 2000, 48, place, 0);
    RowWeights weights = new RowWeights(Column.constant(1), Column.constant(0));
    for (int count : new int[] {1, 6, 40}) {
      Queries queries = kernels.pack(Sample.queries(count, 48), count, 48);
      Candidates all = new Candidates(count, 2000);
      kernels.scan(sample.block, weights, queries, all);
      Candidates best = new Candidates(count, 10);
      kernels.scan(sample.block.slice(0, 777), weights, queries, best);
      kernels.scan(sample.block.slice(777, 1223), weights, queries, best);
      for (int q = 0; q < count; q++) {
        // a row's last bits may depend on the tile that it falls into, and so on the slice
        assertThat(scores(best, q))
            .containsExactly(Arrays.copyOfRange(scores(all, q), 1990, 2000), within(1e-5f));
      }
    }
  }

  private static float[] scores(Candidates found, int q) {
    float[] scores = new float[found.size(q)];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = found.score(q, i);
    }
    Arrays.sort(scores);
    return scores;
  }

  @Test
  void scanKeepsRowsInRisingOrderOfScore() {
    // each row passes each threshold: the slow path, row after row
    for (int count : new int[] {1, 7, 64}) {
      Sample sample = Sample.of(FloatFormat.F32, 100, 64, Sample.Place.NATIVE, 0);
      Column bias = Column.ofSize(Sample.FIRST_ID + 100);
      for (int id = 0; id < 105; id++) {
        bias.set(id, 1000 * id);
      }
      Candidates best = new Candidates(count, 3);
      kernels.scan(
          sample.block,
          new RowWeights(Column.constant(1), bias),
          kernels.pack(Sample.queries(count, 64), count, 64),
          best);
      for (int q = 0; q < count; q++) {
        int query = q;
        assertThat(IntStream.range(0, 3).mapToLong(i -> best.id(query, i)))
            .containsExactlyInAnyOrder(102L, 103L, 104L);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void rowWithNanScaleIsLeftOut(RowFormat format, Sample.Place place) {
    for (int count : new int[] {1, 5, 20}) {
      Sample sample = Sample.of(format, 21, 50, place, 0);
      RowWeights weights = weights(21);
      for (int row : new int[] {0, 7, 14, 20}) {
        weights.scale().set(Sample.FIRST_ID + row, Float.NaN);
      }
      Candidates found = new Candidates(count, 21);
      kernels.scan(
          sample.block, weights, kernels.pack(Sample.queries(count, 50), count, 50), found);
      for (int q = 0; q < count; q++) {
        assertThat(found.size(q)).isEqualTo(17);
        for (int i = 0; i < 17; i++) {
          assertThat(found.id(q, i) - Sample.FIRST_ID).isNotIn(0L, 7L, 14L, 20L);
        }
      }
    }
  }

  static Stream<Arguments> brokenNumbers() {
    return Stream.of(
            Arguments.of(
                FloatFormat.F32, new int[] {0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001}),
            Arguments.of(FloatFormat.F16, new int[] {0x7C00, 0xFC00, 0x7E00, 0xFC01}),
            Arguments.of(FloatFormat.BF16, new int[] {0x7F80, 0xFF80, 0x7FC0, 0xFF81}))
        .flatMap(a ->
            Stream.of(Sample.Place.values())
                .map(place -> Arguments.of(a.get()[0], a.get()[1], place)));
  }

  @ParameterizedTest
  @MethodSource("brokenNumbers")
  void rowWithInfinityOrNanNeverHasFiniteScore(
      FloatFormat format, int[] patterns, Sample.Place place) {
    for (int width : new int[] {7, 64, 75}) {
      for (int pattern : patterns) {
        for (int at : new int[] {0, width / 2, width - 2, width - 1}) {
          for (int row : new int[] {0, 8, 12}) {
            Sample sample = Sample.of(format, 13, width, place, 0).with(row, at, pattern);
            for (int count : new int[] {1, 2, 4, 13}) {
              checkNotFinite(sample, row, count);
            }
          }
        }
      }
    }
  }

  private void checkNotFinite(Sample sample, int row, int count) {
    int width = sample.block.width();
    Candidates found = new Candidates(count, 13);
    kernels.scan(
        sample.block,
        new RowWeights(Column.constant(1), Column.constant(0)),
        kernels.pack(Sample.queries(count, width), count, width),
        found);
    for (int q = 0; q < count; q++) {
      int finite = 0;
      for (int i = 0; i < found.size(q); i++) {
        if (found.id(q, i) == Sample.FIRST_ID + row) {
          assertThat(found.score(q, i)).isEqualTo(Float.POSITIVE_INFINITY);
        } else {
          assertThat(found.score(q, i)).isFinite();
          finite++;
        }
      }
      assertThat(finite).isEqualTo(12);
    }
  }

  @Test
  void subnormalNumbersCount() {
    // the smallest positive number of each format, times 2^100, 64 times
    record Smallest(FloatFormat format, double value) {}
    for (Smallest smallest :
        List.of(
            new Smallest(FloatFormat.F32, 0x1p-149),
            new Smallest(FloatFormat.F16, 0x1p-24),
            new Smallest(FloatFormat.BF16, 0x1p-133))) {
      Sample sample = Sample.of(smallest.format, 9, 64, Sample.Place.NATIVE, 0);
      for (int i = 0; i < 64; i++) {
        sample = sample.with(4, i, 1);
      }
      for (int count : new int[] {1, 4, 16}) {
        float[] queries = new float[count * 64];
        Arrays.fill(queries, 0x1p100f);
        Candidates found = new Candidates(count, 9);
        kernels.scan(
            sample.block,
            new RowWeights(Column.constant(1), Column.constant(0)),
            kernels.pack(queries, count, 64),
            found);
        assertThat(scoresById(found, 0, 9)[4]).isEqualTo(smallest.value * 0x1p106);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void squaredNormsKeepTheOrderOfTheSum(RowFormat format, Sample.Place place) {
    for (int width : WIDTHS) {
      for (int rows : new int[] {0, 1, 3, 4, 5, 9}) {
        Sample sample = Sample.of(format, rows, width, place, 1);
        double[] norms = new double[rows + 2];
        kernels.squaredNorms(sample.block, norms, 1);
        for (int r = 0; r < rows; r++) {
          assertThat(norms[1 + r]).isEqualTo(eightSums(sample.numbers[r]));
        }
        assertThat(norms[0] + norms[rows + 1]).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void productsKeepTheOrderOfTheSum(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : WIDTHS) {
      for (int rows : new int[] {0, 1, 3, 25}) {
        Sample sample = Sample.of(format, rows, width, place, 1);
        for (int count : new int[] {1, 2, 3}) {
          double[] vectors = random.doubles((long) count * width, -2, 2).toArray();
          double[] products = new double[rows * count];
          kernels.products(sample.block, vectors, count, products);
          for (int at = 0; at < products.length; at++) {
            double[] s = new double[8];
            for (int i = 0; i < width; i++) {
              s[i % 8] += sample.numbers[at / count][i] * vectors[at % count * width + i];
            }
            double sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
            assertThat(products[at]).isEqualTo(sum);
          }
        }
      }
    }
  }

  /** The order that {@link Exact} states, written out again. */
  private static double eightSums(double[] v) {
    double[] s = new double[8];
    for (int i = 0; i < v.length; i++) {
      s[i % 8] += v[i] * v[i];
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }

  @ParameterizedTest
  @MethodSource("brokenNumbers")
  void normOfBrokenRowIsNotFinite(FloatFormat format, int[] patterns, Sample.Place place) {
    for (int pattern : patterns) {
      for (int at : new int[] {0, 40, 74}) {
        Sample sample = Sample.of(format, 9, 75, place, 0).with(5, at, pattern);
        double[] norms = new double[9];
        kernels.squaredNorms(sample.block, norms, 0);
        assertThat(Double.isFinite(norms[5])).isFalse();
        assertThat(Arrays.stream(norms).filter(Double::isFinite)).hasSize(8);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void addScaledRowsAddsInOrderOfRows(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : WIDTHS) {
      for (int rows : new int[] {0, 1, 2, 3, 4, 5, 9, 14}) {
        Sample sample = Sample.of(format, rows, width, place, 2);
        double[] factors = random.doubles(rows + 1, -2, 2).toArray();
        double[] sum = random.doubles(width).toArray();
        double[] expected = sum.clone();
        for (int r = 0; r < rows; r++) {
          for (int i = 0; i < width; i++) {
            expected[i] += factors[r + 1] * sample.numbers[r][i];
          }
        }
        kernels.addScaledRows(sample.block, factors, 1, sum);
        assertThat(sum).containsExactly(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void digestIsThatOfTheReference(RowFormat format, Sample.Place place) {
    for (int width : WIDTHS) {
      for (int rows : new int[] {0, 1, 3, 4, 5, 14}) {
        Sample sample = Sample.of(format, rows, width, place, 1);
        RowDigest digest = new RowDigest(rows);
        double[] sum = new double[width];
        kernels.digest(sample.block, digest, sum);
        RowDigest expected = new RowDigest(rows);
        double[] expectedSum = new double[width];
        Kernels.scalar().digest(sample.block, expected, expectedSum);
        assertThat(sum).containsExactly(expectedSum);
        for (int r = 0; r < rows; r++) {
          assertThat(digest.squaredNorm(r)).isEqualTo(expected.squaredNorm(r));
          double squares = eightSums(sample.numbers[r]);
          assertThat(digest.squaredNorm(r)).isCloseTo(squares, within(1e-14 * squares));
          assertThat(digest.hash(r)).isEqualTo(expected.hash(r));
          assertThat(digest.isConstant(r)).isEqualTo(expected.isConstant(r));
          assertThat(digest.hasSubnormal(r)).isEqualTo(expected.hasSubnormal(r));
        }
      }
    }
  }

  /** Rows of 0.5 with one number changed, at every place: each flag by what was put there. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 31, 32, 33, 75})
  void digestSeesOneNumber(int width) {
    float[] subnormal = {0x1p-133f, -0x1p-133f, 0x1.fcp-127f, -0x1.fcp-127f};
    float[] plain = {0, -0f, 0x1p-126f, -0x1p-126f, 0x1.fep127f, 0.25f};
    float[] broken = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
    for (FloatFormat format : new FloatFormat[] {FloatFormat.F32, FloatFormat.BF16}) {
      for (int at = 0; at < width; at++) {
        for (float number : subnormal) {
          Seen seen = new Seen(format, width, at, number);
          assertThat(seen.digest.hasSubnormal(1)).isTrue();
          assertThat(seen.sum[at]).isEqualTo(3 + (double) number);
        }
        for (float number : plain) {
          Seen seen = new Seen(format, width, at, number);
          assertThat(seen.digest.hasSubnormal(1)).isFalse();
          assertThat(seen.digest.isConstant(1)).isFalse();
          assertThat(seen.digest.hash(1)).isNotEqualTo(seen.digest.hash(0));
          assertThat(seen.sum[at]).isEqualTo(3 + (double) number);
        }
        for (float number : broken) {
          Seen seen = new Seen(format, width, at, number);
          assertThat(seen.digest.squaredNorm(1)).isNotFinite();
          assertThat(seen.digest.hasSubnormal(1)).isFalse();
          assertThat(seen.sum).containsOnly(3);
        }
      }
    }
  }

  /** Seven rows of 0.5, with one number of the second changed; checks the other rows. */
  private final class Seen {
    final RowDigest digest = new RowDigest(7);
    final double[] sum;

    Seen(FloatFormat format, int width, int at, float number) {
      float[] values = new float[7 * width];
      Arrays.fill(values, 0.5f);
      values[width + at] = number;
      sum = new double[width];
      MemorySegment data = Arena.ofAuto().allocate(format.rowBytes(width) * 7, 2);
      format.encode(values, 0, values.length, data, 0);
      kernels.digest(
          new RowBlock(data, 0, 0, 7, width, format, format.rowBytes(width)), digest, sum);
      for (int r : new int[] {0, 2, 3, 4, 6}) {
        assertThat(digest.squaredNorm(r)).isEqualTo(width / 4.0);
        assertThat(digest.hash(r)).isEqualTo(digest.hash(0));
        assertThat(digest.isConstant(r)).isEqualTo(width > 1);
        assertThat(digest.hasSubnormal(r)).isFalse();
      }
      for (int i = 0; i < width; i++) {
        if (i != at) {
          assertThat(sum[i]).isEqualTo(Double.isFinite(number) ? 3.5 : 3);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("brokenNumbers")
  void addScaledRowsSkipsRowsWithFactorZero(
      FloatFormat format, int[] patterns, Sample.Place place) {
    for (int pattern : patterns) {
      Sample sample = Sample.of(format, 9, 75, place, 0).with(3, 70, pattern).with(8, 0, pattern);
      double[] factors = {1, 0, -1, 0, 0.5, 0.1, 0, 2, -0.0};
      double[] sum = new double[75];
      kernels.addScaledRows(sample.block, factors, 0, sum);
      for (int i = 0; i < 75; i++) {
        double expected = 0;
        for (int r : new int[] {0, 2, 4, 5, 7}) {
          expected += factors[r] * sample.numbers[r][i];
        }
        assertThat(sum[i]).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formatsAndPlaces")
  void gatherCopiesRowsInOrderOfIds(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : WIDTHS) {
      Sample sample = Sample.of(format, 23, width, place, 3);
      for (int count : new int[] {0, 1, 3, 4, 5, 8, width == 300 ? 700 : 13}) {
        long[] ids = random.longs(count, 0, 23).toArray();
        float[] expected = new float[count * width];
        for (int i = 0; i < expected.length; i++) {
          expected[i] = (float) sample.numbers[(int) ids[i / width]][i % width];
        }
        for (MemorySegment target : targets(4L * count * width)) {
          kernels.gather(sample.block, ids, target);
          float[] got = new float[expected.length];
          MemorySegment.copy(target, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, got, 0, got.length);
          assertThat(got).isEqualTo(expected);
        }
      }
    }
  }

  private static List<MemorySegment> targets(long bytes) {
    return List.of(
        MemorySegment.ofArray(new float[(int) (bytes / 4)]),
        MemorySegment.ofArray(new byte[(int) bytes + 1]).asSlice(1),
        Arena.ofAuto().allocate(bytes + 4, 64).asSlice(4));
  }

  @ParameterizedTest
  @MethodSource("brokenNumbers")
  void gatherKeepsInfinitiesAndNan(FloatFormat format, int[] patterns, Sample.Place place) {
    for (int pattern : patterns) {
      Sample sample = Sample.of(format, 9, 75, place, 0).with(3, 70, pattern);
      float[] rows = new float[5 * 75];
      kernels.gather(sample.block, new long[] {1, 2, 3, 4, 3}, MemorySegment.ofArray(rows));
      assertThat(rows[2 * 75 + 70]).isEqualTo(Float.valueOf((float) sample.numbers[3][70]));
      assertThat(rows[4 * 75 + 70]).isEqualTo(Float.valueOf((float) sample.numbers[3][70]));
    }
  }

  @Test
  void gatherOfF32KeepsTheBitsOfNan() {
    Sample sample =
        Sample.of(FloatFormat.F32, 9, 75, Sample.Place.NATIVE, 0).with(3, 70, 0x7FA01234);
    int[] rows = new int[75];
    kernels.gather(sample.block, new long[] {3}, MemorySegment.ofArray(rows));
    assertThat(rows[70]).isEqualTo(0x7FA01234);
  }

  @Test
  void gatherLeavesTheRestOfTheTargetAlone() {
    Sample sample = Sample.of(FloatFormat.F32, 23, 75, Sample.Place.NATIVE, 0);
    float[] rows = new float[6 * 75];
    Arrays.fill(rows, 7);
    kernels.gather(sample.block, new long[] {1, 2, 3, 4, 3}, MemorySegment.ofArray(rows));
    assertThat(Arrays.copyOfRange(rows, 5 * 75, 6 * 75)).containsOnly(7);
  }
}

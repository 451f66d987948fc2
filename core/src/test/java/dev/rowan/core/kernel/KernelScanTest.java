package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scan of this JVM's kernels against sums in double that share no code with them. The build
 * runs the tests of this package once for each value of {@code rowan.kernels}.
 */
class KernelScanTest {
  private static final int[] ROWS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 37};

  private final Kernels kernels = Kernels.best();

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void scanScoresEveryWidth(RowFormat format, Sample.Place place) {
    for (int width : Sample.WIDTHS) {
      for (int queries : new int[] {1, 3, 5, 18}) {
        checkScores(Sample.of(format, 13, width, place, 0), queries);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
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

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#brokenNumbers")
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
}

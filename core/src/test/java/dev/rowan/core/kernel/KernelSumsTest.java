package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Norms, products, digests and sums of rows: bit for bit the order that is promised, written out
 * again, or the scalar kernels.
 */
class KernelSumsTest {
  private final Kernels kernels = Kernels.best();

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void squaredNormsKeepTheOrderOfTheSum(RowFormat format, Sample.Place place) {
    for (int width : Sample.WIDTHS) {
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void productsKeepTheOrderOfTheSum(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : Sample.WIDTHS) {
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

  /** The orders that {@link Exact} states, written out again. */
  private static double sixteenSums(double[] v) {
    double[] s = new double[16];
    for (int i = 0; i < v.length; i++) {
      s[i % 16] += v[i] * v[i];
    }
    double[] pairs = new double[8];
    for (int i = 0; i < 8; i++) {
      pairs[i] = s[2 * i] + s[2 * i + 1];
    }
    return tree(pairs);
  }

  private static double tree(double[] s) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }

  private static double eightSums(double[] v) {
    double[] s = new double[8];
    for (int i = 0; i < v.length; i++) {
      s[i % 8] += v[i] * v[i];
    }
    return tree(s);
  }

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#brokenNumbers")
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void addScaledRowsAddsInOrderOfRows(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : Sample.WIDTHS) {
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
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void digestIsThatOfTheReference(RowFormat format, Sample.Place place) {
    for (int width : Sample.WIDTHS) {
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
          double squares = sixteenSums(sample.numbers[r]);
          assertThat(digest.squaredNorm(r)).isEqualTo(squares);
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
  @MethodSource("dev.rowan.core.kernel.Sample#brokenNumbers")
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
}

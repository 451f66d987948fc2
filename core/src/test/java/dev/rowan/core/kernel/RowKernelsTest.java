package dev.rowan.core.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The training loops of this JVM against the reference, to the last bit. */
class RowKernelsTest {
  private final RowKernels best = RowKernels.best();
  private final RowKernels scalar = RowKernels.scalar();
  private final SplittableRandom random = new SplittableRandom(41);

  /** Ordinary numbers with a few extremes in between. */
  private float[] numbers(int count) {
    float[] extremes = {0f, -0f, 1e-42f, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NaN};
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          random.nextInt(40) == 0
              ? extremes[random.nextInt(extremes.length)]
              : (float) random.nextGaussian();
    }
    return values;
  }

  private interface Loop {
    void run(RowKernels kernels, float[] x, float[] y, float[] z, float[] w);
  }

  /** Runs a loop with both kernels on equal arrays and compares all of them afterwards. */
  private void assertSameBits(int count, Loop loop) {
    float[][] start = {
      numbers(count + 5), numbers(count + 5), numbers(count + 5), numbers(count + 5)
    };
    float[][] ours = new float[4][];
    float[][] reference = new float[4][];
    for (int i = 0; i < 4; i++) {
      ours[i] = start[i].clone();
      reference[i] = start[i].clone();
    }
    loop.run(best, ours[0], ours[1], ours[2], ours[3]);
    loop.run(scalar, reference[0], reference[1], reference[2], reference[3]);
    for (int i = 0; i < 4; i++) {
      assertThat(ours[i]).isEqualTo(reference[i]); // Float.equals: −0 is not 0, NaN equals NaN
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 300, 702, 1021, 4098})
  void everyLoopHasTheBitsOfTheReference(int n) {
    assertSameBits(n, (k, x, y, _, _) -> k.add(x, 3, y, 1, n));
    assertSameBits(n, (k, x, y, _, _) -> k.addScaled(-0.3f, x, 3, y, 1, n));
    assertSameBits(n, (k, _, y, _, _) -> k.scale(1.7f, y, 2, n));
    assertSameBits(n, (k, x, y, _, _) -> k.max(x, 3, y, 1, n));
    assertSameBits(n, (k, x, y, z, _) -> k.addExponentials(x, 3, y, z, n));
    assertSameBits(n, (k, x, y, z, _) -> k.exponentials(x, 3, y, z, n));
    assertSameBits(n, (k, x, y, z, _) -> k.adagrad(x, y, z, n, 0.1f, 1e-8f));
    var factors = new RowKernels.AdamFactors(0.9f, 0.1f, 0.999f, 0.001f, 0.01f, 1.3f, 1e-8f);
    assertSameBits(n, (k, x, y, z, w) -> k.adam(x, y, z, w, n, factors));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 16, 17, 300, 1021})
  void squaredNormsHaveTheBitsOfTheReference(int n) {
    float[] x = numbers(n + 2);
    assertThat(best.squaredNorm(x, 2, n)).isEqualTo((Double) scalar.squaredNorm(x, 2, n));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 300, 1021})
  void rowsOfATableAreChangedAsTheReferenceDoes(int n) {
    float[] x = numbers(n + 2);
    float[] rows = numbers(n + 1);
    float[] ours = rows.clone();
    float[] reference = rows.clone();
    best.addScaled(0.3f, x, 2, MemorySegment.ofArray(ours), 4, n);
    scalar.addScaled(0.3f, x, 2, MemorySegment.ofArray(reference), 4, n);
    assertThat(ours).isEqualTo(reference);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 300, 1021})
  void fourRowsOfATableAreChangedAsOneByOne(int n) {
    float[] factors = {0.3f, -1.5f, 0, 7};
    float[][] x = {numbers(n), numbers(n + 3), numbers(n + 1), numbers(n + 9)};
    int[] from = {0, 3, 1, 5};
    long[] starts = {4L * 5 * n, 0, 4L * 2 * n, 4L * 3 * n}; // of six rows, in no order
    float[] ours = numbers(6 * n);
    float[] reference = ours.clone();
    best.addScaledFour(factors, x, from, MemorySegment.ofArray(ours), starts, n);
    for (int r = 0; r < 4; r++) {
      MemorySegment rows = MemorySegment.ofArray(reference);
      scalar.addScaled(factors[r], x[r], from[r], rows, starts[r], n);
    }
    assertThat(ours).isEqualTo(reference);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 6, 7, 12, 23, 48})
  void productsHaveTheBitsOfTheReference(int m) {
    for (int n : new int[] {0, 1, 7, 8, 16, 17, 48, 63, 64, 65, 130}) {
      for (int depth : new int[] {0, 1, 2, 33}) {
        assertSameProduct(m, n, depth);
      }
    }
  }

  private void assertSameProduct(int m, int n, int depth) {
    float[] a = numbers(m * depth + 3);
    float[] b = numbers(depth * (n + 2) + 1);
    float[] ours = numbers(m * (n + 1) + 2);
    float[] reference = ours.clone();
    for (Matrix left :
        new Matrix[] {
          Matrix.of(a, 3, m, depth), new Matrix(a, 0, depth, m, Math.max(m, 1), 1).transposed()
        }) {
      Matrix right = new Matrix(b, 1, depth, n, n + 2, 1);
      best.multiply(left, right, new Matrix(ours, 2, m, n, n + 1, 1));
      scalar.multiply(left, right, new Matrix(reference, 2, m, n, n + 1, 1));
      assertThat(ours).isEqualTo(reference);
    }
  }

  @Test
  void productIsThatOfTheDefinition() {
    float[] a = {1, 2, 3, 4, 5, 6};
    float[] b = {1, 0, 2, 1, 3, 1};
    float[] c = {100, 0, 0, 0};
    scalar.multiply(Matrix.of(a, 0, 2, 3), Matrix.of(b, 0, 3, 2), Matrix.of(c, 0, 2, 2));
    assertThat(c).containsExactly(114, 5, 32, 11);
  }

  @Test
  void productsRefuseShapesThatDoNotFit() {
    float[] some = new float[12];
    Matrix a = Matrix.of(some, 0, 2, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> best.multiply(a, Matrix.of(some, 0, 2, 2), Matrix.of(some, 0, 2, 2)))
        .withMessage("2 × 3 times 2 × 2 does not fit into 2 × 2");
    assertThatThrownBy(() -> Matrix.of(some, 7, 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void exponentialIsWithinTwoUnitsInTheLastPlace() {
    for (float x = -87.3f; x < 88.7f; x += 0.0137f) {
      double exact = Math.exp(x);
      assertThat((double) RowKernels.exponential(x)).isCloseTo(exact, within(2.4e-7 * exact));
    }
    assertThat(RowKernels.exponential(0)).isEqualTo(1);
    assertThat(RowKernels.exponential(-100)).isZero();
    assertThat(RowKernels.exponential(Float.NEGATIVE_INFINITY)).isZero();
    assertThat(RowKernels.exponential(100)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(RowKernels.exponential(Float.NaN)).isNaN();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16, 17, 65, 300})
  void rowsAreCopiedAndAddedAsTheReferenceDoes(int width) {
    int rows = 23;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment whole = arena.allocate(4L * rows * width + 3, 1);
      MemorySegment table = whole.asSlice(3); // rows need not be aligned
      float[] values = numbers(rows * width);
      var little = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
      MemorySegment.copy(values, 0, table, little, 0, values.length);
      long[] ids = random.longs(11, 0, rows).toArray();
      int[] ints = java.util.Arrays.stream(ids).mapToInt(Math::toIntExact).toArray();
      for (int to = 0; to <= ids.length; to++) {
        float[] fromLongs = new float[ids.length * width];
        float[] fromInts = new float[ids.length * width];
        MemorySegment native1 = arena.allocate(4L * fromLongs.length, 4);
        MemorySegment native2 = arena.allocate(4L * fromLongs.length, 4);
        best.copyRows(table, width, ids, 0, to, fromLongs);
        best.copyRows(table, width, ints, 0, to, fromInts);
        best.copyRows(table, width, ids, 0, to, native1);
        best.copyRows(table, width, ints, 0, to, native2);
        for (int i = 0; i < to * width; i++) {
          int expected = Float.floatToRawIntBits(values[(int) ids[i / width] * width + i % width]);
          assertThat(Float.floatToRawIntBits(fromLongs[i])).isEqualTo(expected);
          assertThat(Float.floatToRawIntBits(fromInts[i])).isEqualTo(expected);
          assertThat(native1.get(JAVA_INT_UNALIGNED, 4L * i)).isEqualTo(expected);
          assertThat(native2.get(JAVA_INT_UNALIGNED, 4L * i)).isEqualTo(expected);
        }
        int end = to;
        float[] weights = numbers(ids.length);
        assertSameBits(width, (k, x, _, _, _) -> k.addRows(table, ids, 0, end, x, 2, width));
        assertSameBits(
            width, (k, x, _, _, _) -> k.addScaledRows(table, ids, weights, 0, end, x, 2, width));
      }
    }
  }
}

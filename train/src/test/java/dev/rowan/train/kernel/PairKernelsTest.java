package dev.rowan.train.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairKernelsTest {
  private static final int AT = 5; // rows need not begin where vectors do

  private static float[] numbers(int count, long seed, float from) {
    Random random = new Random(seed);
    float[] numbers = new float[AT + count + 3];
    for (int k = AT; k < AT + count; k++) {
      numbers[k] = from + random.nextFloat();
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 32, 112, 304, 1024})
  void bothKernelsDoTheSame(int stride) {
    float[][][] results = new float[2][][];
    int r = 0;
    for (PairKernels kernels : new PairKernels[] {PairKernels.scalar(), PairKernels.best()}) {
      float[] a = numbers(stride, 1, -0.5f);
      float[] b = numbers(stride, 2, -0.5f);
      float[] aSquares = numbers(stride, 3, 1);
      float[] bSquares = numbers(stride, 4, 1);
      float[] dot = {kernels.dot(a, AT, b, AT, stride)};
      kernels.step(a, aSquares, AT, b, bSquares, AT, 0.3f, stride);
      results[r++] = new float[][] {a, b, aSquares, bSquares, dot};
    }
    for (int i = 0; i < 5; i++) {
      for (int k = 0; k < results[0][i].length; k++) {
        assertThat(results[1][i][k]).isCloseTo(results[0][i][k], within(i < 4 ? 1e-6f : 1e-4f));
      }
    }
  }

  // by hand: a = 2, b = 3, factor 0.5, squares 4 and 9: gradients 1.5 and 1, so a − 1.5/2 = 1.25,
  // b − 1/3 = 2.6667, squares 4 + 2.25 and 9 + 1
  @Test
  void dividesByTheRootOfTheSquares() {
    for (PairKernels kernels : new PairKernels[] {PairKernels.scalar(), PairKernels.best()}) {
      float[] a = new float[16];
      float[] b = new float[16];
      float[] aSquares = new float[16];
      float[] bSquares = new float[16];
      Arrays.fill(aSquares, 1);
      Arrays.fill(bSquares, 1);
      a[3] = 2;
      b[3] = 3;
      aSquares[3] = 4;
      bSquares[3] = 9;
      kernels.step(a, aSquares, 0, b, bSquares, 0, 0.5f, 16);
      assertThat(a[3]).isEqualTo(1.25f);
      assertThat(b[3]).isCloseTo(8 / 3f, within(1e-6f));
      assertThat(aSquares[3]).isEqualTo(6.25f);
      assertThat(bSquares[3]).isEqualTo(10f);
      assertThat(a[4]).as("padding").isZero();
    }
  }
}

package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.kernel.OffsetKernels.Runs;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetKernelsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 144, 300, 1021})
  void findsThePositionsOfTheReference(int count) {
    SplittableRandom random = new SplittableRandom(count);
    float[] v = new float[3 * count + 7];
    for (int i = 0; i < v.length; i++) {
      v[i] = random.nextInt(30) == 0 ? Float.NaN : (float) random.nextGaussian();
    }
    Runs runs = new Runs(5, count + 6, 2 * count + 7, count);
    for (float threshold : new float[] {Float.NEGATIVE_INFINITY, -1, 0, 1.5f, 99, Float.NaN}) {
      int[] ours = new int[count];
      int[] reference = new int[count];
      int n = OffsetKernels.best().aboveSum(v, runs, threshold, ours);
      assertThat(n).isEqualTo(OffsetKernels.scalar().aboveSum(v, runs, threshold, reference));
      assertThat(ours).isEqualTo(reference);
      Arrays.fill(ours, 0);
      Arrays.fill(reference, 0);
      n = OffsetKernels.best().aboveProduct(v, runs, threshold, ours);
      assertThat(n).isEqualTo(OffsetKernels.scalar().aboveProduct(v, runs, threshold, reference));
      assertThat(ours).isEqualTo(reference);
    }
  }

  @Test
  void sumsAndProductsByHand() {
    float[] v = {1, 2, 10, 20, 5, 7}; // a = (1, 2), b = (10, 20), c = (5, 7)
    Runs runs = new Runs(0, 2, 4, 2);
    int[] found = new int[2];
    assertThat(OffsetKernels.best().aboveSum(v, runs, 14, found)).isEqualTo(1); // 14 and 25
    assertThat(found[0]).isEqualTo(1);
    assertThat(OffsetKernels.best().aboveProduct(v, runs, 49, found)).isEqualTo(2); // 50 and 280
    assertThat(found).containsExactly(0, 1);
  }
}

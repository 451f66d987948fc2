package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnFourierTest {
  private static final int COLUMNS = ColumnFourier.COLUMNS;

  private static void fill(ColumnFourier block) {
    Random random = new Random(block.length());
    for (int i = 0; i < block.length() * COLUMNS; i++) {
      block.real()[i] = random.nextFloat() - 0.5f;
      block.imaginary()[i] = random.nextFloat() - 0.5f;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8, 15, 16, 48, 50, 60, 240, 400, 512})
  void isTheSumOfItsDefinition(int n) {
    ColumnFourier block = new ColumnFourier(n);
    fill(block);
    float[] re = block.real().clone();
    float[] im = block.imaginary().clone();
    block.forward();
    for (int c : new int[] {0, 7, 15}) {
      for (int k = 0; k < n; k++) {
        double sumR = 0;
        double sumI = 0;
        for (int a = 0; a < n; a++) {
          double angle = -2 * Math.PI * ((long) a * k % n) / n;
          double cos = Math.cos(angle);
          double sin = Math.sin(angle);
          int at = a * COLUMNS + c;
          sumR += re[at] * cos - im[at] * sin;
          sumI += re[at] * sin + im[at] * cos;
        }
        // single numbers of size 1/2 add up to about √n / 3
        double tolerance = 1e-6 * Math.sqrt(n);
        assertThat((double) block.real()[k * COLUMNS + c]).isCloseTo(sumR, within(tolerance));
        assertThat((double) block.imaginary()[k * COLUMNS + c]).isCloseTo(sumI, within(tolerance));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 12, 16, 45, 100, 1000, 1536})
  void inverseReturnsToTheStart(int n) {
    ColumnFourier block = new ColumnFourier(n);
    fill(block);
    float[] re = block.real().clone();
    float[] im = block.imaginary().clone();
    block.forward();
    block.inverse();
    for (int i = 0; i < re.length; i++) {
      assertThat(block.real()[i] / n).isCloseTo(re[i], within(1e-6f));
      assertThat(block.imaginary()[i] / n).isCloseTo(im[i], within(1e-6f));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 30, 64, 360, 1000})
  void vectorsGiveTheBitsOfScalarCode(int n) {
    ColumnFourier scalar = new ColumnFourier(n, ScalarColumnPasses.INSTANCE);
    ColumnFourier best = new ColumnFourier(n);
    fill(scalar);
    fill(best);
    scalar.forward();
    best.forward();
    assertThat(best.real()).isEqualTo(scalar.real());
    assertThat(best.imaginary()).isEqualTo(scalar.imaginary());
  }

  @Test
  void lengthsAreRoundedUpToProductsOfSmallPrimes() {
    assertThat(ColumnFourier.lengthFrom(1)).isEqualTo(16);
    assertThat(ColumnFourier.lengthFrom(97)).isEqualTo(128); // 112 = 16 · 7
    assertThat(ColumnFourier.lengthFrom(481)).isEqualTo(512);
    assertThat(ColumnFourier.lengthFrom(960)).isEqualTo(960);
  }

  @Test
  void refusesOtherLengths() {
    assertThatThrownBy(() -> new ColumnFourier(14))
        .hasMessage("length is 14; it takes a product of powers of 2, 3 and 5, up to 8192");
    assertThatThrownBy(() -> new ColumnFourier(1 << 14))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ColumnFourier(0)).isInstanceOf(IllegalArgumentException.class);
  }
}

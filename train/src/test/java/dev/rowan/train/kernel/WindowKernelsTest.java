package dev.rowan.train.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowKernelsTest {
  private static final int FIRST = 12;

  /** Random rows of one width, and windows over them. */
  private static final class Rows {
    final int width;
    final int stride;
    final float[] in;
    final float[] out;

    Rows(int width, int count, long seed) {
      this.width = width;
      this.stride = WindowKernels.stride(width);
      Random random = new Random(seed);
      in = filled(random, count);
      out = filled(random, count + 1);
      java.util.Arrays.fill(out, FIRST + count * stride, out.length, 0); // padding's row
    }

    private float[] filled(Random random, int count) {
      float[] rows = new float[FIRST + count * stride];
      for (int row = 0; row < count; row++) {
        for (int k = 0; k < width; k++) {
          rows[FIRST + row * stride + k] = (float) random.nextGaussian() * 0.3f;
        }
      }
      return rows;
    }

    Window window(int inputs, int targets, int firstInput) {
      Window window = new Window(Math.max(1, inputs), targets, stride);
      for (int i = 0; i < inputs; i++) {
        window.inputs()[i] = FIRST + (firstInput + i) * stride;
      }
      for (int j = 0; j < targets; j++) {
        window.targets()[j] = FIRST + j * stride;
      }
      for (int p = 0; p < inputs * targets; p++) {
        window.labels()[p] = p % targets == 0 ? 1 : 0;
      }
      window.size(inputs, targets);
      return window;
    }
  }

  // widths around a vector and a cache line, windows with every remainder of the blocks
  @ParameterizedTest
  @CsvSource({
    "1, 1, 6",
    "15, 2, 6",
    "16, 3, 6",
    "17, 4, 6",
    "100, 5, 6",
    "100, 7, 6",
    "100, 10, 12",
    "300, 9, 6",
    "301, 11, 18",
    "64, 8, 6"
  })
  void bothKernelsMoveRowsAlike(int width, int inputs, int targets) {
    Rows a = new Rows(width, 24, 7);
    Rows b = new Rows(width, 24, 7);
    for (int step = 0; step < 5; step++) {
      WindowKernels.scalar().step(a.in, a.out, a.window(inputs, targets, step), 0.1f);
      WindowKernels.best().step(b.in, b.out, b.window(inputs, targets, step), 0.1f);
    }
    assertThat(WindowKernels.best().name()).startsWith("vector");
    assertClose(b.in, a.in);
    assertClose(b.out, a.out);
  }

  @Test
  void hiddenRowOfBothKernelsLearnsAlike() {
    Rows a = new Rows(100, 24, 3);
    Rows b = new Rows(100, 24, 3);
    Window first = a.window(1, 12, 0);
    Window second = b.window(1, 12, 0);
    int[] rows = {FIRST, FIRST + a.stride, FIRST + 5 * a.stride, FIRST};
    WindowKernels.scalar().sum(a.in, rows, 4, 0.25f, first.hidden(), 0, a.stride);
    WindowKernels.best().sum(b.in, rows, 4, 0.25f, second.hidden(), 0, b.stride);
    WindowKernels.scalar().stepHidden(a.out, first, 0.1f);
    WindowKernels.best().stepHidden(b.out, second, 0.1f);
    WindowKernels.scalar().add(a.in, rows, 4, first.error(), 0, a.stride);
    WindowKernels.best().add(b.in, rows, 4, second.error(), 0, b.stride);
    assertClose(b.in, a.in);
    assertClose(b.out, a.out);
  }

  private static void assertClose(float[] actual, float[] expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(actual[i]).isCloseTo(expected[i], within(2e-5f));
    }
  }

  // The true gradient is found without the code under test: −Σ log σ(±x·o) in double, each number
  // moved up and down by 10⁻⁴. A small rate makes what later blocks see of earlier ones negligible.
  @ParameterizedTest
  @ValueSource(strings = {"scalar", "best"})
  void stepFollowsTheGradientOfTheLoss(String which) {
    WindowKernels kernels = which.equals("scalar") ? WindowKernels.scalar() : WindowKernels.best();
    Rows rows = new Rows(10, 8, 11);
    int inputs = 5;
    float rate = 1e-4f;
    float[] in = rows.in.clone();
    float[] out = rows.out.clone();
    kernels.step(in, out, rows.window(inputs, 6, 1), rate);
    for (int row = 0; row < 8; row++) {
      for (int k = 0; k < rows.width; k++) {
        int at = FIRST + row * rows.stride + k;
        double inGradient = gradient(rows, rows.in, at, inputs);
        double outGradient = gradient(rows, rows.out, at, inputs);
        assertThat((in[at] - rows.in[at]) / rate).isCloseTo((float) -inGradient, within(3e-3f));
        assertThat((out[at] - rows.out[at]) / rate).isCloseTo((float) -outGradient, within(3e-3f));
      }
    }
  }

  private static double gradient(Rows rows, float[] table, int at, int inputs) {
    float before = table[at];
    table[at] = before + 1e-3f;
    double above = loss(rows, inputs);
    float up = table[at];
    table[at] = before - 1e-3f;
    double below = loss(rows, inputs);
    float down = table[at];
    table[at] = before;
    return (above - below) / ((double) up - down);
  }

  private static double loss(Rows rows, int inputs) {
    double loss = 0;
    for (int i = 0; i < inputs; i++) {
      for (int j = 0; j < 6; j++) {
        double dot = 0;
        for (int k = 0; k < rows.width; k++) {
          dot +=
              (double) rows.in[FIRST + (1 + i) * rows.stride + k]
                  * rows.out[FIRST + j * rows.stride + k];
        }
        loss += Math.log1p(Math.exp(j == 0 ? -dot : dot));
      }
    }
    return loss;
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "best"})
  void errorOfTheHiddenRowIsItsGradient(String which) {
    WindowKernels kernels = which.equals("scalar") ? WindowKernels.scalar() : WindowKernels.best();
    Rows rows = new Rows(10, 8, 5);
    Window window = rows.window(1, 6, 0);
    System.arraycopy(rows.in, FIRST + rows.stride, window.hidden(), 0, rows.stride);
    float[] out = rows.out.clone();
    float rate = 1e-4f;
    kernels.stepHidden(out, window, rate);
    for (int k = 0; k < rows.width; k++) {
      double gradient = gradient(rows, rows.in, FIRST + rows.stride + k, 1);
      assertThat(window.error()[k] / rate).isCloseTo((float) -gradient, within(3e-3f));
    }
    assertThat(out).isNotEqualTo(rows.out);
  }

  @Test
  void lossIsThatOfTheRowsBeforeTheStep() {
    Rows rows = new Rows(10, 8, 2);
    double expected = loss(rows, 3);
    Window window = rows.window(3, 6, 1);
    WindowKernels.best().step(rows.in, rows.out, window, 0.1f);
    assertThat(window.loss()).isCloseTo(expected, within(1e-5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "best"})
  void paddingStaysZero(String which) {
    WindowKernels kernels = which.equals("scalar") ? WindowKernels.scalar() : WindowKernels.best();
    Rows rows = new Rows(17, 8, 2);
    Window window = rows.window(4, 6, 0);
    window.targets()[5] = FIRST + 8 * rows.stride; // the row of zeros
    for (int i = 0; i < 4; i++) {
      window.labels()[i * 6 + 5] = 0.5f;
    }
    kernels.step(rows.in, rows.out, window, 0.5f);
    for (int row = 0; row < 8; row++) {
      for (int k = 17; k < rows.stride; k++) {
        assertThat(rows.in[FIRST + row * rows.stride + k]).isZero();
        assertThat(rows.out[FIRST + row * rows.stride + k]).isZero();
      }
    }
    for (int k = 0; k < rows.stride; k++) {
      assertThat(rows.out[FIRST + 8 * rows.stride + k]).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "best"})
  void rowThatComesTwiceIsMovedTwice(String which) {
    WindowKernels kernels = which.equals("scalar") ? WindowKernels.scalar() : WindowKernels.best();
    Rows rows = new Rows(16, 8, 4);
    float[] before = rows.in.clone();
    Window twice = rows.window(2, 6, 0);
    twice.inputs()[1] = twice.inputs()[0];
    Rows once = new Rows(16, 8, 4);
    kernels.step(once.in, once.out, once.window(1, 6, 0), 1e-3f);
    kernels.step(rows.in, rows.out, twice, 1e-3f);
    for (int k = 0; k < 16; k++) {
      float single = once.in[FIRST + k] - before[FIRST + k];
      assertThat(rows.in[FIRST + k] - before[FIRST + k]).isCloseTo(2 * single, within(1e-5f));
    }
  }

  // σ by java.lang.Math in double
  @Test
  void sigmoidIsAccurateBetweenItsBounds() {
    for (float x = -6; x <= 6; x += 0.01f) {
      double exact = 1 / (1 + Math.exp(-(double) x));
      assertThat(ScalarWindowKernels.sigmoid(x)).isCloseTo((float) exact, within(1e-6f));
    }
    assertThat(ScalarWindowKernels.sigmoid(6.01f)).isEqualTo(1);
    assertThat(ScalarWindowKernels.sigmoid(-6.01f)).isZero();
    assertThat(ScalarWindowKernels.sigmoid(0)).isEqualTo(0.5f);
  }

  /** Places 0 to 15 were changed by others, 16 to 31 by nobody; in both, own steps of 1/8. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergeAddsOwnStepsToOthersAndKeepsThemExactlyWhereThereAreNone(boolean fast) {
    int stride = 32;
    float[] rows = new float[FIRST + 2 * stride];
    float[] base = new float[FIRST + stride];
    for (int k = 0; k < stride; k++) {
      base[FIRST + k] = 0.1f + k;
      rows[FIRST + k] = 0.1f + k + (k < 16 ? 1 : 0);
      rows[FIRST + stride + k] = 0.1f + k + 0.125f;
    }
    float[] replica = java.util.Arrays.copyOfRange(rows, FIRST + stride, FIRST + 2 * stride);
    (fast ? WindowKernels.best() : WindowKernels.scalar())
        .merge(rows, FIRST, FIRST + stride, base, FIRST, stride);
    for (int k = 0; k < stride; k++) {
      if (k < 16) {
        assertThat(rows[FIRST + k]).isCloseTo(k + 1.225f, within(1e-5f));
      } else {
        assertThat(rows[FIRST + k]).isEqualTo(replica[k]);
      }
      assertThat(rows[FIRST + stride + k]).isEqualTo(rows[FIRST + k]);
      assertThat(base[FIRST + k]).isEqualTo(rows[FIRST + k]);
    }
  }
}

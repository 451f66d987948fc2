package dev.rowan.train.glove;

import dev.rowan.core.Table;
import dev.rowan.train.kernel.PairKernels;
import dev.rowan.train.kernel.WindowKernels;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The numbers that are learned: for each word a row and a bias, and another row and bias as a
 * context; and beside each number the sum of the squares of its gradients.
 *
 * <p>The loss of a pair with sum x is ½ f(x) (w·c + b + b' − log x)², f(x) = min(1, (x / x_max)^α)
 * (Pennington et al. 2014, eq. 8). Threads may learn at once, without locks.
 */
final class GloveRows {
  private static final int MOST_NUMBERS = Integer.MAX_VALUE - 8;

  private final GloveSettings settings;
  private final PairKernels kernels;
  private final int count;
  private final int stride;
  private final Side words;
  private final Side contexts;

  /** The rows of words, or of contexts. */
  private static final class Side {
    private final float[] rows;
    private final float[] squares;
    private final float[] biases;
    private final float[] biasSquares;

    Side(int count, int stride) {
      rows = new float[count * stride];
      squares = new float[count * stride];
      biases = new float[count];
      biasSquares = new float[count];
      Arrays.fill(squares, 1);
      Arrays.fill(biasSquares, 1);
    }

    float[][] all() {
      return new float[][] {rows, squares, biases, biasSquares};
    }
  }

  private GloveRows(GloveSettings settings, int count, PairKernels kernels) {
    this.settings = settings;
    this.kernels = kernels;
    this.count = count;
    this.stride = WindowKernels.stride(settings.width());
    this.words = new Side(count, stride);
    this.contexts = new Side(count, stride);
    for (int row = 0; row < count; row++) {
      float[] initial = initial(row);
      System.arraycopy(initial, 0, words.rows, row * stride, settings.width());
      words.biases[row] = initial[settings.width()];
      initial = initial(count + row);
      System.arraycopy(initial, 0, contexts.rows, row * stride, settings.width());
      contexts.biases[row] = initial[settings.width()];
    }
  }

  /**
   * Makes rows as they are before training.
   *
   * @throws IllegalArgumentException if they do not fit an array, or the memory
   */
  static GloveRows of(GloveSettings settings, int count, PairKernels kernels) {
    long stride = WindowKernels.stride(settings.width());
    if (count * stride > MOST_NUMBERS) {
      throw new IllegalArgumentException(
          "%,d rows of width %,d are more than fit, %,d rows; keep fewer words, or narrower rows"
              .formatted(count, settings.width(), MOST_NUMBERS / stride));
    }
    long bytes = 16L * count * (stride + 1);
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap - (heap >> 2)) {
      throw new IllegalArgumentException(
          "the rows, their gradients and the contexts take %,d MB but Java may use %,d MB; keep fewer words, narrower rows, or give Java more with ROWAN_JAVA_OPTS=-Xmx…"
              .formatted(bytes >> 20, heap >> 20));
    }
    return new GloveRows(settings, count, kernels);
  }

  /** Numbers of a row and then its bias, even in ±½/d, the same for the same seed and row. */
  private float[] initial(int row) {
    SplittableRandom random =
        new SplittableRandom(settings.seed() * 0x9E3779B97F4A7C15L + row * 0xBF58476D1CE4E5B9L);
    float[] initial = new float[settings.width() + 1];
    for (int k = 0; k < initial.length; k++) {
      initial[k] = (random.nextInt(1 << 24) * 0x1p-24f - 0.5f) / settings.width();
    }
    return initial;
  }

  /** Returns the row of the table that a word began with. */
  float[] initialRow(int word) {
    float[] row = Arrays.copyOf(initial(word), settings.width());
    if (settings.rows() == GloveSettings.Rows.SUM) {
      float[] context = initial(count + word);
      for (int k = 0; k < row.length; k++) {
        row[k] += context[k];
      }
    }
    return row;
  }

  /**
   * Learns one pair.
   *
   * @param sum above 0
   * @return its loss before the step
   */
  double learn(int word, int context, double sum) {
    int at = word * stride;
    int contextAt = context * stride;
    double miss =
        kernels.dot(words.rows, at, contexts.rows, contextAt, stride)
            + words.biases[word]
            + contexts.biases[context]
            - Math.log(sum);
    double weight = sum > settings.most() ? 1 : Math.pow(sum / settings.most(), settings.power());
    float factor = (float) (settings.rate() * weight * miss);
    kernels.step(
        words.rows, words.squares, at, contexts.rows, contexts.squares, contextAt, factor, stride);
    bias(words, word, factor);
    bias(contexts, context, factor);
    return 0.5 * weight * miss * miss;
  }

  private static void bias(Side side, int row, float gradient) {
    side.biases[row] -= gradient / (float) Math.sqrt(side.biasSquares[row]);
    side.biasSquares[row] += gradient * gradient;
  }

  /** Returns a copy of what becomes the table, V × d. */
  Table table() {
    return copy(settings.rows() == GloveSettings.Rows.SUM);
  }

  private Table copy(boolean sum) {
    int width = settings.width();
    float[] rows = new float[Math.multiplyExact(count, width)];
    for (int row = 0; row < count; row++) {
      for (int k = 0; k < width; k++) {
        float own = words.rows[row * stride + k];
        rows[row * width + k] = sum ? own + contexts.rows[row * stride + k] : own;
      }
    }
    return Table.of(width, rows);
  }

  /** Returns a copy of the rows of contexts, V × d. */
  Table contexts() {
    int width = settings.width();
    float[] rows = new float[Math.multiplyExact(count, width)];
    for (int row = 0; row < count; row++) {
      System.arraycopy(contexts.rows, row * stride, rows, row * width, width);
    }
    return Table.of(width, rows);
  }

  /** Returns everything as a checkpoint keeps it. */
  MemorySegment[] state() {
    MemorySegment[] state = new MemorySegment[8];
    for (int i = 0; i < 4; i++) {
      state[i] = MemorySegment.ofArray(words.all()[i]);
      state[4 + i] = MemorySegment.ofArray(contexts.all()[i]);
    }
    return state;
  }

  /** Returns whether every number is finite. */
  boolean isFinite() {
    float zero = 0;
    for (Side side : new Side[] {words, contexts}) {
      for (float[] numbers : new float[][] {side.rows, side.biases}) {
        for (float value : numbers) {
          zero += 0 * value; // 0, or NaN from NaN and the infinities
        }
      }
    }
    return zero == 0;
  }
}

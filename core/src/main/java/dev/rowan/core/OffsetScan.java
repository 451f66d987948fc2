package dev.rowan.core;

import dev.rowan.core.kernel.Candidates;
import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.Matrix;
import dev.rowan.core.kernel.OffsetKernels;
import dev.rowan.core.kernel.OffsetKernels.Runs;
import dev.rowan.core.kernel.RowKernels;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The float pass of {@link AnalogyBatch}: words × rows, block by block, and the questions over each
 * block while its scores are in cache.
 */
final class OffsetScan {
  /** Levy and Goldberg's summand against division by zero. */
  static final double EPSILON = 1e-6;

  private static final double U = 0x1p-24; // half a unit in the last place of a float
  private static final int SCORE_BYTES = 512 << 10; // half of a second-level cache
  private static final int LEAST_ROWS = 16; // one vector
  private static final int MOST_ROWS = 1024;

  private final Table table;
  private final int width;
  private final int words;
  private final float[] units; // words × width
  private final int[][] places; // by question: places of a, b, c among the words
  private final AnalogyBatch.Rule rule;
  private final int capacity;
  private final int blockRows;
  private final float[] mostInverse; // by word: the largest 1 / (p + EPSILON) over all rows
  private final Collection<Candidates> parts = new ConcurrentLinkedQueue<>();

  OffsetScan(
      Table table,
      long[] ids,
      List<AnalogyBatch.Question> questions,
      AnalogyBatch.Rule rule,
      int capacity) {
    this.table = table;
    this.width = table.width();
    this.words = ids.length;
    this.rule = rule;
    this.capacity = capacity;
    this.units = new float[Math.multiplyExact(words, width)];
    for (int w = 0; w < words; w++) {
      double[] row = Query.row(table, ids[w]).values();
      double norm = Math.sqrt(Exact.squaredNorm(row));
      for (int i = 0; i < width; i++) {
        units[w * width + i] = norm == 0 ? 0 : (float) (row[i] / norm);
      }
    }
    this.places = new int[questions.size()][];
    for (int q = 0; q < places.length; q++) {
      AnalogyBatch.Question question = questions.get(q);
      places[q] =
          new int[] {
            Arrays.binarySearch(ids, question.a()),
            Arrays.binarySearch(ids, question.b()),
            Arrays.binarySearch(ids, question.c())
          };
    }
    this.mostInverse = new float[words];
    int fitting = SCORE_BYTES / Float.BYTES / columns() / LEAST_ROWS * LEAST_ROWS;
    this.blockRows = Math.clamp(fitting, LEAST_ROWS, MOST_ROWS);
  }

  /** Returns how many runs of scores a block has: one a word, and one more for the inverses. */
  private int columns() {
    return rule == AnalogyBatch.Rule.MULTIPLY ? 2 * words : words;
  }

  /** Returns what the workers kept. */
  Collection<Candidates> parts() {
    return parts;
  }

  /** Scans the rows of a scope. */
  void run(Workers workers, Scope.Range scope) {
    long rows = scope.to() - scope.from();
    workers.run(
        Math.ceilDiv(rows, blockRows),
        () -> {
          Block block = new Block();
          return chunk -> {
            long first = scope.from() + chunk * blockRows;
            block.scan(first, (int) Math.min(blockRows, scope.to() - first));
          };
        });
  }

  /** The scratch memory of one worker. */
  private final class Block {
    private final Candidates found = new Candidates(places.length, capacity);
    private final float[] rows = new float[Math.multiplyExact(blockRows, width)];
    private final float[] turned = new float[rows.length];
    private final float[] scores = new float[Math.multiplyExact(columns(), blockRows)];
    private final int[] above = new int[blockRows];
    private final OffsetKernels kernels = OffsetKernels.best();

    Block() {
      parts.add(found);
    }

    void scan(long first, int count) {
      table.copyRows(first, count, rows, 0);
      turn(count);
      Arrays.fill(scores, 0, words * blockRows, 0);
      RowKernels.best()
          .multiply(
              Matrix.of(units, 0, words, width),
              Matrix.of(turned, 0, width, blockRows),
              Matrix.of(scores, 0, words, blockRows));
      switch (rule) {
        case ADD -> add(first, count);
        case MULTIPLY -> {
          shift(count);
          multiply(first, count);
        }
      }
    }

    /** Scales the rows to unit norm and turns them, so that a word's scores lie in one run. */
    private void turn(int count) {
      for (int r = 0; r < count; r++) {
        int from = r * width;
        double squared = Exact.dot(rows, from, rows, from, width);
        // NaN throughout for a row that is not finite: it is above no threshold
        double factor =
            !Double.isFinite(squared) ? Double.NaN : squared == 0 ? 0 : 1 / Math.sqrt(squared);
        for (int i = 0; i < width; i++) {
          turned[i * blockRows + r] = (float) (rows[from + i] * factor);
        }
      }
    }

    private void add(long first, int count) {
      float[] thresholds = found.thresholds();
      for (int q = 0; q < places.length; q++) {
        int[] p = places[q];
        Runs runs = new Runs(p[0] * blockRows, p[1] * blockRows, p[2] * blockRows, count);
        int n = kernels.aboveSum(scores, runs, thresholds[q], above);
        for (int i = 0; i < n; i++) {
          found.offer(q, first + above[i], OffsetKernels.sum(scores, runs, above[i]));
        }
      }
    }

    private void multiply(long first, int count) {
      float[] thresholds = found.thresholds();
      for (int q = 0; q < places.length; q++) {
        int[] p = places[q];
        Runs runs = new Runs((words + p[0]) * blockRows, p[1] * blockRows, p[2] * blockRows, count);
        int n = kernels.aboveProduct(scores, runs, thresholds[q], above);
        for (int i = 0; i < n; i++) {
          found.offer(q, first + above[i], OffsetKernels.product(scores, runs, above[i]));
        }
      }
    }

    /** Turns cosines into p = (1 + cosine) / 2 and, behind all words, 1 / (p + EPSILON). */
    private void shift(int count) {
      int half = words * blockRows;
      float[] most = new float[words];
      for (int w = 0; w < words; w++) {
        int from = w * blockRows;
        for (int i = from; i < from + count; i++) {
          float p = Math.max(0, (1 + scores[i]) / 2);
          scores[i] = p;
          float inverse = 1 / (p + (float) EPSILON);
          scores[half + i] = inverse;
          most[w] = inverse > most[w] ? inverse : most[w];
        }
      }
      synchronized (mostInverse) {
        for (int w = 0; w < words; w++) {
          mostInverse[w] = Math.max(mostInverse[w], most[w]);
        }
      }
    }
  }

  /** What the float scores of a question are worth. */
  sealed interface Bound {
    /** Returns the least float score that a row among the k best can have. */
    double worthwhile(double kthBest);

    /** Returns the largest true score of a row with this float score. */
    double most(double score);
  }

  /**
   * Of a sum: the same everywhere.
   *
   * @param error of any score
   */
  private record SumBound(double error) implements Bound {
    @Override
    public double worthwhile(double kthBest) {
      return kthBest - 2 * error;
    }

    @Override
    public double most(double score) {
      return score + error;
    }
  }

  /**
   * Of a product, by interval arithmetic: each p has the absolute error {@code error}, and {@code
   * error} × the largest inverse is the relative error of p(a) + EPSILON at worst.
   *
   * @param inverse the largest 1 / (p(a) + EPSILON) over all rows
   */
  private record ProductBound(double error, double inverse) implements Bound {
    private static final double ROUNDING = 1 + 16 * U; // the four float operations

    @Override
    public double worthwhile(double kthBest) {
      double part = error * inverse;
      if (!(part < 0.5)) {
        return Double.NEGATIVE_INFINITY;
      }
      double least = (kthBest / ROUNDING - 2 * part) / (1 + part); // of the k-th best row
      return (least * (1 - part)) / ROUNDING - 2 * part * (1 + error);
    }

    @Override
    public double most(double score) {
      double part = error * inverse;
      return part < 0.5
          ? (score * ROUNDING + 2 * part * (1 + error)) / (1 - part)
          : Double.POSITIVE_INFINITY;
    }
  }

  /** Returns what the float scores of a question are worth. */
  Bound bound(int q) {
    // γ_d for the products, 2u for rounding each of the two unit rows; 1 % covers their products
    double dot = 1.01 * (Kernels.dotErrorBound(width) + 4 * U) + 0x1p-100;
    return switch (rule) {
      case ADD -> new SumBound(3 * dot + 8 * U); // sums of up to 2 and 3 round by 2u and 3u
      case MULTIPLY -> new ProductBound(dot / 2 + 4 * U, mostInverse[places[q][0]] * (1 + 8 * U));
    };
  }
}

package dev.rowan.analysis.eval;

import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;

/**
 * How parallel the offsets of a relation are: the mean cosine over all distinct pairs of offsets b
 * − a between unit rows, beside what chance gives.
 *
 * <p>The telling comparison is with the same words paired wrongly: it keeps what all the b have in
 * common against all the a (capitals are cities, plurals are plural) and loses only which b belongs
 * to which a (compare Fournier, Dupoux and Dunbar 2020).
 *
 * @param pairs how many offsets; those between equal rows are left out
 * @param meanCosine in [−1, 1]; NaN below two pairs
 * @param shuffled the same with the b dealt out among the a anew, mean over the shufflings; NaN
 *     below two pairs
 * @param shuffledBelow the share of shufflings with a lower mean cosine, in [0, 1]; NaN below two
 *     pairs
 * @param random the same for as many offsets between rows drawn from the whole table, mean over the
 *     draws; NaN below two pairs
 */
public record RelationDirections(
    int pairs, double meanCosine, double shuffled, double shuffledBelow, double random) {
  /** Shufflings, and draws of random rows. */
  static final int ROUNDS = 100;

  /** Numbers to add up at most, some seconds; beyond it there are fewer rounds, but ten. */
  private static final long MOST_WORK = 4_000_000_000L;

  private static final int LEAST_ROUNDS = 10;

  /**
   * Two rows that stand in the relation.
   *
   * @param from a
   * @param to b
   */
  public record Pair(long from, long to) {}

  /**
   * Measures a relation.
   *
   * @param pairs rows of the table, finite
   * @param seed of the shufflings and draws
   * @throws IllegalArgumentException if a row is not finite
   * @throws IndexOutOfBoundsException if a row is not in the table
   * @throws CancellationException if the calling thread is interrupted
   */
  public static RelationDirections of(Search search, List<Pair> pairs, long seed) {
    Table table = search.table();
    double[][] from = new double[pairs.size()][];
    double[][] to = new double[pairs.size()][];
    int[] straight = new int[pairs.size()];
    for (int i = 0; i < from.length; i++) {
      from[i] = unit(table, pairs.get(i).from());
      to[i] = unit(table, pairs.get(i).to());
      straight[i] = i;
    }
    Mean real = mean(from, to, straight);
    if (real.count() < 2) {
      return new RelationDirections(real.count(), Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    SplittableRandom random = new SplittableRandom(seed);
    long work = (long) from.length * table.width();
    int rounds = Math.clamp(MOST_WORK / Math.max(1, work), LEAST_ROUNDS, ROUNDS);
    double shuffled = 0;
    double drawn = 0;
    int below = 0;
    for (int round = 0; round < rounds; round++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while comparing offsets");
      }
      double mixed = mean(from, to, derangement(from.length, random)).cosine();
      shuffled += mixed;
      below += mixed < real.cosine() ? 1 : 0;
      drawn += ofRandomRows(table, from.length, random);
    }
    return new RelationDirections(
        real.count(), real.cosine(), shuffled / rounds, (double) below / rounds, drawn / rounds);
  }

  private static double[] unit(Table table, long id) {
    double[] row = Query.row(table, id).vector();
    double norm = Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
    return norm == 0 ? row : Arrays.stream(row).map(x -> x / norm).toArray();
  }

  private record Mean(double cosine, int count) {}

  /** Returns the mean cosine over distinct pairs of the offsets to[order[i]] − from[i]. */
  private static Mean mean(double[][] from, double[][] to, int[] order) {
    int width = from.length == 0 ? 0 : from[0].length;
    double[] sum = new double[width];
    double[] offset = new double[width];
    int count = 0;
    for (int i = 0; i < from.length; i++) {
      double[] a = from[i];
      double[] b = to[order[i]];
      double squared = 0;
      for (int j = 0; j < width; j++) {
        offset[j] = b[j] - a[j];
        squared += offset[j] * offset[j];
      }
      if (squared == 0) {
        continue;
      }
      count++;
      double norm = Math.sqrt(squared);
      for (int j = 0; j < width; j++) {
        sum[j] += offset[j] / norm;
      }
    }
    double squared = Arrays.stream(sum).map(x -> x * x).sum();
    // Σ_{i≠j} o_i·o_j = ‖Σ o_i‖² − n for unit offsets
    double cosine =
        count < 2
            ? Double.NaN
            : Math.clamp((squared - count) / ((double) count * (count - 1)), -1, 1);
    return new Mean(cosine, count);
  }

  /** Returns an order that leaves nothing in its place: a random cycle (Sattolo 1986). */
  private static int[] derangement(int n, SplittableRandom random) {
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return order;
  }

  private static double ofRandomRows(Table table, int n, SplittableRandom random) {
    List<double[]> from = new ArrayList<>();
    List<double[]> to = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      from.add(randomUnit(table, random));
      to.add(randomUnit(table, random));
    }
    int[] straight = new int[n];
    for (int i = 0; i < n; i++) {
      straight[i] = i;
    }
    double mean =
        mean(from.toArray(double[][]::new), to.toArray(double[][]::new), straight).cosine();
    return Double.isNaN(mean) ? 0 : mean;
  }

  /** Returns a random row as a unit; a zero row stands for one that is not finite. */
  private static double[] randomUnit(Table table, SplittableRandom random) {
    long id = random.nextLong(table.rows());
    float[] row = table.row(id);
    for (float value : row) {
      if (!Float.isFinite(value)) {
        return new double[row.length];
      }
    }
    return unit(table, id);
  }
}

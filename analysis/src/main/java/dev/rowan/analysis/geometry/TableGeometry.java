package dev.rowan.analysis.geometry;

import dev.rowan.analysis.eval.Correlation;
import dev.rowan.core.Covariance;
import dev.rowan.core.Directions;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.RowStatistics;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * How the rows of a table lie in space: how much of a similarity is the direction that all rows
 * share, and how many directions they use.
 *
 * <p>The principal components are exact where V · d² allows it in seconds, else from rows at equal
 * distances, as in {@link Directions}; the spread of cosines is over all pairs of rows drawn with a
 * seed. The same bits for any number of threads.
 *
 * @param pca the components; its mean is the mean row
 * @param meanRowNorm the norm of the mean row
 * @param effectiveRank e to the entropy of the shares of variance (Roy and Vetterli 2007), in [1,
 *     d]: how many directions the rows use; NaN if they do not vary
 * @param asStored cosines of pairs of rows as they are
 * @param centred the same once the mean row is taken away
 * @param withoutTop the same once the strongest components are taken away too ("all but the top",
 *     Mu and Viswanath 2018)
 * @param centredMean the exact mean cosine of all pairs once the mean row is taken away
 * @param withoutTopMean the same once the strongest components are taken away too
 * @param removed how many components that was
 * @param sampledRows how many rows the cosines are from
 * @param normQuantiles the norms of finite rows at 5, 50 and 95 %; NaN if there is none
 * @param normByOrder Spearman's correlation of a row's norm with its id, in [−1, 1]. Where ids are
 *     in order of frequency it says whether rarer tokens have longer rows; NaN if norms do not vary
 */
@SuppressWarnings("ArrayRecordComponent") // a plain carrier for numeric results, never compared
public record TableGeometry(
    Pca pca,
    double meanRowNorm,
    double effectiveRank,
    PairCosines asStored,
    PairCosines centred,
    PairCosines withoutTop,
    double centredMean,
    double withoutTopMean,
    int removed,
    int sampledRows,
    double[] normQuantiles,
    double normByOrder) {
  /** Rows that ranks are made of at most; beyond it they are taken at equal distances. */
  private static final int MOST_RANKED = 2_000_000;

  /** Numbers of a sample at most. */
  private static final int MOST_SAMPLED = 50_000_000;

  /**
   * What to measure.
   *
   * @param directions how many components to find, 0 or more
   * @param removed how many to take away, 0 or more; negative for a hundredth of the width, at
   *     least one (the choice of Mu and Viswanath)
   * @param sampledRows how many rows to draw for the cosines, 2 to 20,000
   * @param seed of the draw
   */
  public record Settings(int directions, int removed, int sampledRows, long seed) {
    /** Checks the ranges. */
    public Settings {
      OutOfRange.atLeast("directions", directions, 0);
      OutOfRange.check("sample", sampledRows, 2, 20_000);
    }
  }

  /**
   * Measures a table. Reads it once for the norms, once for the exact means, and the rows that the
   * components are from twice.
   *
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static TableGeometry of(Table table, Settings settings, Workers workers) {
    RowStatistics statistics = table.statistics(workers);
    int d = table.width();
    int removed = Math.min(d, settings.removed() < 0 ? Math.max(1, d / 100) : settings.removed());
    Covariance covariance = Covariance.of(table, Directions.sample(table), workers);
    Pca pca = Pca.ofCovariance(covariance, Math.max(settings.directions(), removed), workers);
    long[] sample = sample(table, statistics, settings);
    double[] rows = new double[sample.length * d];
    float[] row = new float[d];
    for (int r = 0; r < sample.length; r++) {
      table.copyRow(sample[r], row, 0);
      for (int i = 0; i < d; i++) {
        rows[r * d + i] = row[i];
      }
    }
    int gone = Math.min(removed, pca.components());
    double[] less = subtract(rows, pca.mean(), d);
    double[] rest = project(less, pca, gone);
    CentredMeans means = CentredMeans.of(table, statistics, pca, gone, workers);
    return new TableGeometry(
        pca,
        Math.sqrt(Arrays.stream(pca.mean()).map(x -> x * x).sum()),
        effectiveRank(pca.shares()),
        PairCosines.of(rows, sample.length, d, workers),
        PairCosines.of(less, sample.length, d, workers),
        PairCosines.of(rest, sample.length, d, workers),
        means.centred(),
        means.withoutTop(),
        gone,
        sample.length,
        normQuantiles(table, statistics),
        normByOrder(table, statistics));
  }

  /** Returns e to the entropy of some shares that sum to 1; NaN if they sum to 0. */
  static double effectiveRank(double[] shares) {
    double entropy = 0;
    double total = 0;
    for (double share : shares) {
      total += share;
      entropy -= share > 0 ? share * Math.log(share) : 0;
    }
    return total > 0 ? Math.exp(entropy) : Double.NaN;
  }

  /** Draws distinct finite rows; all of them where there are no more. */
  private static long[] sample(Table table, RowStatistics statistics, Settings settings) {
    long finite = table.rows() - statistics.nonFiniteRows();
    int most = Math.min(settings.sampledRows(), Math.max(2, MOST_SAMPLED / table.width()));
    SplittableRandom random = new SplittableRandom(settings.seed());
    if (finite <= 2L * most) {
      // few rows: shuffle them, so that no draw is in vain
      long[] all = new long[(int) finite];
      int n = 0;
      for (long id = 0; id < table.rows(); id++) {
        if (Float.isFinite(statistics.norm(id))) {
          all[n++] = id;
        }
      }
      int wanted = (int) Math.min(finite, most);
      for (int i = 0; i < wanted; i++) {
        int j = random.nextInt(i, all.length);
        long kept = all[i];
        all[i] = all[j];
        all[j] = kept;
      }
      return Arrays.copyOf(all, wanted);
    }
    Set<Long> drawn = new LinkedHashSet<>();
    while (drawn.size() < most) {
      long id = random.nextLong(table.rows());
      if (Float.isFinite(statistics.norm(id))) {
        drawn.add(id);
      }
    }
    return drawn.stream().mapToLong(Long::longValue).toArray();
  }

  private static double[] subtract(double[] rows, double[] mean, int d) {
    double[] less = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      less[i] = rows[i] - mean[i % d];
    }
    return less;
  }

  /** Takes the first components away from centred rows. */
  private static double[] project(double[] rows, Pca pca, int count) {
    double[] rest = rows.clone();
    for (int c = 0; c < count; c++) {
      double[] component = pca.component(c);
      int d = component.length;
      for (int from = 0; from < rest.length; from += d) {
        double along = 0;
        for (int i = 0; i < d; i++) {
          along += rest[from + i] * component[i];
        }
        for (int i = 0; i < d; i++) {
          rest[from + i] -= along * component[i];
        }
      }
    }
    return rest;
  }

  private static double[] norms(Table table, RowStatistics statistics, double[] ids) {
    long stride = Math.max(1, Math.ceilDiv(table.rows(), MOST_RANKED));
    double[] norms = new double[ids.length];
    int n = 0;
    for (long id = 0; id < table.rows(); id += stride) {
      double norm = statistics.norm(id);
      if (Double.isFinite(norm)) {
        ids[n] = id;
        norms[n++] = norm;
      }
    }
    return Arrays.copyOf(norms, n);
  }

  private static double[] ids(Table table) {
    return new double[(int) Math.min(table.rows(), MOST_RANKED)];
  }

  private static double[] normQuantiles(Table table, RowStatistics statistics) {
    double[] sorted = norms(table, statistics, ids(table));
    Arrays.sort(sorted);
    double[] quantiles = {0.05, 0.5, 0.95};
    for (int i = 0; i < quantiles.length; i++) {
      quantiles[i] =
          sorted.length == 0
              ? Double.NaN
              : sorted[(int) Math.round(quantiles[i] * (sorted.length - 1))];
    }
    return quantiles;
  }

  private static double normByOrder(Table table, RowStatistics statistics) {
    double[] ids = ids(table);
    double[] norms = norms(table, statistics, ids);
    return Correlation.spearman(Arrays.copyOf(ids, norms.length), norms);
  }
}

package dev.rowan.analysis.output;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * Scores vectors against every row of an output table.
 *
 * <p>The logits that are returned, and the ranks, are exact: sums in double, whatever the number of
 * vectors. Up to {@value #FEW} vectors, so is the sum of exponentials. More of them share one pass
 * over the table in float32 ({@link BatchPass}): each logit in the sum is then off by at most d ·
 * 2⁻²⁴ ‖h‖ ‖row‖, by some millionths as a rule, and so is its logarithm. Either way the bits do not
 * depend on threads or on the width of SIMD registers.
 */
public final class OutputScorer {
  /** From more vectors on, a pass in double takes longer than reading the table. */
  static final int FEW = 4;

  private static final int CHUNK_ROWS = 1024;

  private OutputScorer() {}

  /**
   * Scores vectors.
   *
   * @param search over the output table
   * @param vectors of the table's width; what they exclude is left out of the top but not of the
   *     sum
   * @param k how many logits to return, 0 or more
   * @param named rows whose logit and rank are wanted
   * @return one answer a vector
   * @throws IllegalArgumentException if k is negative or a width differs
   * @throws IndexOutOfBoundsException if a named row is not in the table
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static List<OutputScores> score(
      Search search, List<Query> vectors, Scoring scoring, int k, long... named) {
    Table table = search.table();
    for (Query vector : vectors) {
      if (vector.width() != table.width()) {
        throw new IllegalArgumentException(
            "the vector has %d numbers but the table's width is %d; make it with this model"
                .formatted(vector.width(), table.width()));
      }
    }
    for (long id : named) {
      table.checkId(id);
    }
    if (vectors.size() <= FEW) {
      return exact(search, vectors, scoring, k, named);
    }
    List<OutputScores> scores = new BatchPass(search, vectors, scoring, k, named).run();
    List<OutputScores> settled = new ArrayList<>();
    for (int v = 0; v < scores.size(); v++) {
      boolean overflown = Double.isNaN(scores.get(v).logSumExp());
      settled.add(
          overflown
              ? exact(search, List.of(vectors.get(v)), scoring, k, named).getFirst()
              : scores.get(v));
    }
    return settled;
  }

  /** One vector's sum and ranks over some rows. */
  private static final class Part {
    double most = Double.NEGATIVE_INFINITY;
    double sum; // Σ exp(logit / temperature − most)
    final long[] above;
    long nonFinite;

    Part(int named) {
      above = new long[named];
    }

    void append(Part next) {
      double largest = Math.max(most, next.most);
      if (largest > Double.NEGATIVE_INFINITY) {
        sum = scaled(largest) + next.scaled(largest);
        most = largest;
      }
      for (int i = 0; i < above.length; i++) {
        above[i] += next.above[i];
      }
      nonFinite += next.nonFinite;
    }

    private double scaled(double to) {
      return sum == 0 ? 0 : sum * Math.exp(most - to);
    }
  }

  private static List<OutputScores> exact(
      Search search, List<Query> vectors, Scoring scoring, int k, long... named) {
    List<List<Hit>> tops = search.nearest(vectors, Metric.DOT, k);
    Table table = search.table();
    int n = vectors.size();
    double[] flat = flat(vectors, table.width());
    double[][] own = named(table, flat, n, named);
    int chunks = Math.toIntExact(Math.ceilDiv(table.rows(), CHUNK_ROWS));
    Part[][] parts = new Part[chunks][n];
    search
        .workers()
        .run(
            chunks,
            () -> {
              double[] products = new double[CHUNK_ROWS * n];
              return chunk -> {
                RowBlock block = block(table, chunk * CHUNK_ROWS, CHUNK_ROWS);
                Kernels.best().products(block, flat, n, products);
                for (int v = 0; v < n; v++) {
                  parts[(int) chunk][v] = part(block, products, v, n, scoring, own[v], named);
                }
              };
            });
    List<OutputScores> scores = new ArrayList<>();
    for (int v = 0; v < n; v++) {
      Part all = new Part(named.length);
      for (Part[] part : parts) {
        all.append(part[v]);
      }
      scores.add(
          answer(
              tops.get(v),
              all.most + Math.log(all.sum),
              all.above,
              own[v],
              scoring,
              all.nonFinite,
              named));
    }
    return scores;
  }

  static OutputScores answer(
      List<Hit> top,
      double logSumExp,
      long[] above,
      double[] own,
      Scoring scoring,
      long nonFinite,
      long[] named) {
    List<OutputScores.Place> places = new ArrayList<>();
    for (int i = 0; i < named.length; i++) {
      boolean finite = Double.isFinite(own[i]);
      places.add(
          new OutputScores.Place(
              named[i], finite ? scoring.logit(own[i]) : Double.NaN, finite ? above[i] + 1 : 0));
    }
    List<Hit> logits =
        top.stream().map(hit -> new Hit(hit.id(), scoring.logit(hit.score()))).toList();
    return new OutputScores(logits, logSumExp, places, scoring.temperature(), nonFinite);
  }

  /** Returns each vector's products with the named rows. */
  static double[][] named(Table table, double[] flat, int n, long... named) {
    double[][] own = new double[n][named.length];
    double[] products = new double[n];
    for (int i = 0; i < named.length; i++) {
      Kernels.best().products(block(table, named[i], 1), flat, n, products);
      for (int v = 0; v < n; v++) {
        own[v][i] = products[v];
      }
    }
    return own;
  }

  static double[] flat(List<Query> vectors, int width) {
    double[] flat = new double[Math.multiplyExact(vectors.size(), width)];
    for (int v = 0; v < vectors.size(); v++) {
      System.arraycopy(vectors.get(v).vector(), 0, flat, v * width, width);
    }
    return flat;
  }

  static RowBlock block(Table table, long first, int most) {
    long rowBytes = table.format().rowBytes(table.width());
    return new RowBlock(
        table.data(),
        first * rowBytes,
        first,
        Math.min(most, table.rows() - first),
        table.width(),
        table.format(),
        rowBytes);
  }

  private static Part part(
      RowBlock block,
      double[] products,
      int v,
      int n,
      Scoring scoring,
      double[] own,
      long... named) {
    Part part = new Part(named.length);
    int count = (int) block.count();
    double[] logits = new double[count];
    for (int r = 0; r < count; r++) {
      double product = products[r * n + v];
      boolean finite = Double.isFinite(product);
      part.nonFinite += finite ? 0 : 1;
      logits[r] =
          finite ? scoring.logit(product) / scoring.temperature() : Double.NEGATIVE_INFINITY;
      part.most = Math.max(part.most, logits[r]);
      for (int i = 0; finite && i < named.length; i++) {
        long id = block.firstId() + r;
        if (product > own[i] || (product == own[i] && id < named[i])) {
          part.above[i]++;
        }
      }
    }
    for (int r = 0; r < count && part.most > Double.NEGATIVE_INFINITY; r++) {
      part.sum += Math.exp(logits[r] - part.most);
    }
    return part;
  }
}

package dev.rowan.core;

import dev.rowan.core.kernel.Candidates;
import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.Queries;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * The k nearest rows of every row of a table, the row itself left out.
 *
 * <p>Exact, with the answers of {@link Search}: candidates of a float scan are scored again in
 * double and ordered by that, ties by lower id; where the bound on the float error leaves a doubt,
 * all rows are scored in double. So the graph is the same for any number of threads and any SIMD
 * width. A row that holds a NaN or an infinity has no neighbours and is nobody's neighbour.
 *
 * <p>Costs V²·d multiplications; each worker scans the table for 256 rows at a time. Holds V × k
 * ids and scores, 12 bytes each. Immutable and safe for any number of threads.
 */
public final class KnnGraph {
  /** Rows whose packed form stays in the second-level cache beside a panel of rows. */
  private static final int GROUP = 256;

  /** Bytes of rows scored before the next, so that they come from cache for every group member. */
  private static final long CHUNK_BYTES = 512 << 10;

  private final Metric metric;
  private final int rows;
  private final int degree;
  private final int[] ids; // V × degree; −1 in the first place of a row that has none
  private final double[] scores;

  private KnnGraph(Metric metric, int rows, int degree) {
    this.metric = metric;
    this.rows = rows;
    this.degree = degree;
    this.ids = new int[rows * degree];
    this.scores = new double[rows * degree];
  }

  /**
   * Finds the neighbours of every row. As {@link #of(Table, Metric, int, Workers, LongConsumer)}.
   */
  public static KnnGraph of(Table table, Metric metric, int k, Workers workers) {
    return of(table, metric, k, workers, _ -> {});
  }

  /**
   * Finds the neighbours of every row.
   *
   * @param k how many each, 0 or more; where the table has fewer other finite rows, all of them
   * @param progress is told, by the calling thread, how many rows are done, some twenty times
   * @throws IllegalArgumentException if k is negative, or V × k is more than an array holds
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static KnnGraph of(
      Table table, Metric metric, int k, Workers workers, LongConsumer progress) {
    Objects.requireNonNull(metric);
    OutOfRange.atLeast("k", k, 0);
    RowStatistics statistics = table.statistics(workers);
    long others = Math.max(0, table.rows() - statistics.nonFiniteRows() - 1);
    int degree = (int) Math.min(k, others);
    if (table.rows() * (double) Math.max(1, degree) > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%,d rows × %,d neighbours are more than 2^31; map fewer rows or ask for fewer neighbours"
              .formatted(table.rows(), degree));
    }
    KnnGraph graph = new KnnGraph(metric, (int) table.rows(), degree);
    if (degree > 0) {
      new Builder(table, graph, statistics).build(workers, progress);
    }
    return graph;
  }

  /** Returns how rows were compared. */
  public Metric metric() {
    return metric;
  }

  /** Returns V. */
  public int rows() {
    return rows;
  }

  /** Returns how many neighbours each finite row has. */
  public int degree() {
    return degree;
  }

  /** Returns whether a row has neighbours: it is finite, and not alone. */
  public boolean hasNeighbours(int row) {
    Objects.checkIndex(row, rows);
    return degree > 0 && ids[row * degree] >= 0;
  }

  /**
   * Returns the id of a neighbour, −1 if the row has none.
   *
   * @param place 0 for the nearest, below {@link #degree}
   */
  public int id(int row, int place) {
    return ids[at(row, place)];
  }

  /** Returns the score of a neighbour in the units of the metric, NaN if the row has none. */
  public double score(int row, int place) {
    return scores[at(row, place)];
  }

  /** Returns the neighbours of a row, best first. */
  public List<Hit> neighbours(int row) {
    List<Hit> hits = new ArrayList<>();
    for (int place = 0; hasNeighbours(row) && place < degree; place++) {
      hits.add(new Hit(id(row, place), score(row, place)));
    }
    return List.copyOf(hits);
  }

  private int at(int row, int place) {
    Objects.checkIndex(row, rows);
    Objects.checkIndex(place, degree);
    return row * degree + place;
  }

  /** Does the work. */
  private static final class Builder {
    private final Table table;
    private final KnnGraph graph;
    private final RowStatistics statistics;
    private final RowWeights weights;
    private final ExactScorer scorer;
    private final double[] squares; // exact squared norms

    Builder(Table table, KnnGraph graph, RowStatistics statistics) {
      this.table = table;
      this.graph = graph;
      this.statistics = statistics;
      this.weights = statistics.weights(graph.metric);
      this.scorer = new ExactScorer(table, graph.metric);
      this.squares = new double[graph.rows];
    }

    void build(Workers workers, LongConsumer progress) {
      int v = graph.rows;
      long chunkRows = Math.max(1, CHUNK_BYTES / table.format().rowBytes(table.width()));
      workers.run(
          Math.ceilDiv(v, chunkRows),
          () ->
              chunk -> {
                long first = chunk * chunkRows;
                RowBlock block = table.block(first, Math.min(chunkRows, v - first));
                Kernels.best().squaredNorms(block, squares, (int) first);
              });
      // smaller groups where there would not be enough of them to share out
      int share = Math.ceilDiv(Math.ceilDiv(v, 2 * workers.threads()), 64) * 64;
      int group = Math.min(GROUP, share);
      int groups = Math.ceilDiv(v, group);
      int batch = Math.max(workers.threads(), Math.ceilDiv(groups, 20));
      for (int from = 0; from < groups; from += batch) {
        int start = from;
        int here = Math.min(batch, groups - from);
        workers.run(
            here,
            () -> {
              Scratch scratch = new Scratch(table.width(), graph.degree);
              return g -> search((int) (start + g) * group, group, chunkRows, scratch);
            });
        progress.accept(Math.min(v, (long) (from + here) * group));
      }
    }

    /** Answers for rows [first, first + group). */
    private void search(int first, int group, long chunkRows, Scratch scratch) {
      int count = Math.min(group, graph.rows - first);
      int width = table.width();
      float[] values = new float[count * width];
      double[] error = new double[count];
      long[][] excluded = new long[count][];
      for (int q = 0; q < count; q++) {
        excluded[q] = new long[] {first + q};
        if (Double.isFinite(squares[first + q])) {
          table.copyRow(first + q, scratch.row, 0);
          FloatQuery query = FloatQuery.of(scratch.wide(scratch.row), graph.metric, statistics);
          System.arraycopy(query.values(), 0, values, q * width, width);
          error[q] = query.error();
        }
      }
      int spare = graph.degree + 16 + graph.degree / 8; // some more, against near ties
      Candidates found = new Candidates(excluded, Math.min(spare, graph.rows));
      Queries packed = Kernels.best().pack(values, count, width);
      for (long next = 0; next < graph.rows; next += chunkRows) {
        RowBlock block = table.block(next, Math.min(chunkRows, graph.rows - next));
        Kernels.best().scan(block, weights, packed, found);
      }
      for (int q = 0; q < count; q++) {
        settle(first + q, q, found, error[q], scratch);
      }
    }

    /** Orders what was kept for a row by double score, or all rows if that is not enough. */
    private void settle(int id, int q, Candidates found, double error, Scratch scratch) {
      int to = id * graph.degree;
      if (!Double.isFinite(squares[id])) {
        Arrays.fill(graph.ids, to, to + graph.degree, -1);
        Arrays.fill(graph.scores, to, to + graph.degree, Double.NaN);
        return;
      }
      table.copyRow(id, scratch.query, 0);
      scratch.best.clear();
      for (int i = 0; i < found.size(q); i++) {
        offer(id, (int) found.id(q, i), scratch);
      }
      for (long extreme : statistics.extremeRows(0, graph.rows)) {
        if (extreme != id) {
          offer(id, (int) extreme, scratch);
        }
      }
      boolean dropped = found.size(q) == found.capacity();
      boolean decided = Double.isFinite(error);
      if (decided && dropped) {
        double norm = Math.sqrt(squares[id]);
        double worst = scorer.floatScale(scratch.best.worst(), norm);
        decided = scratch.best.isFull() && worst > found.thresholds()[q] + error;
      }
      if (!decided) {
        scratch.best.clear();
        for (int other = 0; other < graph.rows; other++) {
          if (other != id && Double.isFinite(squares[other])) {
            offer(id, other, scratch);
          }
        }
      }
      scratch.best.copyTo(graph.ids, graph.scores, to);
    }

    private void offer(int id, int other, Scratch scratch) {
      float[] row = scratch.row;
      table.copyRow(other, row, 0);
      scratch.best.offer(
          other,
          switch (graph.metric) {
            case COSINE -> {
              double both = Math.sqrt(squares[other]) * Math.sqrt(squares[id]);
              double dot = Exact.dot(row, 0, scratch.query, 0, row.length);
              yield both == 0 ? 0 : Math.clamp(dot / both, -1, 1);
            }
            case DOT -> Exact.dot(row, 0, scratch.query, 0, row.length);
            case EUCLIDEAN -> -Math.sqrt(Exact.squaredDistance(row, scratch.wide(scratch.query)));
          });
    }
  }

  /** One worker's own memory. */
  private static final class Scratch {
    final float[] row;
    final float[] query;
    final double[] wide;
    final Best best;

    Scratch(int width, int degree) {
      row = new float[width];
      query = new float[width];
      wide = new double[width];
      best = new Best(degree);
    }

    double[] wide(float[] narrow) {
      for (int i = 0; i < narrow.length; i++) {
        wide[i] = narrow[i];
      }
      return wide;
    }
  }

  /** The best few ids by score, ties by lower id, kept in order by insertion. */
  private static final class Best {
    private final int[] ids;
    private final double[] scores;
    private int size;

    Best(int capacity) {
      ids = new int[capacity];
      scores = new double[capacity];
    }

    void clear() {
      size = 0;
    }

    boolean isFull() {
      return size == ids.length;
    }

    double worst() {
      return scores[size - 1];
    }

    void offer(int id, double score) {
      if (isFull() && !isBefore(score, id, size - 1)) {
        return;
      }
      int at = isFull() ? size - 1 : size++;
      while (at > 0 && isBefore(score, id, at - 1)) {
        scores[at] = scores[at - 1];
        ids[at] = ids[at - 1];
        at--;
      }
      scores[at] = score;
      ids[at] = id;
    }

    private boolean isBefore(double score, int id, int place) {
      return score > scores[place] || (score == scores[place] && id < ids[place]);
    }

    void copyTo(int[] allIds, double[] allScores, int to) {
      System.arraycopy(ids, 0, allIds, to, size);
      System.arraycopy(scores, 0, allScores, to, size);
    }
  }
}

package dev.rowan.core;

import dev.rowan.core.kernel.Candidates;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.Queries;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Exact search over all rows of a table.
 *
 * <p>One pass over the table serves any number of queries. A float scan keeps a few more rows than
 * asked for; those are scored again in double and ordered by that, ties by lower id. The float
 * scan's error is bounded, so it is known whether a row that it dropped could belong to the answer;
 * where that cannot be ruled out (many equal rows, say) the query is answered again by scoring
 * every row in double. The answer is therefore the same for any number of threads, any SIMD width
 * and none.
 *
 * <p>A zero row, or a zero query, has cosine 0 with everything. A row that holds a NaN or an
 * infinity is never an answer.
 *
 * <p>Safe for any number of threads. An interrupt of the calling thread ends a search within
 * milliseconds with a {@link CancellationException}.
 */
public final class Search {
  /** Queries whose packed form stays in the second-level cache beside a panel of rows. */
  private static final int GROUP = 256;

  /** Bytes of a chunk of rows: small enough to share out evenly and to stay in cache. */
  private static final long CHUNK_BYTES = 512 << 10;

  private final Table table;
  private final Workers workers;

  private Search(Table table, Workers workers) {
    this.table = table;
    this.workers = workers;
  }

  /** Returns a search over a table; row norms are computed when first needed. */
  public static Search over(Table table, Workers workers) {
    return new Search(Objects.requireNonNull(table), Objects.requireNonNull(workers));
  }

  /** Returns the table that is searched. */
  public Table table() {
    return table;
  }

  /** Returns who computes. */
  public Workers workers() {
    return workers;
  }

  /** Returns the k best rows for one query. As {@link #nearest(List, Metric, int, Scope)}. */
  public List<Hit> nearest(Query query, Metric metric, int k) {
    return nearest(List.of(query), metric, k, Scope.all()).getFirst();
  }

  /** Returns the k best rows for each query. As {@link #nearest(List, Metric, int, Scope)}. */
  public List<List<Hit>> nearest(List<Query> queries, Metric metric, int k) {
    return nearest(queries, metric, k, Scope.all());
  }

  /**
   * Returns the k highest-scoring rows for each query, best first, ties by lower id, from one pass
   * over the table.
   *
   * @param k how many, 0 or more; fewer come back where the scope has fewer
   * @param scope which rows may be answers
   * @return one list a query, in the order of the queries
   * @throws IllegalArgumentException if k is negative or a query's width is not d
   * @throws IndexOutOfBoundsException if an excluded id or the scope lies outside [0, V)
   * @throws CancellationException if the calling thread is interrupted
   */
  public List<List<Hit>> nearest(List<Query> queries, Metric metric, int k, Scope scope) {
    check(queries, k, scope);
    if (queries.isEmpty() || k == 0) {
      return queries.stream().map(_ -> List.<Hit>of()).toList();
    }
    ExactScorer scorer = new ExactScorer(table, metric);
    return switch (scope) {
      case Scope.Of(long[] ids) ->
          queries.stream()
              .map(q -> scoreAll(scorer.prepare(q), q.excludedIds(), k, RowSource.of(ids)))
              .toList();
      case Scope.All() -> scan(queries, scorer, k, 0, table.rows());
      case Scope.Range(long from, long to) -> scan(queries, scorer, k, from, to);
    };
  }

  /**
   * Returns a row's place among all answers to a query: 1 for the best, counting in the order of
   * {@link #nearest}.
   *
   * @throws IllegalArgumentException if the row is excluded by the query or is not finite
   */
  public long rank(Query query, Metric metric, long id) {
    table.checkId(id);
    for (long k = 128; ; k *= 32) {
      int limit = (int) Math.min(k, Math.min(table.rows(), Integer.MAX_VALUE - 8));
      List<Hit> hits = nearest(query, metric, limit);
      for (int i = 0; i < hits.size(); i++) {
        if (hits.get(i).id() == id) {
          return i + 1L;
        }
      }
      if (limit < k) {
        throw new IllegalArgumentException(
            "row " + id + " has no rank: it is excluded or not finite");
      }
    }
  }

  /**
   * Returns the exact score of one row, whether or not the query excludes it; NaN if the row is not
   * finite.
   *
   * @throws IllegalArgumentException if the query's width is not d
   * @throws IndexOutOfBoundsException if the id is not in [0, V)
   */
  public double score(Query query, Metric metric, long id) {
    check(List.of(query), 0, Scope.all());
    table.checkId(id);
    return new ExactScorer(table, metric).prepare(query).score(id, new float[table.width()]);
  }

  private void check(List<Query> queries, int k, Scope scope) {
    OutOfRange.atLeast("k", k, 0);
    for (Query query : queries) {
      if (query.width() != table.width()) {
        throw new IllegalArgumentException(
            "the query has %d numbers but the table's width is %d"
                .formatted(query.width(), table.width()));
      }
      for (long id : query.excludedIds()) {
        table.checkId(id);
      }
    }
    switch (scope) {
      case Scope.All() -> {}
      case Scope.Range(_, long to) -> {
        if (to > table.rows()) {
          throw new IndexOutOfBoundsException(
              "the scope ends at row %d but the table has %d".formatted(to, table.rows()));
        }
      }
      case Scope.Of(long[] ids) -> {
        for (long id : ids) {
          table.checkId(id);
        }
      }
    }
  }

  private List<List<Hit>> scan(List<Query> queries, ExactScorer scorer, int k, long from, long to) {
    RowStatistics statistics = table.statistics(workers);
    RowWeights weights = statistics.weights(scorer.metric());
    List<FloatScan> scans = new ArrayList<>();
    for (int first = 0; first < queries.size(); first += GROUP) {
      List<Query> group = queries.subList(first, Math.min(first + GROUP, queries.size()));
      scans.add(new FloatScan(group, scorer.metric(), statistics, capacity(k, to - from)));
    }
    long chunkRows = Math.max(1, CHUNK_BYTES / table.format().rowBytes(table.width()));
    workers.run(
        Math.ceilDiv(to - from, chunkRows),
        () -> {
          List<Candidates> mine = scans.stream().map(FloatScan::join).toList();
          return chunk -> {
            long first = from + chunk * chunkRows;
            RowBlock block = table.block(first, Math.min(chunkRows, to - first));
            for (int g = 0; g < mine.size(); g++) {
              Kernels.best().scan(block, weights, scans.get(g).packed, mine.get(g));
            }
          };
        });
    List<List<Hit>> results = new ArrayList<>(queries.size());
    for (int q = 0; q < queries.size(); q++) {
      results.add(List.of());
    }
    long[] extreme = statistics.extremeRows(from, to);
    List<Integer> undecided = new ArrayList<>();
    workers.run(
        queries.size(),
        () -> {
          float[] row = new float[table.width()];
          return q -> {
            FloatScan scan = scans.get((int) q / GROUP);
            TopHits top =
                scan.settle((int) q % GROUP, queries.get((int) q), scorer, k, extreme, row);
            synchronized (results) {
              results.set((int) q, top.sorted());
              if (!top.decided()) {
                undecided.add((int) q);
              }
            }
          };
        });
    for (int q : undecided) {
      Query query = queries.get(q);
      RowSource rows = RowSource.range(from, to);
      results.set(q, scoreAll(scorer.prepare(query), query.excludedIds(), k, rows));
    }
    return List.copyOf(results);
  }

  /** Returns how many rows a float scan keeps for k answers: some spare ones against near ties. */
  private static int capacity(int k, long rows) {
    return (int) Math.min(Math.min(rows, Integer.MAX_VALUE - 8), k + 16L + k / 8);
  }

  /** Answers by scoring every row of a source in double. */
  List<Hit> scoreAll(RowScore exact, long[] excluded, int k, RowSource source) {
    long chunkRows = 1024;
    long count = source.count();
    ConcurrentLinkedQueue<TopHits> parts = new ConcurrentLinkedQueue<>();
    workers.run(
        Math.ceilDiv(count, chunkRows),
        () -> {
          TopHits top = new TopHits(k, count);
          parts.add(top);
          float[] row = new float[table.width()];
          return chunk -> {
            long end = Math.min(count, (chunk + 1) * chunkRows);
            for (long i = chunk * chunkRows; i < end; i++) {
              long id = source.id(i);
              if (Arrays.binarySearch(excluded, id) < 0) {
                top.offer(id, exact.score(id, row));
              }
            }
          };
        });
    TopHits all = new TopHits(k, count);
    for (TopHits part : parts) {
      part.sorted().forEach(hit -> all.offer(hit.id(), hit.score()));
    }
    return all.sorted();
  }

  /** Rows by position: a range, or a list. */
  interface RowSource {
    long count();

    long id(long position);

    static RowSource range(long from, long to) {
      return new RowSource() {
        @Override
        public long count() {
          return to - from;
        }

        @Override
        public long id(long position) {
          return from + position;
        }
      };
    }

    static RowSource of(long[] ids) {
      return new RowSource() {
        @Override
        public long count() {
          return ids.length;
        }

        @Override
        public long id(long position) {
          return ids[(int) position];
        }
      };
    }
  }

  /** The float part of a search for one group of queries, shared by the workers. */
  private static final class FloatScan {
    private final Queries packed;
    private final long[][] excluded;
    private final int capacity;
    private final double[] error; // by query: |float score − true score| is at most this
    private final ConcurrentLinkedQueue<Candidates> parts = new ConcurrentLinkedQueue<>();

    FloatScan(List<Query> queries, Metric metric, RowStatistics statistics, int capacity) {
      int width = queries.getFirst().width();
      float[] values = new float[Math.multiplyExact(queries.size(), width)];
      this.error = new double[queries.size()];
      this.excluded = new long[queries.size()][];
      for (int q = 0; q < queries.size(); q++) {
        Query query = queries.get(q);
        excluded[q] = query.excludedIds();
        FloatQuery scaled = FloatQuery.of(query.values(), metric, statistics);
        error[q] = scaled.error();
        System.arraycopy(scaled.values(), 0, values, q * width, width);
      }
      this.packed = Kernels.best().pack(values, queries.size(), width);
      this.capacity = capacity;
    }

    /** Returns the heaps of one more worker. */
    Candidates join() {
      Candidates candidates = new Candidates(excluded, capacity);
      parts.add(candidates);
      return candidates;
    }

    /** Scores what was kept for query q in double and says whether that settles the answer. */
    TopHits settle(int q, Query query, ExactScorer scorer, int k, long[] extreme, float[] row) {
      KeptRows kept = new KeptRows(parts);
      double dropped = kept.dropped(q);
      TopHits top = new TopHits(k, (long) kept.count(q) + extreme.length);
      ExactScorer.Prepared prepared = scorer.prepare(query);
      kept.offer(q, kept.kthBest(q, k) - 2 * error[q], prepared, row, top);
      for (long id : extreme) {
        if (Arrays.binarySearch(excluded[q], id) < 0) {
          top.offer(id, prepared.score(id, row));
        }
      }
      if (dropped > Double.NEGATIVE_INFINITY) {
        // negated so that an error bound that is not a number leaves the query undecided
        top.setDecided(top.isFull() && prepared.floatScale(top.worst()) > dropped + error[q]);
      } else {
        top.setDecided(Double.isFinite(error[q]));
      }
      return top;
    }
  }
}

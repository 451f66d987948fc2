package dev.rowan.bench;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Candidates;
import dev.rowan.core.kernel.Column;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.Queries;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowWeights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The top k of a table by dot product: what a search does, less names and rescoring. */
final class Scan {
  private static final int CHUNK_ROWS = 1024;
  private static final int TOP = 10;

  private final Kernels kernels;
  private final RowBlock table;
  private final Queries queries;
  private final Workers workers;
  private final RowWeights weights = new RowWeights(Column.constant(1), Column.constant(0));

  Scan(Kernels kernels, RowBlock table, float[] values, Workers workers) {
    this.kernels = kernels;
    this.table = table;
    this.queries = kernels.pack(values, values.length / table.width(), table.width());
    this.workers = workers;
  }

  /** Returns each query's ten best ids, best first. */
  long[][] run() {
    List<Candidates> parts = Collections.synchronizedList(new ArrayList<>());
    workers.run(
        Math.ceilDiv(table.count(), CHUNK_ROWS),
        () -> {
          Candidates found = new Candidates(queries.count(), TOP);
          parts.add(found);
          return chunk -> {
            long from = chunk * CHUNK_ROWS;
            long count = Math.min(CHUNK_ROWS, table.count() - from);
            kernels.scan(table.slice(from, count), weights, queries, found);
          };
        });
    long[][] best = new long[queries.count()][];
    for (int q = 0; q < best.length; q++) {
      best[q] = merge(parts, q);
    }
    return best;
  }

  /** Puts the finds of all threads in order, by insertion: there are a few dozen. */
  private static long[] merge(List<Candidates> parts, int q) {
    float[] scores = new float[TOP];
    long[] ids = new long[TOP];
    int size = 0;
    for (Candidates part : parts) {
      for (int i = 0; i < part.size(q); i++) {
        float score = part.score(q, i);
        int at = size < TOP ? size++ : TOP;
        for (; at > 0 && scores[at - 1] < score; at--) {
          if (at < TOP) {
            scores[at] = scores[at - 1];
            ids[at] = ids[at - 1];
          }
        }
        if (at < TOP) {
          scores[at] = score;
          ids[at] = part.id(q, i);
        }
      }
    }
    return Arrays.copyOf(ids, size);
  }

  /**
   * Checks the answer to the first query against sums in double over every row.
   *
   * @throws IllegalStateException if a found row is not among the ten best, but for rounding
   */
  void check(float[] values) {
    float[] row = new float[table.width()];
    double[] scores = new double[(int) table.count()];
    for (int r = 0; r < scores.length; r++) {
      table.format().decode(table.data(), r * table.rowBytes(), row.length, row, 0);
      for (int i = 0; i < row.length; i++) {
        scores[r] += (double) row[i] * values[i];
      }
    }
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    double tenth = sorted[sorted.length - TOP];
    for (long id : run()[0]) {
      if (scores[(int) id] < tenth - 1e-4) {
        throw new IllegalStateException(
            "row %d has score %.7f, below the tenth best %.7f"
                .formatted(id, scores[(int) id], tenth));
      }
    }
  }
}

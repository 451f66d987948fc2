package dev.rowan.core;

import dev.rowan.core.kernel.Exact;

/** Scores rows in double: the numbers that are ordered by and printed. */
final class ExactScorer {
  private final Table table;
  private final Metric metric;

  ExactScorer(Table table, Metric metric) {
    this.table = table;
    this.metric = metric;
  }

  Metric metric() {
    return metric;
  }

  Prepared prepare(Query query) {
    return new Prepared(query.values());
  }

  /** A scorer for one query. */
  final class Prepared implements RowScore {
    private final double[] query;
    private final double norm;

    private Prepared(double[] query) {
      this.query = query;
      this.norm = Math.sqrt(Exact.squaredNorm(query));
    }

    @Override
    public double score(long id, float[] row) {
      table.copyRow(id, row, 0);
      double squared = Exact.dot(row, 0, row, 0, row.length);
      if (!Double.isFinite(squared)) {
        return Double.NaN;
      }
      return switch (metric) {
        case COSINE -> {
          double both = Math.sqrt(squared) * norm;
          yield both == 0 ? 0 : Math.clamp(Exact.dot(row, query) / both, -1, 1);
        }
        case DOT -> Exact.dot(row, query);
        case EUCLIDEAN -> -Math.sqrt(Exact.squaredDistance(row, query));
      };
    }

    /** Returns a score in the units of the float scan; see {@link FloatQuery}. */
    double floatScale(double score) {
      return ExactScorer.this.floatScale(score, norm);
    }
  }

  /** Returns a score of a query of the given norm in the units of the float scan. */
  double floatScale(double score, double norm) {
    return switch (metric) {
      case COSINE -> score;
      case DOT -> norm == 0 ? 0 : score / norm;
      case EUCLIDEAN -> (norm * norm - score * score) / 2;
    };
  }
}

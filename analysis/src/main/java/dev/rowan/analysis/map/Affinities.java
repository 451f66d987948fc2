package dev.rowan.analysis.map;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Workers;

/**
 * How much points want to be close, p_ij, as a symmetric sparse matrix that sums to 1: each row's
 * Gaussian over its neighbours, as wide as the perplexity asks, and the mean of both directions.
 *
 * <p>Row i holds the places {@code start[i]} to {@code start[i + 1]}, by ascending column.
 *
 * @param start n + 1 places
 * @param column the other point
 * @param p above 0
 */
@SuppressWarnings("ArrayRecordComponent") // handed on inside this package, never compared
record Affinities(int[] start, int[] column, float[] p) {
  private static final int CHUNK = 256;

  int points() {
    return start.length - 1;
  }

  /** Returns the affinities of points whose neighbours are known. */
  static Affinities of(KnnGraph graph, double perplexity, Workers workers) {
    int n = graph.rows();
    int k = graph.degree();
    int[] ids = new int[n * k];
    float[] conditional = new float[n * k];
    workers.run(
        Math.ceilDiv(n, CHUNK),
        () -> {
          double[] squared = new double[k];
          double[] weights = new double[k];
          PerplexitySearch search = new PerplexitySearch(perplexity);
          return chunk -> {
            int from = (int) chunk * CHUNK;
            for (int i = from; i < Math.min(n, from + CHUNK); i++) {
              for (int j = 0; j < k; j++) {
                ids[i * k + j] = graph.id(i, j);
                squared[j] = squaredDistance(graph, i, j);
              }
              search.weights(squared, weights);
              for (int j = 0; j < k; j++) {
                conditional[i * k + j] = (float) (weights[j] / (2.0 * n));
              }
            }
          };
        });
    return symmetric(ids, conditional, n, k, Float::sum);
  }

  /** Returns the squared distance of a neighbour; under cosine the squared chord, 2(1 − cos). */
  static double squaredDistance(KnnGraph graph, int row, int place) {
    double score = graph.score(row, place);
    return graph.metric() == Metric.COSINE ? 2 * (1 - score) : score * score;
  }

  /** Makes one value of those of both directions; 0 stands for none. */
  interface Join {
    float of(float one, float other);
  }

  /**
   * Joins a matrix with its transpose: a counting sort by column, then two sorted lists a row are
   * merged.
   *
   * @param ids n × k columns
   * @param values n × k values
   */
  static Affinities symmetric(int[] ids, float[] values, int n, int k, Join join) {
    int[] inStart = new int[n + 1];
    for (int id : ids) {
      inStart[id + 1]++;
    }
    for (int i = 0; i < n; i++) {
      inStart[i + 1] += inStart[i];
    }
    int[] inRow = new int[ids.length];
    float[] inValue = new float[ids.length];
    int[] next = inStart.clone();
    for (int i = 0; i < n; i++) {
      for (int e = i * k; e < (i + 1) * k; e++) {
        int at = next[ids[e]]++;
        inRow[at] = i;
        inValue[at] = values[e];
      }
    }
    // the transpose of the transpose: the rows' own lists by ascending column
    int[] outColumn = new int[ids.length];
    float[] outValue = new float[ids.length];
    for (int i = 0; i < n; i++) {
      next[i] = i * k;
    }
    for (int j = 0; j < n; j++) {
      for (int e = inStart[j]; e < inStart[j + 1]; e++) {
        int at = next[inRow[e]]++;
        outColumn[at] = j;
        outValue[at] = inValue[e];
      }
    }
    return merged(outColumn, outValue, inStart, inRow, inValue, n, k, join);
  }

  private static Affinities merged(
      int[] outColumn,
      float[] outValue,
      int[] inStart,
      int[] inRow,
      float[] inValue,
      int n,
      int k,
      Join join) {
    int[] start = new int[n + 1];
    for (int i = 0; i < n; i++) {
      int a = i * k;
      int b = inStart[i];
      int count = 0;
      while (a < (i + 1) * k || b < inStart[i + 1]) {
        int left = a < (i + 1) * k ? outColumn[a] : Integer.MAX_VALUE;
        int right = b < inStart[i + 1] ? inRow[b] : Integer.MAX_VALUE;
        a += left <= right ? 1 : 0;
        b += right <= left ? 1 : 0;
        count++;
      }
      start[i + 1] = Math.addExact(start[i], count);
    }
    int[] column = new int[start[n]];
    float[] p = new float[start[n]];
    for (int i = 0; i < n; i++) {
      int a = i * k;
      int b = inStart[i];
      for (int at = start[i]; at < start[i + 1]; at++) {
        int left = a < (i + 1) * k ? outColumn[a] : Integer.MAX_VALUE;
        int right = b < inStart[i + 1] ? inRow[b] : Integer.MAX_VALUE;
        column[at] = Math.min(left, right);
        p[at] = join.of(left <= right ? outValue[a++] : 0, right <= left ? inValue[b++] : 0);
      }
    }
    return new Affinities(start, column, p);
  }

  /** Returns Σ p ln p: the part of the KL divergence that no map changes. */
  double negativeEntropy() {
    double sum = 0;
    for (float value : p) {
      if (value > 0) {
        sum += value * StrictMath.log(value);
      }
    }
    return sum;
  }
}

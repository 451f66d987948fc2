package dev.rowan.core;

import dev.rowan.core.kernel.Exact;
import dev.rowan.core.kernel.Kernels;

/**
 * A query in the form that the float scan takes, with a bound on the scan's error.
 *
 * <p>For cosine and dot the query is scaled to unit norm, which changes no order. For Euclidean
 * distance the scan ranks by a·q − ‖a‖²/2 = (‖q‖² − ‖a − q‖²) / 2.
 *
 * @param values d floats
 * @param error the largest difference between a row's score in the float scan and its true value in
 *     the same units; infinite if float arithmetic cannot be trusted with this query
 */
@SuppressWarnings("ArrayRecordComponent") // handed straight to the packing step, never compared
record FloatQuery(float[] values, double error) {
  private static final double U = 0x1p-24; // half a unit in the last place of a float

  static FloatQuery of(double[] query, Metric metric, RowStatistics statistics) {
    double norm = Math.sqrt(Exact.squaredNorm(query));
    float[] values = new float[query.length];
    boolean trusted =
        norm == 0
            || (norm > RowStatistics.LEAST_PLAIN_NORM && norm < RowStatistics.MOST_PLAIN_NORM);
    if (!trusted) {
      return new FloatQuery(values, Double.POSITIVE_INFINITY);
    }
    double scale = norm == 0 || metric == Metric.EUCLIDEAN ? 1 : 1 / norm;
    for (int i = 0; i < query.length; i++) {
      values[i] = (float) (query[i] * scale);
    }
    // γ_d for the products, 8u for rounding the query, the norm, the scale and the final
    // operations; 1 % covers the products of these small terms. Underflow adds less than 2^-100.
    double relative = 1.01 * (Kernels.dotErrorBound(query.length) + 8 * U);
    double most = statistics.maxPlainNorm();
    double error =
        switch (metric) {
          case COSINE -> relative;
          case DOT -> relative * most;
          case EUCLIDEAN -> relative * most * norm + 8 * U * most * most;
        };
    return new FloatQuery(values, error + 0x1p-100);
  }
}

package dev.rowan.analysis.geometry;

import dev.rowan.core.Scope;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fewer rows than columns, in double, with their mean taken away: n × d numbers.
 *
 * <p>With X these rows, X Xᵀ u = λ u gives the principal component Xᵀ u / √λ with the same λ: an n
 * × n problem in place of a d × d one.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CentredRows(List<double[]> rows, double[] mean) {

  static CentredRows of(Table table, Scope scope) {
    int d = table.width();
    List<double[]> rows = new ArrayList<>();
    double[] mean = new double[d];
    float[] row = new float[d];
    LongConsumer take =
        id -> {
          table.copyRow(id, row, 0);
          double[] wide = new double[d];
          double spoiled = 0;
          for (int i = 0; i < d; i++) {
            wide[i] = row[i];
            spoiled += wide[i] * 0; // NaN as soon as one is not finite
          }
          if (spoiled == 0) {
            rows.add(wide);
            for (int i = 0; i < d; i++) {
              mean[i] += wide[i];
            }
          }
        };
    switch (scope) {
      case Scope.All() -> each(0, table.rows(), take);
      case Scope.Range(long from, long to) -> each(from, to, take);
      case Scope.Of(long[] ids) -> {
        for (long id : ids) {
          take.accept(id);
        }
      }
    }
    for (int i = 0; i < d; i++) {
      mean[i] /= Math.max(1, rows.size());
    }
    for (double[] wide : rows) {
      for (int i = 0; i < d; i++) {
        wide[i] -= mean[i];
      }
    }
    return new CentredRows(rows, mean);
  }

  private static void each(long from, long to, LongConsumer take) {
    for (long id = from; id < to; id++) {
      take.accept(id);
    }
  }

  Pca pca(int count, Workers workers) {
    int n = rows.size();
    double[] products = new double[n * n];
    workers.run(
        n,
        () ->
            i -> {
              for (int j = (int) i; j < n; j++) {
                products[(int) i * n + j] = dot(rows.get((int) i), rows.get(j));
              }
            });
    double total = 0;
    for (int i = 0; i < n; i++) {
      total += products[i * n + i];
      for (int j = 0; j < i; j++) {
        products[i * n + j] = products[j * n + i];
      }
    }
    // centred rows have at most n − 1 directions: the last eigenvalue is rounding error
    int wanted = Math.min(count, Math.max(0, n - 1));
    SymmetricEigen eigen = SymmetricEigen.of(products, n, wanted, workers);
    double[][] components = new double[wanted][];
    for (int c = 0; c < wanted; c++) {
      components[c] = combination(eigen.vectors()[c]);
      for (int before = 0; before < c; before++) {
        subtract(components[c], components[before]); // weak ones lean by rounding
      }
      normalise(components[c]);
    }
    return Pca.of(mean, eigen, components, total, n);
  }

  /** Returns Xᵀ u, at norm 1. */
  private double[] combination(double[] u) {
    double[] sum = new double[mean.length];
    for (int r = 0; r < u.length; r++) {
      double[] row = rows.get(r);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += u[r] * row[i];
      }
    }
    normalise(sum);
    return sum;
  }

  private static void subtract(double[] vector, double[] unit) {
    double along = dot(vector, unit);
    for (int i = 0; i < vector.length; i++) {
      vector[i] -= along * unit[i];
    }
  }

  private static void normalise(double[] vector) {
    double norm = Math.sqrt(dot(vector, vector));
    for (int i = 0; i < vector.length; i++) {
      vector[i] /= norm == 0 ? 1 : norm;
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}

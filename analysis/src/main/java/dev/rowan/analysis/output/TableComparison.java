package dev.rowan.analysis.output;

import dev.rowan.core.Hit;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.Exact;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a model's input and output table compare, row by row.
 *
 * @param rows how many rows both have
 * @param identical how many rows hold the same numbers
 * @param meanCosine over rows that are finite and not zero on both sides; NaN if there is none
 * @param medianCosine of the same
 * @param farthest the ids whose rows differ most by cosine, lowest first, ties by lower id
 */
public record TableComparison(
    long rows, long identical, double meanCosine, double medianCosine, List<Hit> farthest) {
  private static final int CHUNK_ROWS = 512;
  private static final double NEAR = 0.99;

  /** How two tables relate. */
  public enum Relation {
    /** All rows are equal. */
    IDENTICAL,
    /** The mean cosine is 0.99 or more: one was made from the other. */
    NEAR,
    /** Anything else. */
    DIFFERENT
  }

  /** Copies the list. */
  public TableComparison {
    farthest = List.copyOf(farthest);
  }

  /** Returns how the two relate. */
  public Relation relation() {
    return identical == rows
        ? Relation.IDENTICAL
        : meanCosine >= NEAR ? Relation.NEAR : Relation.DIFFERENT;
  }

  /**
   * Compares two tables; reads both once.
   *
   * @param k how many of the rows that differ most to name
   * @throws IllegalArgumentException if the widths differ
   */
  public static TableComparison of(Table input, Table output, int k, Workers workers) {
    if (input.width() != output.width()) {
      throw new IllegalArgumentException(
          "the input table is %d wide and the output table %d; their rows cannot be compared"
              .formatted(input.width(), output.width()));
    }
    int rows = Math.toIntExact(Math.min(input.rows(), output.rows()));
    double[] cosines = new double[rows];
    boolean[] same = new boolean[rows];
    workers.run(
        Math.ceilDiv(rows, CHUNK_ROWS),
        () -> {
          float[] a = new float[input.width()];
          float[] b = new float[input.width()];
          return chunk -> {
            int end = (int) Math.min(rows, (chunk + 1) * CHUNK_ROWS);
            for (int id = (int) chunk * CHUNK_ROWS; id < end; id++) {
              input.copyRow(id, a, 0);
              output.copyRow(id, b, 0);
              same[id] = Arrays.equals(a, b);
              double both =
                  Math.sqrt(Exact.dot(a, 0, a, 0, a.length))
                      * Math.sqrt(Exact.dot(b, 0, b, 0, b.length));
              cosines[id] =
                  both > 0 && Double.isFinite(both)
                      ? Math.clamp(Exact.dot(a, 0, b, 0, a.length) / both, -1.0, 1.0)
                      : Double.NaN;
            }
          };
        });
    double[] known = Arrays.stream(cosines).filter(c -> !Double.isNaN(c)).sorted().toArray();
    List<Hit> farthest =
        IntStream.range(0, rows)
            .filter(id -> !Double.isNaN(cosines[id]))
            .mapToObj(id -> new Hit(id, cosines[id]))
            .sorted(Comparator.comparingDouble(Hit::score).thenComparingLong(Hit::id))
            .limit(k)
            .toList();
    int identical = (int) IntStream.range(0, rows).filter(id -> same[id]).count();
    int middle = known.length / 2;
    double median =
        known.length == 0
            ? Double.NaN
            : known.length % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
    return new TableComparison(
        rows, identical, Arrays.stream(known).average().orElse(Double.NaN), median, farthest);
  }
}

package dev.rowan.analysis.compare;

import dev.rowan.core.Hit;
import dev.rowan.core.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which of some rows goes least with the others: the one with the lowest cosine with the mean of
 * all of them at unit norm (gensim's {@code doesnt_match}).
 *
 * @param ranked the rows with their cosine, the odd one first; ties by lower id
 */
public record OddOneOut(List<Hit> ranked) {
  /** Copies the list. */
  public OddOneOut {
    ranked = List.copyOf(ranked);
  }

  /**
   * Ranks rows. A row that is given twice counts twice.
   *
   * @throws IllegalArgumentException if there is no row, or one is not finite
   * @throws IndexOutOfBoundsException if a row is not in the table
   */
  public static OddOneOut of(Table table, long... ids) {
    if (ids.length == 0) {
      throw new IllegalArgumentException("no rows to compare; it takes 1 or more");
    }
    List<double[]> units = new ArrayList<>();
    double[] sum = new double[table.width()];
    for (long id : ids) {
      double[] unit = UnitRows.of(table, id);
      units.add(unit);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += unit[i];
      }
    }
    double[] mean = UnitRows.scaled(sum);
    List<Hit> ranked = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      ranked.add(new Hit(ids[i], Math.clamp(UnitRows.dot(units.get(i), mean), -1, 1)));
    }
    ranked.sort(Comparator.comparingDouble(Hit::score).thenComparingLong(Hit::id));
    return new OddOneOut(ranked);
  }
}

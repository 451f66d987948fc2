package dev.rowan.app.answers;

import dev.rowan.analysis.geometry.Pca;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A principal direction and the rows that reach farthest along it, both ways.
 *
 * @param share of the variance of all rows
 */
public record Leaning(double share, List<Hit> forward, List<Hit> backward) {
  private static final int NAMED = 4;

  /** Copies the lists. */
  public Leaning {
    forward = List.copyOf(forward);
    backward = List.copyOf(backward);
  }

  /** Returns the strongest directions; reads the table once for each. */
  public static List<Leaning> of(Search search, Pca pca, int count) {
    List<Leaning> leanings = new ArrayList<>();
    for (int i = 0; i < Math.min(count, pca.components()); i++) {
      double[] unit = pca.component(i);
      double[] back = Arrays.stream(unit).map(x -> -x).toArray();
      List<List<Hit>> hits =
          search.nearest(List.of(Query.of(unit), Query.of(back)), Metric.DOT, NAMED);
      leanings.add(new Leaning(pca.share(i), hits.get(0), hits.get(1)));
    }
    return leanings;
  }
}

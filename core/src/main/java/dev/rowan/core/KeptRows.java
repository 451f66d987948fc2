package dev.rowan.core;

import dev.rowan.core.kernel.Candidates;
import java.util.Arrays;
import java.util.Collection;

/** What the workers of a float scan kept for each query, taken together. */
record KeptRows(Collection<Candidates> parts) {

  /** Returns how many rows are kept for a query. */
  int count(int q) {
    return parts.stream().mapToInt(part -> part.size(q)).sum();
  }

  /** Returns a float score that no row which was dropped for a query exceeds; −∞ if none was. */
  double dropped(int q) {
    double most = Double.NEGATIVE_INFINITY;
    for (Candidates part : parts) {
      most = Math.max(most, part.thresholds()[q]);
    }
    return most;
  }

  /** Returns the k-th best float score; −∞ if no more than k rows are kept. */
  double kthBest(int q, int k) {
    int kept = count(q);
    if (kept <= k) {
      return Double.NEGATIVE_INFINITY;
    }
    float[] scores = new float[kept];
    int n = 0;
    for (Candidates part : parts) {
      for (int i = 0; i < part.size(q); i++) {
        scores[n++] = part.score(q, i);
      }
    }
    Arrays.sort(scores);
    return scores[kept - k];
  }

  /** Offers the rows whose float score reaches {@code least}, scored in double. */
  void offer(int q, double least, RowScore exact, float[] row, TopHits top) {
    for (Candidates part : parts) {
      for (int i = 0; i < part.size(q); i++) {
        if (part.score(q, i) >= least) {
          top.offer(part.id(q, i), exact.score(part.id(q, i), row));
        }
      }
    }
  }
}

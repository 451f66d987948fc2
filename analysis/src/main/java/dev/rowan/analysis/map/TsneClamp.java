package dev.rowan.analysis.map;

import dev.rowan.analysis.map.TsneSettings.Repulsion;
import java.util.List;
import java.util.Locale;

/** Fits settings to the number of points, and says what it changed. */
final class TsneClamp {
  private TsneClamp() {}

  /** Up to so many points all pairs take less time than a tree or a grid. */
  private static final int MOST_EXACT = 1000;

  /** From so many points on the grid is faster than the tree. */
  private static final int LEAST_FOURIER = 3000;

  private static Repulsion automatic(int points) {
    return points <= MOST_EXACT
        ? new Repulsion.Exact()
        : points < LEAST_FOURIER ? new Repulsion.BarnesHut(0.5) : new Repulsion.Fourier();
  }

  static TsneSettings clamped(TsneSettings asked, int points, List<String> notes) {
    double most = Math.max(1, (points - 1) / 3.0);
    TsneSettings settings = asked;
    if (asked.perplexity() > most) {
      notes.add(
          String.format(
              Locale.ROOT,
              "perplexity %s lowered to %.4g: a map of %,d points allows (n − 1) / 3",
              asked.perplexity(),
              most,
              points));
      settings = settings.withPerplexity(most);
    }
    return settings.withRepulsion(
        switch (asked.repulsion()) {
          case Repulsion.Auto() -> automatic(points);
          case Repulsion.Exact exact -> exact;
          case Repulsion.BarnesHut tree -> tree;
          case Repulsion.Fourier fourier -> fourier;
        });
  }
}

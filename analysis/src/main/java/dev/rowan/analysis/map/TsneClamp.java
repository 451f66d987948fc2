package dev.rowan.analysis.map;

import dev.rowan.analysis.map.TsneSettings.Repulsion;
import java.util.List;
import java.util.Locale;

/** Fits settings to the number of points, and says what it changed. */
final class TsneClamp {
  private TsneClamp() {}

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
          case Repulsion.Auto() -> new Repulsion.Exact();
          case Repulsion.Exact exact -> exact;
          case Repulsion.BarnesHut tree -> tree;
          case Repulsion.Fourier fourier -> fourier;
        });
  }
}

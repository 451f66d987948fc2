package dev.rowan.app.answers;

import dev.rowan.analysis.geometry.GroupAgreement;
import dev.rowan.analysis.map.MapMethod;
import dev.rowan.analysis.map.MapQuality;
import dev.rowan.analysis.map.PcaSettings;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.map.TsneSettings;
import dev.rowan.analysis.map.UmapSettings;
import dev.rowan.analysis.picture.MapPicture;
import dev.rowan.core.Counted;
import dev.rowan.core.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is said of a map wherever it is shown: its method and settings, how far to trust it, how to
 * read it.
 *
 * @param map the map
 * @param width d, numbers in a row
 * @param agreement whether near points are of one group, where there are groups
 */
public record MapStory(TableMap map, int width, Optional<GroupAgreement> agreement) {

  /** Returns the name of the method for people. */
  public static String name(MapMethod method) {
    return switch (method) {
      case PcaSettings _ -> "PCA";
      case TsneSettings _ -> "t-SNE";
      case UmapSettings _ -> "UMAP";
    };
  }

  private boolean isPca() {
    return map.fit() instanceof TableMap.Fit.Variance;
  }

  /** Returns the method with its settings, one sentence without a full stop. */
  public String method() {
    String what =
        "%s of %s × %s"
            .formatted(
                name(map.method()), Counted.of(map.points(), "row"), Counted.of(width, "number"));
    if (isPca()) {
      return what + ", centred; exact";
    }
    String settings =
        switch (map.method()) {
          case TsneSettings tsne ->
              ", perplexity %s, %s"
                  .formatted(
                      plain(tsne.perplexity()),
                      Counted.of(tsne.schedule().iterations(), "iteration"));
          case UmapSettings umap ->
              ", %d neighbours, minimum distance %s"
                  .formatted(umap.neighbours(), plain(umap.minDistance()));
          case PcaSettings _ -> "";
        };
    return "%s by %s%s; started from PCA, seed %d"
        .formatted(what, metric(), settings, map.method().seed());
  }

  /** Returns the metric in words. */
  public String metric() {
    return map.method().metric() == Metric.COSINE ? "cosine" : "Euclidean distance";
  }

  /** Returns how far the map is from the truth, without the last full stop. */
  public String distortion() {
    MapQuality q = map.quality();
    List<String> parts = new ArrayList<>();
    switch (map.fit()) {
      case TableMap.Fit.Variance variance ->
          parts.add(
              "The two axes hold %s of the variance"
                  .formatted(percent(variance.first() + variance.second())));
      case TableMap.Fit.Divergence divergence ->
          parts.add("KL divergence %s".formatted(digits(divergence.kl())));
      case TableMap.Fit.Unstated _ -> {} // the figures that follow are all there is
    }
    if (!Double.isNaN(q.neighbourRecall())) {
      parts.add(
          "%s of a point's %d nearest neighbours are among its %d nearest on the map (%s by chance)"
              .formatted(
                  percent(q.neighbourRecall()),
                  q.neighbours(),
                  q.neighbours(),
                  percent(q.recallByChance())));
    }
    if (!Double.isNaN(q.trustworthiness())) {
      parts.add(
          "Trustworthiness %s and continuity %s, where 1 is perfect and 0.5 is chance"
              .formatted(digits(q.trustworthiness()), digits(q.continuity())));
    }
    if (!Double.isNaN(q.rankCorrelation())) {
      parts.add(
          "Distances on the map and true ones have rank correlation %s"
              .formatted(digits(q.rankCorrelation())));
    }
    if (!q.isComplete()) {
      parts.add("Measured at %,d points against all".formatted(q.measured()));
    }
    agreement.ifPresent(a -> parts.add(agreement(a)));
    return String.join(". ", parts);
  }

  private String agreement(GroupAgreement a) {
    return "%,d of %,d grouped points have their nearest neighbour in their own group in all %,d dimensions, %,d on the map"
        .formatted(a.inAllDimensions(), a.measured(), width, a.onMap());
  }

  /** Returns how to read the map, one sentence each. */
  public List<String> hints() {
    return List.of(
        isPca()
            ? "True distances are never shorter than these: points that lie apart are apart,"
                + " points that lie together need not be."
            : "Sizes of islands and distances between them mean little; look at who is near whom.",
        "True neighbours are by %s over %s of a row."
            .formatted(
                metric(), width == 1 ? "the one number" : "all %,d numbers".formatted(width)));
  }

  /** Returns what the axes are. */
  public MapPicture.Axes axes() {
    return map.fit() instanceof TableMap.Fit.Variance variance
        ? new MapPicture.Axes(
            "component 1, %s of the variance".formatted(percent(variance.first())),
            "component 2, %s of the variance".formatted(percent(variance.second())))
        : MapPicture.Axes.NONE;
  }

  /** Returns a share as a percentage with a digit behind the point. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Returns a figure with three digits behind the point. */
  public static String digits(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.equals("-0.000") ? "0.000" : text;
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}

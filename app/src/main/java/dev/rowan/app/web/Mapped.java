package dev.rowan.app.web;

import dev.rowan.analysis.map.MapQuality;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.app.answers.MapStory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A map that is ready.
 *
 * @param key fetches its points and tokens
 * @param variance the shares of the variance along both axes, for principal components
 * @param divergence the KL divergence, for t-SNE
 * @param method the settings as they were used
 * @param story what is said of it, on the command line too: what it is, what it distorts, how to
 *     read it
 */
record Mapped(
    String key,
    String label,
    String method,
    int points,
    Optional<List<Double>> variance,
    Optional<Double> divergence,
    List<String> story,
    Quality quality,
    List<String> notes,
    Listed listed) {
  static Mapped of(MapStore.Stored stored) throws IOException {
    TableMap map = stored.map();
    MapStory story = new MapStory(map, stored.model().table().table().width(), Optional.empty());
    List<String> told = new ArrayList<>(List.of(story.method() + ".", story.distortion() + "."));
    told.addAll(story.hints());
    return new Mapped(
        stored.key(),
        map.method().label(),
        map.method().toString(),
        map.points(),
        map.fit() instanceof TableMap.Fit.Variance(double first, double second)
            ? Optional.of(List.of(first, second))
            : Optional.empty(),
        map.fit() instanceof TableMap.Fit.Divergence(double kl)
            ? Optional.of(kl)
            : Optional.empty(),
        told,
        Quality.of(map.quality()),
        map.notes(),
        stored.listed());
  }

  /**
   * The words of a list.
   *
   * @param ids the row of each word, in the order of the list; null where it is no single token
   * @param leftOut the words that are none
   */
  record Listed(List<OptionalLong> ids, List<String> leftOut) {}

  /** What a map distorts. */
  record Quality(
      int neighbours,
      int measured,
      double trustworthiness,
      double continuity,
      double neighbourRecall,
      double recallByChance,
      double rankCorrelation,
      int correlated) {
    static Quality of(MapQuality q) {
      return new Quality(
          q.neighbours(),
          q.measured(),
          q.trustworthiness(),
          q.continuity(),
          q.neighbourRecall(),
          q.recallByChance(),
          q.rankCorrelation(),
          q.correlated());
    }
  }
}

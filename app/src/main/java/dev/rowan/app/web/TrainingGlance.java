package dev.rowan.app.web;

import dev.rowan.analysis.map.Mapper;
import dev.rowan.analysis.map.PcaSettings;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingReport.Snapshot;
import dev.rowan.train.corpus.CountedVocabulary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What is shown of the rows each time they stand still: the neighbours of some words, and a map of
 * some words by principal components.
 *
 * <p>The axes of such a map may turn from one look to the next although no row has moved; each map
 * is therefore turned, or mirrored, to lie as close to the one before as it can (Procrustes in the
 * plane). That changes no distance.
 */
final class TrainingGlance {
  private static final int WATCHED = 8;
  private static final int MAPPED = 48;
  private static final int SKIPPED = 20; // the most frequent words go with everything

  private final List<String> watch;
  private final Workers workers;
  private List<Spot> before;

  /**
   * Makes one for a training.
   *
   * @param watch words that are on the map in any case
   * @param before the map that was shown last, where the training goes on
   */
  TrainingGlance(List<String> watch, Workers workers, List<Spot> before) {
    this.watch = List.copyOf(watch);
    this.workers = workers;
    this.before = List.copyOf(before);
  }

  /** A neighbour. */
  record WatchedNeighbour(String word, double cosine) {}

  /** A word and its neighbours, by cosine. */
  record Nearby(String word, List<WatchedNeighbour> neighbours) {}

  /**
   * A word on the map.
   *
   * @param watched whether it was asked for
   */
  record Spot(String word, long row, double x, double y, boolean watched) {}

  /**
   * The rows at a moment of the training.
   *
   * @param share of the training that is done, 0 to 1
   * @param baseline the mean cosine of all pairs of rows
   * @param spots the map
   * @param variance the share of the variance of these words' rows that the map shows
   * @param neighbourRecall the share of a word's nearest words, among those on the map, that are
   *     its nearest on the map too
   * @param recallByChance what that would be by chance
   */
  record Glance(
      double share,
      double baseline,
      List<Nearby> near,
      List<Spot> spots,
      double variance,
      double neighbourRecall,
      double recallByChance) {}

  /** Looks at the rows. */
  Glance of(TrainingEvent.Look look, Snapshot snapshot) {
    List<Nearby> near = new ArrayList<>();
    snapshot.near().stream()
        .limit(WATCHED)
        .forEach(one ->
            near.add(
                new Nearby(
                    one.word(),
                    one.neighbours().stream()
                        .map(n -> new WatchedNeighbour(n.word(), n.cosine()))
                        .toList())));
    CountedVocabulary words = look.view().vocabulary();
    long[] rows = rows(words);
    Table table = look.view().rows();
    TableMap map =
        Mapper.over(table, workers).map(PcaSettings.defaults().withMetric(Metric.COSINE), rows);
    before = turned(spots(map, words), before);
    double variance =
        map.fit() instanceof TableMap.Fit.Variance(double first, double second)
            ? first + second
            : Double.NaN;
    return new Glance(
        look.share(),
        snapshot.meanCosine(),
        near,
        before,
        variance,
        map.quality().neighbourRecall(),
        map.quality().recallByChance());
  }

  private long[] rows(CountedVocabulary words) {
    Set<Long> rows = new LinkedHashSet<>();
    for (String word : watch) {
      OptionalInt row = words.vocabulary().id(word);
      row.ifPresent(found -> rows.add((long) found));
    }
    int first = words.size() > 2 * (SKIPPED + MAPPED) ? SKIPPED : 0;
    for (int row = first; row < words.size() && rows.size() < MAPPED; row++) {
      rows.add((long) row);
    }
    return rows.stream().mapToLong(Long::longValue).toArray();
  }

  private List<Spot> spots(TableMap map, CountedVocabulary words) {
    List<Spot> spots = new ArrayList<>();
    for (int i = 0; i < map.points(); i++) {
      int row = (int) map.ids()[i];
      String word = words.vocabulary().text(row);
      spots.add(new Spot(word, row, map.x()[i], map.y()[i], watch.contains(word)));
    }
    return spots;
  }

  /**
   * Returns spots turned, or mirrored, so that the sum of products with their earlier places is
   * largest. For a turn by θ that sum is C cos θ + S sin θ, largest at √(C² + S²).
   */
  static List<Spot> turned(List<Spot> spots, List<Spot> before) {
    if (spots.size() != before.size()) {
      return spots; // the first look, or a row that is not finite
    }
    double xx = 0;
    double xy = 0;
    double yx = 0;
    double yy = 0;
    for (int i = 0; i < spots.size(); i++) {
      xx += before.get(i).x() * spots.get(i).x();
      xy += before.get(i).x() * spots.get(i).y();
      yx += before.get(i).y() * spots.get(i).x();
      yy += before.get(i).y() * spots.get(i).y();
    }
    boolean mirrored = Math.hypot(xx - yy, xy + yx) > Math.hypot(xx + yy, yx - xy);
    double flip = mirrored ? -1 : 1; // of y, before the turn
    double angle = Math.atan2(yx - flip * xy, xx + flip * yy);
    double cos = Math.cos(angle);
    double sin = Math.sin(angle);
    return spots.stream()
        .map(s ->
            new Spot(
                s.word(),
                s.row(),
                cos * s.x() - sin * flip * s.y(),
                sin * s.x() + cos * flip * s.y(),
                s.watched()))
        .toList();
  }
}

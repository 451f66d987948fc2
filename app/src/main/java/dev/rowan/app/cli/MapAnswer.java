package dev.rowan.app.cli;

import dev.rowan.analysis.geometry.GroupAgreement;
import dev.rowan.analysis.map.MapQuality;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.map.TsneSettings;
import dev.rowan.analysis.map.UmapSettings;
import dev.rowan.app.answers.MapStory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** A map as JSON, as tab-separated lines and as a page: never without its quality. */
final class MapAnswer {
  private static final int MOST_PLOT = 100;

  private MapAnswer() {}

  /** Writes the members of the object. */
  static void write(Json json, WordMap words) {
    TableMap map = words.map();
    MapQuality quality = map.quality();
    json.text("method", map.method().label())
        .text("metric", map.method().metric().name().toLowerCase(Locale.ROOT))
        .number("seed", map.method().seed());
    if (map.method() instanceof TsneSettings tsne) {
      json.number("perplexity", tsne.perplexity())
          .number("iterations", (long) tsne.schedule().iterations());
    }
    if (map.method() instanceof UmapSettings umap) {
      json.number("umapNeighbours", (long) umap.neighbours())
          .number("minDistance", umap.minDistance());
    }
    json.text("description", words.story().method());
    json.objects(
        "points",
        () -> IntStream.range(0, map.points()).iterator(),
        (j, i) -> {
          j.text("token", words.token(i)).number("id", map.ids()[i]);
          j.number("x", map.x()[i]).number("y", map.y()[i]);
          if (words.group(i) < 0) {
            j.nothing("group");
          } else {
            j.text("group", words.groupName(i));
          }
          j.number("reliability", quality.reliability()[i]);
        });
    json.object("quality", j -> quality(j, words));
    json.array("notes", j -> map.notes().forEach(j::element));
    json.objects(
        "notMapped",
        words.selection().notMapped(),
        (j, word) -> j.text("word", word.word()).text("reason", word.reason()));
  }

  private static void quality(Json json, WordMap words) {
    MapQuality quality = words.map().quality();
    switch (words.map().fit()) {
      case TableMap.Fit.Variance variance -> {
        json.array(
            "varianceExplained", j -> j.element(variance.first()).element(variance.second()));
        json.nothing("kl");
      }
      case TableMap.Fit.Divergence divergence -> {
        json.nothing("varianceExplained");
        json.number("kl", divergence.kl());
      }
      case TableMap.Fit.Unstated _ -> json.nothing("varianceExplained").nothing("kl");
    }
    json.number("trustworthiness", quality.trustworthiness())
        .number("continuity", quality.continuity())
        .number("neighbourRecall", quality.neighbourRecall())
        .number("neighbourRecallByChance", quality.recallByChance())
        .number("rankCorrelation", quality.rankCorrelation())
        .number("neighbours", (long) quality.neighbours())
        .number("measured", (long) quality.measured());
    Optional<GroupAgreement> agreement = words.story().agreement();
    if (agreement.isEmpty()) {
      json.nothing("nearestInOwnGroup");
    } else {
      GroupAgreement found = agreement.get();
      json.object(
          "nearestInOwnGroup",
          j ->
              j.number("of", (long) found.measured())
                  .number("inAllDimensions", (long) found.inAllDimensions())
                  .number("onMap", (long) found.onMap()));
    }
  }

  /**
   * Returns a line a point, behind two lines that say what the map is worth and one with the names
   * of the columns. Tabs, line ends and backslashes in tokens are escaped by a backslash.
   */
  static String tsv(WordMap words) {
    TableMap map = words.map();
    StringBuilder lines = new StringBuilder();
    lines.append("# ").append(words.story().method()).append('\n');
    lines.append("# ").append(words.story().distortion()).append('\n');
    lines.append("token\tid\tx\ty\tgroup\treliability\n");
    for (int i = 0; i < map.points(); i++) {
      float reliability = map.quality().reliability()[i];
      lines.append(field(words.token(i))).append('\t').append(map.ids()[i]);
      lines.append('\t').append(map.x()[i]).append('\t').append(map.y()[i]);
      lines.append('\t').append(field(words.groupName(i))).append('\t');
      lines.append(Float.isNaN(reliability) ? "" : Float.toString(reliability)).append('\n');
    }
    return lines.toString();
  }

  private static String field(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  /**
   * Prints the map for a person.
   *
   * @param written the files that hold it, each as a line
   */
  static void print(Page page, WordMap words, List<String> written) {
    page.heading(words.title());
    page.prose(words.story().method());
    page.gap();
    picture(page, words);
    page.grid(figures(words));
    page.note(String.join(" ", words.story().hints()));
    words.map().notes().forEach(page::note);
    written.forEach(page::line);
    if (written.isEmpty()) {
      page.note("-o FILE.svg writes it as a picture; .png, .json and .tsv do too");
    }
  }

  /** Prints the map in characters. */
  static void picture(Page page, WordMap words) {
    int columns = Math.clamp(page.columns() - 2, 20, MOST_PLOT);
    words.text(columns).forEach(line -> page.line(("  " + line).stripTrailing()));
    legend(page, words);
    page.gap();
  }

  private static void legend(Page page, WordMap words) {
    if (words.groupNames().isEmpty() || words.map().points() > TextPlot.FEW) {
      return;
    }
    StringBuilder line = new StringBuilder(" ");
    for (int g = 0; g < words.groupNames().size(); g++) {
      String name = Visible.message(words.groupNames().get(g));
      if (Visible.columns(line + "  x " + name) > page.columns() && line.length() > 1) {
        page.line(line.toString());
        line.setLength(1);
      }
      line.append(' ').append(TextPlot.mark(g)).append(' ').append(name).append(' ');
    }
    page.line(line.toString().stripTrailing());
  }

  private static Grid figures(WordMap words) {
    TableMap map = words.map();
    MapQuality q = map.quality();
    Grid grid = new Grid();
    switch (map.fit()) {
      case TableMap.Fit.Variance v ->
          grid.entry(
              "variance explained",
              MapStory.percent(v.first() + v.second()),
              "%s and %s along the axes"
                  .formatted(MapStory.percent(v.first()), MapStory.percent(v.second())));
      case TableMap.Fit.Divergence d ->
          grid.entry("KL divergence", MapStory.digits(d.kl()), "less is better");
      case TableMap.Fit.Unstated _ -> {} // the figures that follow are all there is
    }
    grid.entry(
        "neighbour recall",
        MapStory.percent(q.neighbourRecall()),
        "of %d nearest; %s by chance"
            .formatted(q.neighbours(), MapStory.percent(q.recallByChance())));
    grid.entry("trustworthiness", MapStory.digits(q.trustworthiness()), "1 is perfect, 0.5 chance");
    grid.entry("continuity", MapStory.digits(q.continuity()), "1 is perfect, 0.5 chance");
    grid.entry("rank correlation", MapStory.digits(q.rankCorrelation()), "of all distances");
    if (!q.isComplete()) {
      grid.entry("measured", "%,d".formatted(q.measured()), "points, each against all others");
    }
    words
        .story()
        .agreement()
        .ifPresent(a -> {
          String of = " of %,d".formatted(a.measured());
          grid.entry(
              "nearest in own group",
              "%,d".formatted(a.inAllDimensions()) + of,
              "in all dimensions; %,d%s on the map".formatted(a.onMap(), of));
        });
    return grid;
  }
}

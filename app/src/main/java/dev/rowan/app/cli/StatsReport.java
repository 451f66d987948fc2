package dev.rowan.app.cli;

import dev.rowan.analysis.geometry.PairCosines;
import dev.rowan.analysis.geometry.TableGeometry;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Leaning;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.Hit;
import dev.rowan.core.NamedTable;
import dev.rowan.core.RowStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The geometry of a table as text and as JSON. */
final class StatsReport {
  private static final String[] QUANTILES = {"p1", "p5", "p25", "p50", "p75", "p95", "p99"};
  private static final int[] PRINTED = {1, 2, 3, 4, 5}; // of QUANTILES

  private final Asked asked;
  private final HitRows rows;
  private final NamedTable table;
  private final RowStatistics statistics;
  private final Optional<TableGeometry> geometry;
  private final List<Leaning> leanings;
  private final long seed;

  StatsReport(
      Asked asked,
      NamedTable table,
      RowStatistics statistics,
      Optional<TableGeometry> geometry,
      List<Leaning> leanings,
      long seed) {
    this.asked = asked;
    this.rows = new HitRows(asked);
    this.table = table;
    this.statistics = statistics;
    this.geometry = geometry;
    this.leanings = leanings;
    this.seed = seed;
  }

  /** Writes the members of the answer. */
  void write(Json json) {
    RowStatistics s = statistics;
    json.number("rows", table.table().rows())
        .number("width", (long) table.table().width())
        .number("meanCosine", s.meanCosine())
        .object(
            "norm",
            j -> {
              j.number("min", s.minNorm()).number("max", s.maxNorm()).number("mean", s.meanNorm());
              extreme(j, "argmin", s.argminNorm());
              extreme(j, "argmax", s.argmaxNorm());
              geometry.ifPresent(g ->
                  j.number("p5", g.normQuantiles()[0])
                      .number("p50", g.normQuantiles()[1])
                      .number("p95", g.normQuantiles()[2])
                      .number("spearmanWithId", g.normByOrder()));
            })
        .number("zeroRows", s.zeroRows())
        .number("nonFiniteRows", s.nonFiniteRows())
        .objects(
            "topDirections",
            leanings,
            (j, leaning) -> {
              j.number("share", leaning.share());
              rows.write(j, "forward", leaning.forward());
              rows.write(j, "backward", leaning.backward());
            })
        .number("directionRows", geometry.map(g -> g.pca().rows()).orElse(0L));
    geometry.ifPresent(g -> write(json, g));
  }

  private void write(Json json, TableGeometry g) {
    json.number("meanRowNorm", g.meanRowNorm())
        .number("effectiveRank", g.effectiveRank())
        .number("meanCosineCentered", g.centredMean())
        .number("meanCosineWithoutTop", g.withoutTopMean())
        .object(
            "pairCosines",
            j -> {
              j.number("sampledRows", (long) g.sampledRows())
                  .number("pairs", g.asStored().pairs())
                  .number("seed", seed)
                  .number("removedDirections", (long) g.removed())
                  .object("asStored", v -> write(v, g.asStored()))
                  .object("centered", v -> write(v, g.centred()))
                  .object("withoutTopDirections", v -> write(v, g.withoutTop()));
            });
  }

  private static void write(Json json, PairCosines cosines) {
    json.number("mean", cosines.mean()).number("deviation", cosines.deviation());
    for (int q = 0; q < QUANTILES.length; q++) {
      json.number(QUANTILES[q], cosines.quantiles()[q]);
    }
  }

  private void extreme(Json json, String name, long id) {
    if (id < 0) {
      json.nothing(name);
    } else {
      json.object(name, j -> rows.token(j, id));
    }
  }

  /** Prints the answer. */
  void print(Page page) {
    RowStatistics s = statistics;
    page.heading(
        "%s: %s × %,d"
            .formatted(
                table.tensor(), Counted.of(table.table().rows(), "row"), table.table().width()));
    Grid grid = new Grid();
    grid.entry("mean cosine", HitRows.number(s.meanCosine()), "over all pairs of rows");
    grid.entry("mean norm", HitRows.number(s.meanNorm()), "");
    grid.entry("least norm", HitRows.number(s.minNorm()), named(s.argminNorm()));
    grid.entry("largest norm", HitRows.number(s.maxNorm()), named(s.argmaxNorm()));
    geometry.ifPresent(g -> {
      grid.entry("norm by id", HitRows.number(g.normByOrder()), "rank correlation");
      grid.entry(
          "mean row's norm",
          HitRows.number(g.meanRowNorm()),
          "0 if rows lay evenly around the origin");
      grid.entry(
          "effective rank",
          Double.isNaN(g.effectiveRank())
              ? "–"
              : String.format(Locale.ROOT, "%.1f", g.effectiveRank()),
          Double.isNaN(g.effectiveRank())
              ? "needs two rows that differ"
              : "of " + Counted.of(table.table().width(), "direction"));
    });
    grid.entry("zero rows", String.format(Locale.ROOT, "%,d", s.zeroRows()), "");
    grid.entry("non-finite rows", String.format(Locale.ROOT, "%,d", s.nonFiniteRows()), "");
    page.grid(grid);
    geometry.ifPresent(g -> print(page, g));
  }

  private void print(Page page, TableGeometry g) {
    page.gap();
    page.heading("cosines of pairs of rows");
    Grid grid = new Grid();
    grid.row(
        Grid.left("", Style.FAINT),
        Grid.right("mean", Style.FAINT),
        Grid.right("5 %", Style.FAINT),
        Grid.right("25 %", Style.FAINT),
        Grid.right("50 %", Style.FAINT),
        Grid.right("75 %", Style.FAINT),
        Grid.right("95 %", Style.FAINT));
    row(grid, "as stored", g.asStored());
    row(grid, "less the mean row", g.centred());
    row(grid, "and %,d %s".formatted(g.removed(), directions(g.removed())), g.withoutTop());
    page.grid(grid);
    page.note(
        "all pairs of %s drawn with seed %d, and the cosine that so many of them do not reach"
            .formatted(Counted.of(g.sampledRows(), "row"), seed));
    if (leanings.isEmpty()) {
      return;
    }
    page.gap();
    page.heading(
        "directions in which rows differ most%s"
            .formatted(
                g.pca().rows() + statistics.nonFiniteRows() < table.table().rows()
                    ? ", from %s at equal distances".formatted(Counted.of(g.pca().rows(), "row"))
                    : ""));
    Grid directions = new Grid();
    int rank = 0;
    for (Leaning leaning : leanings) {
      directions.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.right(String.format(Locale.ROOT, "%.1f %%", 100 * leaning.share()), Style.PLAIN),
          Grid.left("+  " + names(leaning.forward()), Style.TOKEN));
      directions.row(
          Grid.right("", Style.FAINT),
          Grid.right("", Style.PLAIN),
          Grid.left("−  " + names(leaning.backward()), Style.TOKEN));
    }
    page.grid(directions);
    page.note("share of the variance of all rows, and the tokens farthest along, both ways");
  }

  private static String directions(int count) {
    return count == 1 ? "direction" : "directions";
  }

  private static void row(Grid grid, String name, PairCosines cosines) {
    Grid.Cell[] cells = new Grid.Cell[2 + PRINTED.length];
    cells[0] = Grid.left(name, Style.FAINT);
    cells[1] = Grid.right(HitRows.number(cosines.mean()), Style.PLAIN);
    for (int i = 0; i < PRINTED.length; i++) {
      cells[2 + i] = Grid.right(HitRows.number(cosines.quantiles()[PRINTED[i]]), Style.PLAIN);
    }
    grid.row(cells);
  }

  private String named(long id) {
    return id < 0 ? "" : "%s #%d".formatted(asked.name(id), id);
  }

  private String names(List<Hit> hits) {
    return hits.stream()
        .map(hit -> Visible.clipped(asked.only(hit.id()), 20))
        .collect(Collectors.joining("  "));
  }
}

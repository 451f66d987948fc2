package dev.rowan.app.cli;

import dev.rowan.app.answers.Asked;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Directions;
import dev.rowan.core.Directions.Direction;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Query;
import dev.rowan.core.RowStatistics;
import dev.rowan.core.Search;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The geometry of the table. */
@Command(
    name = "stats",
    description = {
      "Show the geometry of the table: the mean cosine of all pairs of rows, norms, broken rows, and"
          + " the directions in which rows differ most."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan stats", "  rowan --table output stats", "  rowan stats --directions 0"})
final class StatsCommand implements Verb {
  private static final int LEANING = 4;

  @Mixin HelpOption help = new HelpOption();

  @Option(
      names = "--directions",
      paramLabel = "N",
      description = "How many principal directions (${DEFAULT-VALUE}).")
  int count = 3;

  /** A direction and the tokens whose rows reach farthest along it, both ways. */
  private record Leaning(Direction direction, List<Hit> forward, List<Hit> backward) {}

  @Override
  public void run(Session session) throws IOException {
    if (count < 0) {
      throw new UseException("--directions %d: it takes 0 or more".formatted(count));
    }
    NamedTable table = session.table();
    RowStatistics statistics;
    List<Leaning> leanings = new ArrayList<>();
    long rowsUsed = 0;
    try (Progress _ = session.progress("reading every row")) {
      statistics = table.table().statistics(session.workers());
      if (count > 0) {
        Directions directions = Directions.of(table.table(), count, session.workers());
        rowsUsed = directions.rowsUsed();
        Search search = session.search(table);
        for (Direction direction : directions.directions()) {
          leanings.add(leaning(search, direction));
        }
      }
    }
    HitRows rows = new HitRows(session.asked());
    Asked asked = session.asked();
    long used = rowsUsed;
    session.answer(
        json -> write(json, rows, table, statistics, leanings, used),
        page -> print(page, asked, table, statistics, leanings, used));
  }

  private static Leaning leaning(Search search, Direction direction) {
    double[] back = Arrays.stream(direction.unit()).map(x -> -x).toArray();
    List<List<Hit>> hits =
        search.nearest(List.of(Query.of(direction.unit()), Query.of(back)), Metric.DOT, LEANING);
    return new Leaning(direction, hits.get(0), hits.get(1));
  }

  private static void write(
      Json json,
      HitRows rows,
      NamedTable table,
      RowStatistics s,
      List<Leaning> leanings,
      long rowsUsed) {
    json.number("rows", table.table().rows())
        .number("width", (long) table.table().width())
        .number("meanCosine", s.meanCosine())
        .object(
            "norm",
            j -> {
              j.number("min", s.minNorm()).number("max", s.maxNorm()).number("mean", s.meanNorm());
              extreme(j, rows, "argmin", s.argminNorm());
              extreme(j, rows, "argmax", s.argmaxNorm());
            })
        .number("zeroRows", s.zeroRows())
        .number("nonFiniteRows", s.nonFiniteRows())
        .objects(
            "topDirections",
            leanings,
            (j, leaning) -> {
              j.number("share", leaning.direction().share());
              rows.write(j, "forward", leaning.forward());
              rows.write(j, "backward", leaning.backward());
            })
        .number("directionRows", rowsUsed);
  }

  private static void extreme(Json json, HitRows rows, String name, long id) {
    if (id < 0) {
      json.nothing(name);
    } else {
      json.object(name, j -> rows.token(j, id));
    }
  }

  private static void print(
      Page page,
      Asked asked,
      NamedTable table,
      RowStatistics s,
      List<Leaning> leanings,
      long rowsUsed) {
    page.heading(
        "%s: %,d rows × %,d"
            .formatted(table.tensor(), table.table().rows(), table.table().width()));
    Grid grid = new Grid();
    entry(grid, "mean cosine", HitRows.number(s.meanCosine()), "over all pairs of rows");
    entry(grid, "mean norm", HitRows.number(s.meanNorm()), "");
    entry(grid, "least norm", HitRows.number(s.minNorm()), named(asked, s.argminNorm()));
    entry(grid, "largest norm", HitRows.number(s.maxNorm()), named(asked, s.argmaxNorm()));
    entry(grid, "zero rows", String.format(Locale.ROOT, "%,d", s.zeroRows()), "");
    entry(grid, "non-finite rows", String.format(Locale.ROOT, "%,d", s.nonFiniteRows()), "");
    page.grid(grid);
    if (leanings.isEmpty()) {
      return;
    }
    page.gap();
    page.heading(
        "directions in which rows differ most%s"
            .formatted(
                rowsUsed + s.nonFiniteRows() < table.table().rows()
                    ? ", from %,d rows at equal distances".formatted(rowsUsed)
                    : ""));
    Grid directions = new Grid();
    int rank = 0;
    for (Leaning leaning : leanings) {
      directions.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.right(
              String.format(Locale.ROOT, "%.1f %%", 100 * leaning.direction().share()),
              Style.PLAIN),
          Grid.left("+  " + names(asked, leaning.forward()), Style.TOKEN));
      directions.row(
          Grid.right("", Style.FAINT),
          Grid.right("", Style.PLAIN),
          Grid.left("−  " + names(asked, leaning.backward()), Style.TOKEN));
    }
    page.grid(directions);
    page.note("share of the variance of all rows, and the tokens farthest along, both ways");
  }

  private static void entry(Grid grid, String name, String value, String remark) {
    grid.row(
        Grid.left(name, Style.FAINT),
        Grid.right(value, Style.PLAIN),
        Grid.left(remark, Style.FAINT));
  }

  private static String named(Asked asked, long id) {
    return id < 0 ? "" : "%s #%d".formatted(asked.name(id), id);
  }

  private static String names(Asked asked, List<Hit> hits) {
    return hits.stream()
        .map(hit -> Visible.clipped(asked.name(hit.id()), 20))
        .collect(Collectors.joining("  "));
  }
}

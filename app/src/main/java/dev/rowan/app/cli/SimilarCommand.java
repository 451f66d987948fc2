package dev.rowan.app.cli;

import dev.rowan.analysis.compare.Likeness;
import dev.rowan.analysis.compare.Likeness.Side;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** How alike two tokens are. */
@Command(
    name = "similar",
    description = "Show how alike two rows are, and how much that is in this table.",
    footerHeading = "%nExamples:%n",
    footer = {"  rowan similar cat dog", "  rowan similar '#4937' '#3899'"})
final class SimilarCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A word, an exact vocabulary string, or #ID.")
  String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "Another.")
  String second = "";

  @Override
  public void run(Session session) throws IOException {
    NamedTable table = session.table();
    Asking asking = new Asking(session, table);
    Asking.Point a = asking.point(first);
    Asking.Point b = asking.point(second);
    Likeness likeness;
    try (Progress _ = session.progress("searching")) {
      likeness =
          Likeness.of(
              session.search(table), new Side(a.query(), a.id()), new Side(b.query(), b.id()));
    }
    session.answer(
        json ->
            json.object("a", j -> HitRows.point(j, a))
                .object("b", j -> HitRows.point(j, b))
                .number("cosine", likeness.cosine())
                .number("baseline", likeness.baseline())
                .number("dot", likeness.dot())
                .number("distance", likeness.distance())
                .number("rankFromA", likeness.rankFromFirst())
                .number("rankFromB", likeness.rankFromSecond()),
        page -> print(page, a, b, likeness));
  }

  private static void print(Page page, Asking.Point a, Asking.Point b, Likeness likeness) {
    page.heading("%s and %s".formatted(a.title(), b.title()));
    a.remark().ifPresent(page::note);
    b.remark().ifPresent(page::note);
    Grid grid = new Grid();
    row(grid, "cosine", likeness.cosine(), Style.PLAIN);
    row(grid, "baseline", likeness.baseline(), Style.BASELINE);
    row(grid, "dot product", likeness.dot(), Style.PLAIN);
    row(grid, "distance", likeness.distance(), Style.PLAIN);
    page.grid(grid);
    if (likeness.rankFromFirst() > 0 && likeness.rankFromSecond() > 0) {
      page.prose(
          String.format(
              Locale.ROOT,
              "The second is neighbour %,d of the first, the first neighbour %,d of the second.",
              likeness.rankFromFirst(),
              likeness.rankFromSecond()));
    } else if (likeness.rankFromFirst() + likeness.rankFromSecond() > 0) {
      page.prose(
          String.format(
              Locale.ROOT,
              "The %s is neighbour %,d of the other; a word without a row is nobody's neighbour.",
              likeness.rankFromFirst() > 0 ? "second" : "first",
              likeness.rankFromFirst() + likeness.rankFromSecond()));
    }
  }

  private static void row(Grid grid, String name, double value, Style style) {
    grid.row(Grid.left(name, Style.FAINT), Grid.right(HitRows.number(value), style));
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A corner of the table. */
@Command(
    name = "corner",
    description = "Print a corner of the table, or the first columns of some tokens' rows.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan corner",
      "  rowan corner --rows 12 --columns 8",
      "  rowan corner cat dog three four     these rows",
      "  rowan corner --from 2000            rows from #2000 on"
    })
final class CornerCommand implements Verb {
  private static final int MOST_NAME_COLUMNS = 16;

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "0..*",
      description = "Rows to show; the first rows of the table if none is given.")
  List<String> tokens = List.of();

  @Option(names = "--rows", paramLabel = "N", description = "How many rows (${DEFAULT-VALUE}).")
  int rows = 8;

  @Option(
      names = "--columns",
      paramLabel = "N",
      description = "How many columns (${DEFAULT-VALUE}).")
  int columns = 6;

  @Option(names = "--from", paramLabel = "ID", description = "The first row (${DEFAULT-VALUE}).")
  long from;

  @Override
  public void run(Session session) throws IOException {
    OutOfRange.atLeast("rows", rows, 0);
    OutOfRange.atLeast("columns", columns, 0);
    NamedTable table = session.table();
    List<Long> ids = ids(session, table);
    int width = Math.min(columns, table.table().width());
    List<float[]> values = new ArrayList<>();
    for (long id : ids) {
      values.add(java.util.Arrays.copyOf(table.table().row(id), width));
    }
    Asked asked = session.asked();
    session.answer(
        json ->
            json.array("ids", j -> ids.forEach(j::element))
                .array("tokens", j -> ids.forEach(id -> j.element(asked.text(id))))
                .array("values", j -> values.forEach(j::numbers)),
        page -> {
          page.heading(
              "%s: %s × %s"
                  .formatted(
                      table.tensor(),
                      Counted.of(table.table().rows(), "row"),
                      Counted.of(table.table().width(), "column")));
          print(page, asked, ids, values);
        });
  }

  private List<Long> ids(Session session, NamedTable table) throws IOException {
    List<Long> ids = new ArrayList<>();
    if (tokens.isEmpty()) {
      OutOfRange.check("from", from, 0, table.table().rows());
      long end = from + Math.min(rows, table.table().rows() - from);
      for (long id = from; id < end; id++) {
        ids.add(id);
      }
    }
    Asking asking = new Asking(session, table);
    for (String token : tokens) {
      ids.add(asking.named(token).id());
    }
    return ids;
  }

  /** Prints rows as a grid, shaded by sign and size where there is colour. */
  static void print(Page page, Asked asked, List<Long> ids, List<float[]> values) {
    double largest = 0;
    for (float[] row : values) {
      for (float value : row) {
        largest = Float.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
      }
    }
    Grid grid = new Grid();
    for (int r = 0; r < values.size(); r++) {
      float[] row = values.get(r);
      Grid.Cell[] cells = new Grid.Cell[2 + row.length];
      String name = Visible.clipped(asked.name(ids.get(r)), MOST_NAME_COLUMNS);
      cells[0] = Grid.left(name, Style.TOKEN);
      cells[1] = Grid.right("#" + ids.get(r), Style.FAINT);
      for (int c = 0; c < row.length; c++) {
        double share = largest == 0 ? 0 : row[c] / largest;
        cells[2 + c] = Grid.shaded(String.format(Locale.ROOT, "%.4f", row[c]), share);
      }
      grid.row(cells);
    }
    page.grid(grid);
  }
}

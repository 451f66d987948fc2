package dev.rowan.app.cli;

import dev.rowan.app.answers.Asking;
import dev.rowan.core.Counted;
import dev.rowan.core.NamedTable;
import dev.rowan.core.kernel.Exact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The rows of tokens. */
@Command(
    name = "row",
    description = "Print the numbers of tokens' rows.",
    footerHeading = "%nExamples:%n",
    footer = {"  rowan row cat", "  rowan row --all cat dog", "  rowan --json row '#4937'"})
final class RowCommand implements Verb {
  private static final int FIRST_NUMBERS = 24;

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "1..*",
      description = "A word, an exact vocabulary string, or #ID.")
  List<String> tokens = List.of();

  @Option(names = "--all", description = "Print every number, not just the first ones.")
  boolean all;

  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the printer, never compared
  private record Row(
      OptionalLong id,
      String token,
      String title,
      Optional<String> remark,
      Optional<String> respelled,
      int ngrams,
      float[] values) {
    static Row of(Asking.Point word) {
      return new Row(
          OptionalLong.empty(),
          word.tokens().getFirst(),
          word.title(),
          word.remark(),
          word.respelled(),
          word.ngrams(),
          word.values());
    }

    double norm() {
      return Math.sqrt(Exact.dot(values, 0, values, 0, values.length));
    }
  }

  @Override
  public void run(Session session) throws IOException {
    NamedTable table = session.table();
    Asking asking = new Asking(session, table);
    List<Row> rows = new ArrayList<>();
    for (String token : tokens) {
      Optional<Asking.Point> composed = asking.composed(token);
      if (composed.isPresent()) {
        rows.add(Row.of(composed.get()));
        continue;
      }
      Asking.Named named = asking.named(token);
      rows.add(
          new Row(
              OptionalLong.of(named.id()),
              session.asked().text(named.id()),
              "%s #%d".formatted(session.asked().name(named.id()), named.id()),
              named.remark(),
              named.respelled(),
              0,
              table.table().row(named.id())));
    }
    session.answer(
        json -> json.objects("rows", rows, (j, row) -> write(j, row)),
        page -> rows.forEach(row -> print(page, row)));
  }

  private static void write(Json json, Row row) {
    json.text("token", row.token());
    row.id().ifPresentOrElse(id -> json.number("id", id), () -> json.nothing("id"));
    row.respelled().ifPresent(how -> json.text("respelled", how));
    if (row.ngrams() > 0) {
      json.number("ngrams", (long) row.ngrams());
    }
    json.number("norm", row.norm()).numbers("values", row.values());
  }

  private void print(Page page, Row row) {
    page.part()
        .heading(
            "%s: %s, norm %s"
                .formatted(
                    row.title(),
                    Counted.of(row.values().length, "number"),
                    HitRows.number(row.norm())));
    row.remark().ifPresent(page::note);
    int shown = all ? row.values().length : Math.min(FIRST_NUMBERS, row.values().length);
    int inLine = Math.max(1, (page.columns() - 2) / 12);
    inLine = inLine >= 8 ? 8 : inLine >= 6 ? 6 : inLine >= 4 ? 4 : inLine;
    Grid grid = new Grid();
    for (int i = 0; i < shown; i += inLine) {
      Grid.Cell[] cells = new Grid.Cell[Math.min(inLine, shown - i)];
      for (int c = 0; c < cells.length; c++) {
        cells[c] =
            Grid.right(String.format(Locale.ROOT, "%.6f", row.values()[i + c]), Ink.Style.PLAIN);
      }
      grid.row(cells);
    }
    page.grid(grid);
    if (shown < row.values().length) {
      page.note("and %,d more; --all prints them".formatted(row.values().length - shown));
    }
  }
}

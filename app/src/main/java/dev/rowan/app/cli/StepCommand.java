package dev.rowan.app.cli;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OneHot;
import dev.rowan.app.answers.Toy;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Table;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lookup is a multiplication by a one-hot vector, without the multiplying. */
@Command(
    name = "step",
    description = {
      "Multiply a one-hot vector by a table and compare with plain lookup, bit for bit.",
      "Without a token: written out on a toy table of five rows. With one: on the model, all V × d"
          + " products computed. --train shows a few training steps on the toy table."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan step", "  rowan step cat", "  rowan step --train 3"})
final class StepCommand implements Verb {
  private static final Table TOY = Toy.table();

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "0..1",
      description = "A token of the model; a toy table if none is given.")
  @Nullable String token;

  @Option(
      names = "--train",
      paramLabel = "N",
      description = "Take N optimizer steps on the toy table and show which rows move.")
  int steps;

  /** Both ways to a row. */
  @SuppressWarnings("ArrayRecordComponent") // carries numbers to the printer, never compared
  private record Both(Table table, long id, float[] multiplied, float[] lookedUp) {
    static Both of(Table table, long id) {
      return new Both(table, id, OneHot.times(table, id), table.row(id));
    }

    boolean equal() {
      return OneHot.sameBits(multiplied, lookedUp);
    }
  }

  @Override
  public void run(Session session) throws IOException {
    String asked = token;
    OutOfRange.check("train", steps, 0, ToyTraining.MOST_STEPS);
    if (steps > 0 && asked != null) {
      throw new UseException(
          "--train works on the toy table; leave out %s".formatted(Visible.quoted(asked)));
    }
    if (steps > 0) {
      ToyTraining training = ToyTraining.of(TOY, steps);
      session.answer(
          json -> {
            write(json, Both.of(TOY, Toy.ID));
            json.object("training", j -> training.write(j, Toy.TOKENS));
          },
          page -> training.print(page, Toy.TOKENS));
    } else if (asked == null) {
      toy(session);
    } else {
      model(session, asked);
    }
  }

  private static void toy(Session session) throws IOException {
    Both both = Both.of(TOY, Toy.ID);
    NamedTable real = session.table();
    session.answer(
        json -> {
          write(json, both);
          json.object(
              "model",
              j ->
                  j.number("rows", real.table().rows())
                      .number("width", (long) real.table().width())
                      .number("multiplicationsSaved", real.table().parameters()));
        },
        page -> printToy(page, both, real));
  }

  private static void model(Session session, String asked) throws IOException {
    NamedTable table = session.table();
    long id = new Asking(session, table).named(asked).id();
    Both both;
    try (Progress _ = session.progress("multiplying")) {
      both = Both.of(table.table(), id);
    }
    String name = session.asked().name(id);
    session.answer(json -> write(json, both), page -> printModel(page, both, table, name));
  }

  private static void write(Json json, Both both) {
    json.numbers("oneHotTimesTable", both.multiplied())
        .numbers("lookedUp", both.lookedUp())
        .truth("equal", both.equal())
        .number("multiplicationsSaved", both.table().parameters());
  }

  /** Prints the toy table, both ways to one row, and what they cost. */
  static void printToy(Page page, NamedTable real) {
    printToy(page, Both.of(TOY, Toy.ID), real);
  }

  private static void printToy(Page page, Both both, NamedTable real) {
    page.heading(
        "one-hot × E on a toy table: %d tokens, width %d".formatted(TOY.rows(), TOY.width()));
    Grid grid = new Grid();
    for (int id = 0; id < TOY.rows(); id++) {
      float[] row = TOY.row(id);
      Grid.Cell[] cells = new Grid.Cell[3 + row.length];
      boolean hot = id == Toy.ID;
      Style style = hot ? Style.TOKEN : Style.FAINT;
      cells[0] = Grid.left(Toy.TOKENS.get(id), style);
      cells[1] = Grid.right("#" + id, Style.FAINT);
      cells[2] = Grid.right(hot ? "1 ×" : "0 ×", style);
      for (int i = 0; i < row.length; i++) {
        cells[3 + i] = Grid.right(String.format(Locale.ROOT, "%.2f", row[i]), style);
      }
      grid.row(cells);
    }
    result(grid, "sum", "%.2f", both.multiplied());
    result(grid, "lookup", "%.2f", both.lookedUp());
    page.grid(grid);
    page.prose(
        "%s: the sum multiplies %d × %d = %d numbers to copy one row; lookup copies it and multiplies nothing."
            .formatted(
                both.equal() ? "Equal to the last bit" : "NOT EQUAL",
                TOY.rows(),
                TOY.width(),
                TOY.parameters()));
    page.prose(
        "For one token of %s that is %,d × %,d = %,d multiplications saved."
            .formatted(
                real.tensor(),
                real.table().rows(),
                real.table().width(),
                real.table().parameters()));
    page.prose(
        "Training on \"the cat sat\" touches rows #0 #1 #2 alone: the gradient of every other row is"
            + " exactly zero. A token that occurs twice gets both gradients, added.");
  }

  private static void result(Grid grid, String name, String format, float[] values) {
    Grid.Cell[] cells = new Grid.Cell[3 + values.length];
    cells[0] = Grid.left(name, Style.HEADING);
    cells[1] = Grid.left("", Style.PLAIN);
    cells[2] = Grid.right("=", Style.FAINT);
    for (int i = 0; i < values.length; i++) {
      cells[3 + i] = Grid.right(String.format(Locale.ROOT, format, values[i]), Style.HEADING);
    }
    grid.row(cells);
  }

  private static void printModel(Page page, Both both, NamedTable table, String name) {
    page.heading("one-hot(#%d) × %s for %s".formatted(both.id(), table.tensor(), name));
    int shown = Math.min(6, both.lookedUp().length);
    Grid grid = new Grid();
    result(grid, "sum", "%.4f", java.util.Arrays.copyOf(both.multiplied(), shown));
    result(grid, "lookup", "%.4f", java.util.Arrays.copyOf(both.lookedUp(), shown));
    page.grid(grid);
    page.prose(
        both.equal()
            ? "%s equal to the last bit; lookup saved %,d × %,d = %,d multiplications."
                .formatted(
                    both.lookedUp().length == 1
                        ? "The number is"
                        : "All %,d numbers are".formatted(both.lookedUp().length),
                    table.table().rows(),
                    table.table().width(),
                    table.table().parameters())
            : "The two differ in bits: a NaN or an infinity anywhere in the table spoils the sum"
                + " (0 × ∞ is NaN), and the sum turns −0 into 0. Lookup returns the row as stored.");
    page.prose(
        "A gradient for this token touches row #%d alone, %,d of %,d numbers."
            .formatted(both.id(), both.lookedUp().length, table.table().parameters()));
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.TableFigures;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.hub.Inspection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What {@code info} answers, of a model that is here or of one whose headers alone were read.
 *
 * @param path where the model is
 * @param version the commit or the like of a remote model
 */
record InfoAnswer(
    String format,
    Optional<String> architecture,
    TableFigures tables,
    Optional<Vocabulary> vocabulary,
    long rowsWithoutToken,
    String path,
    Optional<String> version,
    List<String> notes) {

  static InfoAnswer of(Lexicon model) {
    return new InfoAnswer(
        model.origin().format(),
        model.origin().architecture(),
        TableFigures.of(model),
        model.vocabulary(),
        model.rowsWithoutToken(),
        model.origin().path().toString(),
        Optional.empty(),
        model.origin().notes());
  }

  static InfoAnswer of(Inspection model) {
    return new InfoAnswer(
        model.format(),
        model.architecture(),
        new TableFigures(
            TableFigures.Size.of(model.input()),
            model.output().map(TableFigures.Size::of),
            model.tie().tie(),
            model.tie().evidence(),
            model.modelParameters()),
        model.vocabulary(),
        model.rowsWithoutToken(),
        model.source(),
        Optional.of(model.version()),
        model.notes());
  }

  void write(Json json) {
    json.text("format", format);
    architecture.ifPresentOrElse(
        a -> json.text("architecture", a), () -> json.nothing("architecture"));
    json.object("input", j -> write(j, tables.input()));
    tables
        .output()
        .ifPresentOrElse(
            output -> json.object("output", j -> write(j, output)), () -> json.nothing("output"));
    tables.tied().ifPresentOrElse(tied -> json.truth("tied", tied), () -> json.nothing("tied"));
    json.text("tiedEvidence", tables.evidence());
    vocabulary.ifPresentOrElse(
        v ->
            json.object(
                "vocabulary",
                j -> j.text("kind", v.spelling().label()).number("size", (long) v.tokens())),
        () -> json.nothing("vocabulary"));
    json.number("rowsWithoutToken", rowsWithoutToken);
    tables
        .model()
        .ifPresentOrElse(
            n -> json.number("modelParameters", n), () -> json.nothing("modelParameters"));
    json.number("shareOfModel", tables.share().orElse(Double.NaN));
    json.text("path", path);
    version.ifPresent(v -> json.text("version", v));
    json.array("notes", j -> notes.forEach(j::element));
  }

  private static void write(Json json, TableFigures.Size table) {
    json.text("tensor", table.tensor())
        .number("rows", table.rows())
        .number("width", table.width())
        .text("dtype", table.dtype())
        .number("parameters", table.parameters())
        .number("bytes", table.bytes());
  }

  void print(Page page) {
    page.heading("%s%s".formatted(architecture.map(a -> a + ", ").orElse(""), format));
    Grid grid = new Grid();
    version.ifPresentOrElse(
        v -> {
          entry(grid, "model", Visible.token(path));
          entry(grid, "version", v.substring(0, Math.min(12, v.length())));
        },
        () -> entry(grid, "file", Visible.token(path).replace("␣", " ")));
    table(grid, "input", tables.input());
    tables.output().ifPresent(output -> table(grid, "output", output));
    entry(grid, "tied", tied(tables.tie()));
    entry(
        grid,
        "tokens",
        vocabulary
            .map(v -> "%,d, %s".formatted(v.tokens(), v.spelling().label()))
            .orElse("no vocabulary found; rows go by #ID"));
    if (rowsWithoutToken > 0) {
      entry(grid, "", Counted.of(rowsWithoutToken, "row has no token", "rows have no token"));
    }
    tables
        .share()
        .ifPresent(share ->
            entry(
                grid,
                "share",
                String.format(
                    Locale.ROOT,
                    "%.1f %% of the model's %,d parameters",
                    100 * share,
                    tables.model().orElseThrow())));
    page.grid(grid);
    page.note("tied: " + tables.evidence());
    notes.forEach(page::note);
  }

  private static void table(Grid grid, String name, TableFigures.Size table) {
    entry(
        grid,
        name,
        "%s × %,d, %s, %s"
            .formatted(
                Counted.of(table.rows(), "row"),
                table.width(),
                table.dtype(),
                InfoCommand.bytes(table.bytes())));
    entry(grid, "", table.tensor());
  }

  private static void entry(Grid grid, String name, String value) {
    grid.row(Grid.left(name, Style.FAINT), Grid.left(value, Style.PLAIN));
  }

  private static String tied(Tie tie) {
    return switch (tie) {
      case TIED -> "yes, the input table serves at the output too";
      case TIED_STORED_TWICE -> "yes, though the file stores the table twice";
      case UNTIED -> "no, the output has a table of its own";
      case NO_OUTPUT -> "there is no output table";
      case UNKNOWN -> "the file does not say";
    };
  }
}

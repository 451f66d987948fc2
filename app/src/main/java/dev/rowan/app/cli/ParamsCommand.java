package dev.rowan.app.cli;

import dev.rowan.analysis.output.TableComparison;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.TableFigures;
import dev.rowan.app.answers.TableFigures.Size;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.hub.Inspection;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the tables cost, and what tying them saves. */
@Command(
    name = "params",
    description = {
      "Show how many of a model's parameters its token tables are, what tying them saves, and how"
          + " input and output rows compare where the file has both."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan params",
      "  rowan params path/to/llama -k 20         tokens whose two rows differ most",
      "  rowan params hf:openai-community/gpt2    reads headers, not tables"
    })
final class ParamsCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Mixin ModelArgument argument = new ModelArgument();

  @Option(
      names = "-k",
      paramLabel = "N",
      description = "How many of the tokens whose two rows differ most (${DEFAULT-VALUE}).")
  int k = 10;

  @Override
  public void run(Session session) throws IOException {
    argument.choose(session);
    NearCommand.checkK(k);
    Optional<Inspection> remote = session.inspection();
    if (remote.isPresent()) {
      Inspection model = remote.get();
      answer(
          session,
          new TableFigures(
              Size.of(model.input()),
              model.output().map(Size::of),
              model.tie().tie(),
              model.tie().evidence(),
              model.modelParameters()),
          null);
      return;
    }
    Lexicon model = session.lexicon();
    TableComparison comparison;
    try (Progress _ = session.progress("comparing the two tables")) {
      comparison = TableFigures.comparison(model, k, session.workers()).orElse(null);
    }
    answer(session, TableFigures.of(model), comparison);
  }

  private static void answer(
      Session session, TableFigures figures, @Nullable TableComparison comparison)
      throws IOException {
    if (comparison == null) {
      session.answer(
          json -> write(json, figures).nothing("comparison"), page -> print(page, figures));
      return;
    }
    Asked asked = session.asked();
    session.answer(
        json -> write(json, figures).object("comparison", j -> write(j, comparison, asked)),
        page -> {
          print(page, figures);
          print(page, comparison, asked);
        });
  }

  private static Json write(Json json, TableFigures f) {
    json.object("input", j -> write(j, f.input()));
    f.output()
        .ifPresentOrElse(
            o -> json.object("output", j -> write(j, o)), () -> json.nothing("output"));
    switch (f.tie()) {
      case TIED, TIED_STORED_TWICE -> json.truth("tied", true);
      case UNTIED -> json.truth("tied", false);
      case NO_OUTPUT, UNKNOWN -> json.nothing("tied");
    }
    json.text("tiedEvidence", f.evidence()).number("tableParameters", f.tables());
    f.model()
        .ifPresentOrElse(
            n -> json.number("modelParameters", n).number("shareOfModel", (double) f.tables() / n),
            () -> json.nothing("modelParameters").nothing("shareOfModel"));
    return json.number("secondTableParameters", f.second().parameters())
        .number("secondTableBytes", f.second().bytes());
  }

  private static void write(Json json, Size size) {
    json.text("tensor", size.tensor())
        .number("rows", size.rows())
        .number("width", size.width())
        .text("dtype", size.dtype())
        .number("parameters", size.parameters())
        .number("bytes", size.bytes());
  }

  private static void write(Json json, TableComparison c, Asked asked) {
    json.text("relation", c.relation().name().toLowerCase(Locale.ROOT))
        .number("rows", c.rows())
        .number("identicalRows", c.identical())
        .number("meanCosine", c.meanCosine())
        .number("medianCosine", c.medianCosine())
        .objects(
            "farthest",
            c.farthest(),
            (j, hit) -> new HitRows(asked).token(j, hit.id()).number("cosine", hit.score()));
  }

  private static void print(Page page, TableFigures f) {
    page.heading("parameters in token tables");
    Grid grid = new Grid();
    size(grid, "input", f.input());
    f.output().ifPresent(output -> size(grid, "output", output));
    f.model()
        .ifPresent(n ->
            row(
                grid,
                "tables of the model",
                f.tables(),
                String.format(Locale.ROOT, "%.1f %% of %,d", 100.0 * f.tables() / n, n)));
    page.grid(grid);
    page.note(saving(f));
    page.note((f.tie() == Tie.UNTIED ? "" : "tied: ") + f.evidence());
  }

  private static String saving(TableFigures f) {
    String second =
        "%s, %s as stored"
            .formatted(
                Counted.of(f.second().parameters(), "parameter"),
                InfoCommand.bytes(f.second().bytes()));
    return switch (f.tie()) {
      case TIED -> "tied: a second table would be " + second;
      case TIED_STORED_TWICE -> "tied, but stored twice: the second copy is " + second;
      case UNTIED -> "not tied: the second table is " + second + ", which tying would save";
      case NO_OUTPUT -> "there is no output table; one would be " + second;
      case UNKNOWN -> "the file does not say whether it is tied; a second table would be " + second;
    };
  }

  private static void size(Grid grid, String name, Size size) {
    row(
        grid,
        name,
        size.parameters(),
        "%s × %,d, %s, %s"
            .formatted(
                Counted.of(size.rows(), "row"),
                size.width(),
                size.dtype(),
                InfoCommand.bytes(size.bytes())));
  }

  private static void row(Grid grid, String name, long number, String remark) {
    grid.entry(name, String.format(Locale.ROOT, "%,d", number), remark);
  }

  private static void print(Page page, TableComparison c, Asked asked) {
    page.gap();
    page.heading("input row against output row: " + c.relation().name().toLowerCase(Locale.ROOT));
    page.note(
        String.format(
            Locale.ROOT,
            "mean cosine %.4f, median %.4f; %,d of %s equal",
            c.meanCosine(),
            c.medianCosine(),
            c.identical(),
            Counted.of(c.rows(), "row is", "rows are")));
    Grid grid = new Grid();
    int rank = 0;
    for (Hit hit : c.farthest()) {
      grid.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.left(Visible.clipped(asked.name(hit.id()), 32), Style.TOKEN),
          Grid.right("#" + hit.id(), Style.FAINT),
          Grid.right(HitRows.number(hit.score()), Style.PLAIN));
    }
    page.grid(grid);
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OutputTable;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Logits;
import dev.rowan.core.Query;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The unembedding: what a vector scores against every row. */
@Command(
    name = "score",
    description = {
      "Show the tokens that a vector h scores highest: logits h·Eᵀ and their probabilities.",
      "h is a token's row of the input table, or a file of numbers. E is the output table; the"
          + " input table where the two are tied, or where the file has no other."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan score cat", "  rowan score -k 20 --vector hidden.txt"})
final class ScoreCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "0..1",
      description = "A word, an exact vocabulary string, or #ID.")
  @Nullable String token;

  @Option(
      names = "--vector",
      paramLabel = "FILE",
      description = "h as text: numbers apart by spaces, commas or lines, brackets ignored.")
  @Nullable Path vector;

  @Option(names = "-k", paramLabel = "N", description = "How many tokens (${DEFAULT-VALUE}).")
  int k = 10;

  @Override
  public void run(Session session) throws IOException {
    NearCommand.checkK(k);
    OutputTable output = output(session);
    String title;
    Query h;
    if (token != null && vector == null) {
      Asking.Point point = new Asking(session, session.lexicon().input()).point(token);
      title = "h = the input row of " + point.title();
      h = point.query().excludingNothing();
    } else if (vector != null && token == null) {
      title = "h = " + vector.getFileName();
      h = VectorFile.read(vector, output.table().table().width());
    } else {
      throw new UseException("score takes either a token or --vector FILE");
    }
    Logits logits;
    try (Progress _ = session.progress("scoring")) {
      logits = Logits.of(session.search(output.table()), h, k);
    }
    Asked asked = session.asked();
    session.answer(
        json ->
            json.objects(
                    "scores",
                    logits.top(),
                    (j, hit) ->
                        new HitRows(asked)
                            .token(j, hit.id())
                            .number("logit", hit.score())
                            .number("probability", logits.probability(hit.score())))
                .number("logSumExp", logits.logSumExp())
                .object("table", j -> j.text("tensor", output.table().tensor()))
                .text("tableReason", output.reason()),
        page -> {
          page.heading(title + ", scored by " + output.table().tensor());
          page.note(output.reason());
          print(page, asked, logits);
        });
  }

  private static OutputTable output(Session session) throws IOException {
    Lexicon model = session.lexicon();
    Globals.TableChoice choice = session.globals().table;
    if (choice == Globals.TableChoice.input) {
      return new OutputTable(model.input(), "the input table, as --table input asks");
    }
    if (choice == Globals.TableChoice.output) {
      return new OutputTable(session.outputTable(), "as --table output asks");
    }
    return OutputTable.of(session);
  }

  private static void print(Page page, Asked asked, Logits logits) {
    Grid grid = new Grid();
    int rank = 0;
    for (Hit hit : logits.top()) {
      double probability = logits.probability(hit.score());
      grid.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.left(Visible.clipped(asked.name(hit.id()), 32), Style.TOKEN),
          Grid.right("#" + hit.id(), Style.FAINT),
          Grid.right(HitRows.number(hit.score()), Style.PLAIN),
          Grid.right(percent(probability), Style.PLAIN),
          Grid.left(Bar.of(probability, 20), Style.BAR));
    }
    page.grid(grid);
  }

  private static String percent(double probability) {
    double percent = 100 * probability;
    String format = percent >= 1 ? "%.2f %%" : percent >= 0.0001 ? "%.4f %%" : "%.1e %%";
    return String.format(Locale.ROOT, format, percent);
  }
}

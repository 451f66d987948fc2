package dev.rowan.app.cli;

import dev.rowan.app.answers.Arithmetic;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Analogy;
import dev.rowan.core.Expression;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arithmetic on rows. */
@Command(
    name = "analogy",
    description = {
      "Show what rows lie nearest to A - B + C, with and without the inputs, and where the answer"
          + " stood before any arithmetic."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan analogy king - man + woman",
      "  rowan analogy \"paris - france + germany\"",
      "  rowan analogy --unit king - man + woman     rows scaled to unit norm first",
      "  rowan analogy \"0.5*cat + 0.5*dog\""
    })
final class AnalogyCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "A - B + C",
      arity = "1..*",
      description = "Tokens with + or - between them, as one argument or several.")
  List<String> words = List.of();

  @Option(names = "-k", paramLabel = "N", description = "How many rows to list (${DEFAULT-VALUE}).")
  int k = 5;

  @Option(names = "--unit", description = "Scale rows to unit norm first (gensim's rule).")
  boolean unit;

  @Override
  public void run(Session session) throws IOException {
    NearCommand.checkK(k);
    NamedTable table = session.table();
    Asked asked = session.asked();
    Arithmetic arithmetic = Arithmetic.of(words, new Asking(session, table), asked);
    Expression.Inputs inputs = unit ? Expression.Inputs.UNIT : Expression.Inputs.AS_STORED;
    Analogy analogy;
    try (Progress _ = session.progress("searching")) {
      int most = (int) Math.min(k, table.table().rows());
      analogy = Analogy.of(session.search(table), arithmetic.expression(), inputs, most);
    }
    HitRows rows = new HitRows(asked);
    session.answer(
        json -> HitRows.inputs(write(json, rows, analogy), arithmetic.inputs()),
        page -> {
          page.heading("%s%s, by cosine".formatted(arithmetic.title(), unit ? " (unit rows)" : ""));
          arithmetic.remark().ifPresent(page::note);
          print(page, rows, asked, arithmetic, analogy);
        });
  }

  private static Json write(Json json, HitRows rows, Analogy analogy) {
    rows.write(json, "raw", analogy.raw());
    rows.write(json, "excludingInputs", analogy.excludingInputs());
    analogy
        .answer()
        .ifPresentOrElse(
            answer ->
                json.object(
                    "answer",
                    j ->
                        rows.token(j, answer.hit().id())
                            .number("score", answer.hit().score())
                            .number("scoreBefore", answer.scoreBefore())
                            .number("rankBefore", answer.rankBefore())),
            () -> json.nothing("answer"));
    return json.number("baseline", analogy.baseline());
  }

  /** Prints both rankings and where the answer stood before. */
  static void print(Page page, HitRows rows, Asked asked, Arithmetic arithmetic, Analogy analogy) {
    page.line("  " + page.paint(Style.FAINT, "raw, the inputs among the answers"));
    rows.cosines(page, analogy.raw(), analogy.baseline());
    page.line("  " + page.paint(Style.FAINT, "excluding inputs"));
    rows.cosines(page, analogy.excludingInputs(), analogy.baseline());
    analogy.answer().ifPresent(answer -> page.prose(verdict(asked, arithmetic, analogy, answer)));
  }

  private static String verdict(
      Asked asked, Arithmetic arithmetic, Analogy analogy, Analogy.Answer answer) {
    String before =
        "Before any arithmetic, %s was neighbour %,d of %s with cosine %s; now it has %s."
            .formatted(
                asked.only(answer.hit().id()),
                answer.rankBefore(),
                arithmetic.start(),
                HitRows.number(answer.scoreBefore()),
                HitRows.number(answer.hit().score()));
    if (analogy.raw().isEmpty() || !arithmetic.ids().contains(analogy.raw().getFirst().id())) {
      return before;
    }
    return "The nearest row is %s, an input. %s"
        .formatted(asked.only(analogy.raw().getFirst().id()), before);
  }
}

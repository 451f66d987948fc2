package dev.rowan.app.cli;

import dev.rowan.analysis.compare.OddOneOut;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Hit;
import dev.rowan.core.NamedTable;
import dev.rowan.text.Resolution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which of some tokens goes least with the others. */
@Command(
    name = "doesnt-match",
    description = {
      "Show which row goes least with the others: the one with the lowest cosine with the mean of"
          + " all of them at unit norm (gensim's rule). Words that are no token are left out and"
          + " named."
    },
    footerHeading = "%nExamples:%n",
    footer = "  rowan doesnt-match breakfast lunch dinner car")
final class DoesntMatchCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "2..*",
      description = "Words, exact vocabulary strings, or #ID.")
  List<String> tokens = List.of();

  @Override
  public void run(Session session) throws IOException {
    NamedTable table = session.table();
    Asked asked = session.asked();
    List<Long> ids = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String token : tokens) {
      if (session.resolve(token, table) instanceof Resolution.Single single) {
        ids.add(single.token().id());
      } else {
        left.add(token);
        session.remark("%s is no single token and is left out".formatted(Visible.quoted(token)));
      }
    }
    if (ids.size() < 2) {
      throw new UseException(
          "%d of the %d words %s a token; it takes two or more"
              .formatted(ids.size(), tokens.size(), ids.size() == 1 ? "is" : "are"));
    }
    OddOneOut odd = OddOneOut.of(table.table(), ids.stream().mapToLong(Long::longValue).toArray());
    double baseline;
    try (Progress _ = session.progress("reading every row")) {
      baseline = table.table().statistics(session.workers()).meanCosine();
    }
    HitRows rows = new HitRows(asked);
    session.answer(
        json -> {
          json.object(
              "answer",
              j ->
                  rows.token(j, odd.ranked().getFirst().id())
                      .number("score", odd.ranked().getFirst().score()));
          rows.write(json, "ranked", odd.ranked())
              .array("leftOut", j -> left.forEach(j::element))
              .number("baseline", baseline);
        },
        page -> print(page, asked, odd.ranked(), baseline));
  }

  private static void print(Page page, Asked asked, List<Hit> ranked, double baseline) {
    page.heading(
        "%s #%d goes least with the others"
            .formatted(asked.name(ranked.getFirst().id()), ranked.getFirst().id()));
    Grid grid = new Grid();
    for (Hit hit : ranked) {
      grid.row(
          Grid.left(asked.name(hit.id()), Style.TOKEN),
          Grid.right("#" + hit.id(), Style.FAINT),
          Grid.right(HitRows.number(hit.score()), Style.PLAIN));
    }
    page.grid(grid);
    page.note(
        "cosine with the mean of all %d, itself among them; two rows of this table have %s on average"
            .formatted(ranked.size(), HitRows.number(baseline)));
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.Neighbours;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Neighbours of tokens. */
@Command(
    name = "near",
    description =
        "Show the rows closest to a token's row, beside what two rows are worth on average.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan near cat",
      "  rowan near -k 5 cat dog three       several in one pass over the table",
      "  rowan near '#4937'                  by id",
      "  rowan near --metric dot king",
      "  rowan near --mean kittenish         a word of several tokens, as the mean of its rows"
    })
final class NearCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "1..*",
      description = "A word, an exact vocabulary string, or #ID.")
  List<String> tokens = List.of();

  @Option(names = "-k", paramLabel = "N", description = "How many neighbours (${DEFAULT-VALUE}).")
  int k = 10;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description = "cosine, dot or euclidean (${DEFAULT-VALUE}).")
  MetricName metric = MetricName.cosine;

  @Option(
      names = "--mean",
      description = "For a word of several tokens, use the mean of their rows.")
  boolean mean;

  /** How rows are compared, as typed and as written in JSON. */
  enum MetricName {
    cosine(Metric.COSINE, "cosine"),
    dot(Metric.DOT, "dot product"),
    euclidean(Metric.EUCLIDEAN, "Euclidean distance, with a minus so that larger is closer");

    private final Metric metric;
    private final String label;

    MetricName(Metric metric, String label) {
      this.metric = metric;
      this.label = label;
    }
  }

  @Override
  public void run(Session session) throws IOException {
    checkK(k);
    NamedTable table = session.table();
    Asking asking = new Asking(session, table);
    List<Asking.Point> points = new ArrayList<>();
    for (String token : tokens) {
      points.add(mean ? asking.pointOrMean(token) : asking.point(token));
    }
    if (k > table.table().rows()) {
      session.remark(
          "-k %d is more than the table's %,d rows; listing all"
              .formatted(k, table.table().rows()));
    }
    Neighbours near;
    try (Progress _ = session.progress("searching")) {
      near = Neighbours.of(session.search(table), points, metric.metric, k);
    }
    HitRows rows = new HitRows(session.asked());
    session.answer(
        json ->
            json.objects("results", near.results(), (j, r) -> write(j, rows, r, near.baseline())),
        page -> near.results().forEach(r -> print(page, rows, r, near.baseline())));
  }

  /** Checks how many rows were asked for. */
  static void checkK(int k) {
    if (k < 0) {
      throw new UseException("-k %d: it takes 0 or more".formatted(k));
    }
  }

  private void write(Json json, HitRows rows, Neighbours.Result result, double baseline) {
    json.object("query", j -> write(j, result.point()))
        .text("metric", metric.name())
        .number("baseline", baseline);
    rows.write(json, "neighbours", result.hits());
  }

  private static void write(Json json, Asking.Point point) {
    json.text("token", String.join(" ", point.tokens()));
    if (point.ids().size() == 1) {
      json.number("id", point.id());
    } else {
      json.nothing("id");
      json.array("meanOf", j -> point.ids().forEach(j::element));
    }
  }

  private void print(Page page, HitRows rows, Neighbours.Result result, double baseline) {
    page.part().heading("%s by %s".formatted(result.point().title(), metric.label));
    result.point().remark().ifPresent(page::note);
    rows.scores(page, result.hits(), metric.metric, baseline);
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.Centring;
import dev.rowan.app.answers.Neighbours;
import dev.rowan.app.answers.TokenFilter;
import dev.rowan.app.answers.Variants;
import dev.rowan.core.Counted;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
      "  rowan near --mean kittenish         a word of several tokens: their mean",
      "  rowan near --centered cat           seen from the mean row",
      "  rowan near --filter '^[a-z]{7,}$' king"
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

  @Option(
      names = "--centered",
      description = "Take the mean row away from every row first: angles seen from the middle.")
  boolean centered;

  @Option(
      names = "--fold-case",
      description = "List a word once, however its case or the place in a word is written.")
  boolean foldCase;

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description = "List only tokens in which this regular expression is found.")
  @Nullable String filter;

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
    if (centered) {
      table = new NamedTable(table.tensor(), Centring.of(table.table(), session.workers()));
    }
    Asking asking = new Asking(session, table);
    List<Asking.Point> points = new ArrayList<>();
    for (String token : tokens) {
      points.add(mean ? asking.pointOrMean(token) : asking.point(token));
    }
    long candidates = table.table().rows();
    Scope scope = Scope.all();
    String expression = filter;
    if (expression != null) {
      long[] ids =
          TokenFilter.matching(session.lexicon(), table.table(), expression, TokenFilter.MOST);
      scope = Scope.of(ids);
      candidates = ids.length;
    }
    if (expression != null && candidates == 0) {
      session.remark("no token matches --filter " + Visible.quoted(expression));
    } else if (k > candidates) {
      session.remark(
          "-k %d is more than the %s; listing all"
              .formatted(k, Counted.of(candidates, "row there is", "rows there are")));
      long spoiled = table.table().statistics(session.workers()).nonFiniteRows();
      if (spoiled > 0) {
        session.remark(neverRank(spoiled));
      }
    }
    List<Answer> answers;
    double baseline;
    try (Progress _ = session.progress("searching")) {
      answers = answers(session, session.search(table), points, scope);
      baseline = table.table().statistics(session.workers()).meanCosine();
    }
    HitRows rows = new HitRows(session.asked());
    session.answer(
        json -> json.objects("results", answers, (j, r) -> write(j, rows, r, baseline)),
        page -> answers.forEach(r -> print(page, rows, r, baseline)));
  }

  private static String neverRank(long rows) {
    return "%,d %s a NaN or an infinity and never %s; \"rowan audit\" lists them"
        .formatted(rows, rows == 1 ? "row holds" : "rows hold", rows == 1 ? "ranks" : "rank");
  }

  private List<Answer> answers(
      Session session, Search search, List<Asking.Point> points, Scope scope) throws IOException {
    if (!foldCase) {
      return Neighbours.of(search, points, metric.metric, k, scope).results().stream()
          .map(Answer::of)
          .toList();
    }
    List<Answer> answers = new ArrayList<>();
    for (Asking.Point point : points) {
      answers.add(
          new Answer(
              point, Variants.nearest(session.lexicon(), search, point, metric.metric, k, scope)));
    }
    return answers;
  }

  /** What lies close to one point, each word with its other rows. */
  private record Answer(Asking.Point point, List<Variants.Word> words) {
    static Answer of(Neighbours.Result result) {
      return new Answer(
          result.point(),
          result.hits().stream().map(hit -> new Variants.Word(hit, List.of())).toList());
    }

    List<Hit> hits() {
      return words.stream().map(Variants.Word::hit).toList();
    }
  }

  /** Checks how many rows were asked for. */
  static void checkK(int k) {
    OutOfRange.atLeast("k", k, 0);
  }

  private void write(Json json, HitRows rows, Answer result, double baseline) {
    json.object("query", j -> HitRows.point(j, result.point()))
        .text("metric", metric.name())
        .number("baseline", metric.metric == Metric.COSINE ? baseline : Double.NaN);
    if (centered) {
      json.truth("centered", true);
    }
    if (foldCase) {
      json.objects(
          "neighbours",
          result.words(),
          (j, word) ->
              rows.write(
                  rows.token(j, word.hit().id()).number("score", word.hit().score()),
                  "variants",
                  word.others()));
    } else {
      rows.write(json, "neighbours", result.hits());
    }
  }

  private void print(Page page, HitRows rows, Answer result, double baseline) {
    page.part()
        .heading(
            "%s by %s%s"
                .formatted(
                    result.point().title(),
                    metric.label,
                    centered ? ", rows less their mean" : ""));
    result.point().remark().ifPresent(page::note);
    if (metric.metric == Metric.COSINE && isZero(result.point().query())) {
      page.note("the row is zero, so its cosine with every row is 0: these are the first rows");
    }
    rows.scores(page, result.hits(), metric.metric, baseline);
    long others = result.words().stream().mapToLong(word -> word.others().size()).sum();
    if (others > 0) {
      page.note("%,d further rows are the same words in another case or place".formatted(others));
    }
  }

  private static boolean isZero(Query query) {
    return Arrays.stream(query.vector()).allMatch(x -> x == 0);
  }
}

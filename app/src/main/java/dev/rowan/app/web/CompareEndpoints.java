package dev.rowan.app.web;

import dev.rowan.analysis.compare.Differ;
import dev.rowan.analysis.compare.SharedRows;
import dev.rowan.analysis.compare.TableDiff;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.Shown;
import dev.rowan.app.web.ServedModel.Token;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two models over the tokens they share. */
final class CompareEndpoints {
  private static final int MOST_KEPT = 4; // pairs of models

  private final ServedModels models;
  private final Map<Pair, SharedRows> shared = new LinkedHashMap<>();

  CompareEndpoints(ServedModels models) {
    this.models = models;
  }

  /** Two models. */
  private record Pair(ServedModel a, ServedModel b) {}

  /** One of the two. */
  record Side(String model, String tensor, long rows, long width) {}

  /** How far rows are from their counterparts. */
  record Apart(double meanCosine, double relativeDistance) {
    static Apart of(TableDiff.Movement movement) {
      return new Apart(movement.meanCosine(), movement.distance());
    }
  }

  /** The mean share of a row's nearest rows that are the same tokens in both. */
  record Overlap(double share, int k, int rows) {}

  /** Some rows with ids next to each other. */
  record BandApart(
      long from, long to, long rows, long equalRows, double meanCosine, double alignedCosine) {}

  /** A row that moved. */
  record MovedRow(String token, long id, long idInB, double cosine) {}

  /** A token that kept few of its neighbours. */
  record StrayedToken(String token, long id, long idInB, double overlap) {}

  /**
   * How two tables differ; the members are those of the command line's diff.
   *
   * @param asStored null where the widths differ, since columns then mean different things
   */
  record Compared(
      Side a,
      Side b,
      long shared,
      long onlyInA,
      long onlyInB,
      List<Token> onlyInATokens,
      List<Token> onlyInBTokens,
      long comparedRows,
      long equalRows,
      Optional<Apart> asStored,
      Apart aligned,
      long alignmentRank,
      Overlap neighbourOverlap,
      List<BandApart> bands,
      List<MovedRow> moved,
      List<StrayedToken> strayed) {}

  /**
   * A neighbour on one side.
   *
   * @param both whether the same token is listed on the other side
   */
  record NearShared(String token, long id, double score, boolean both) {}

  /** The neighbours of a token in one model, among the tokens that both have. */
  record NearSide(String model, long id, double baseline, List<NearShared> neighbours) {}

  /**
   * The neighbours of a token in both.
   *
   * @param overlap the share of those on one side that are on the other
   * @param respelled how the token was, if its row is that of another case or of no accents
   */
  record NearBoth(
      String token,
      NearSide a,
      NearSide b,
      double overlap,
      long shared,
      Optional<String> remark,
      Optional<String> respelled) {}

  List<Endpoint> all() {
    Parameter other =
        Parameter.text("other", 1000, "The model to compare with, a name out of /api/v1/models.");
    return List.of(
        Endpoint.of(
            Api.ROOT + "compare",
            "Compares two models while the connection lasts: the command line's diff. Events:"
                + " compare, failed, done.",
            List.of(
                Api.model(),
                other,
                Parameter.whole("bands", 5, 1, 1000, "Bands of ids to tell apart."),
                Parameter.whole("k", 10, 1, 1000, "Neighbours to compare, and rows to list."),
                Parameter.whole(
                    "seed", 42, 0, Long.MAX_VALUE, "Of the rows whose neighbours are compared.")),
            Endpoint.EVENTS,
            Optional.of(Compared.class),
            this::compare),
        Endpoint.json(
            Api.ROOT + "compare/near",
            "A token's neighbours by cosine in two models, among the tokens that both have.",
            NearBoth.class,
            this::near,
            Api.model(),
            other,
            Api.token(1),
            Parameter.whole("k", 10, 1, 1000, "How many neighbours.")));
  }

  private Pair pair(Question question) throws IOException {
    ServedModel a = models.model(question.optionalText("model"));
    ServedModel b = models.model(Optional.of(question.text("other")));
    if (a == b) {
      throw new Refusal(400, "both are %s; name two models".formatted(Shown.quoted(a.name())));
    }
    return new Pair(a, b);
  }

  private SharedRows shared(Pair pair) throws IOException {
    synchronized (shared) {
      SharedRows known = shared.get(pair);
      if (known == null) {
        known =
            SharedRows.of(
                pair.a().lexicon(),
                pair.a().table().table(),
                pair.b().lexicon(),
                pair.b().table().table());
        if (shared.size() >= MOST_KEPT) {
          shared.remove(shared.keySet().iterator().next());
        }
        shared.put(pair, known);
      }
      return known;
    }
  }

  private Answer compare(Question question) throws IOException {
    Pair pair = pair(question);
    int k = (int) question.whole("k");
    Differ.Settings settings =
        new Differ.Settings((int) question.whole("bands"), k, k, question.whole("seed"));
    return new Answer.Events(listener -> {
      SharedRows rows = shared(pair);
      TableDiff diff =
          Differ.diff(
              pair.a().table().table(),
              pair.b().table().table(),
              rows,
              settings,
              pair.a().workers());
      listener.event("compare", compared(pair, rows, diff));
    });
  }

  private static Compared compared(Pair pair, SharedRows rows, TableDiff diff) throws IOException {
    ServedModel a = pair.a();
    List<BandApart> bands = new ArrayList<>();
    for (TableDiff.Band band : diff.bands()) {
      bands.add(
          new BandApart(
              band.from(),
              band.to(),
              band.rows(),
              band.equal(),
              band.meanCosine().orElse(Double.NaN),
              band.alignedCosine()));
    }
    List<MovedRow> moved = new ArrayList<>();
    for (TableDiff.Moved row : diff.moved()) {
      long id = row.first().id();
      moved.add(new MovedRow(a.asked().text(id), id, row.second(), row.first().score()));
    }
    List<StrayedToken> strayed = new ArrayList<>();
    for (TableDiff.Strayed row : diff.strayed()) {
      strayed.add(
          new StrayedToken(a.asked().text(row.first()), row.first(), row.second(), row.overlap()));
    }
    return new Compared(
        side(a),
        side(pair.b()),
        rows.first().length,
        rows.missing(),
        rows.added(),
        tokens(a, rows.missingIds()),
        tokens(pair.b(), rows.addedIds()),
        diff.comparedRows(),
        diff.equalRows(),
        diff.asStored().map(Apart::of),
        Apart.of(diff.aligned()),
        diff.rank(),
        new Overlap(diff.neighbourOverlap(), diff.neighbours(), diff.askedRows()),
        bands,
        moved,
        strayed);
  }

  private static Side side(ServedModel model) throws IOException {
    Table table = model.table().table();
    return new Side(model.name(), model.table().tensor(), table.rows(), table.width());
  }

  private static List<Token> tokens(ServedModel model, List<Long> ids) throws IOException {
    List<Token> tokens = new ArrayList<>();
    for (long id : ids) {
      tokens.add(model.token(id));
    }
    return tokens;
  }

  private NearBoth near(Question question) throws IOException {
    Pair pair = pair(question);
    SharedRows rows = shared(pair);
    Asking.Named named = new Asking(pair.a(), pair.a().table()).named(question.text("token"));
    int place = Arrays.binarySearch(rows.first(), named.id());
    if (place < 0) {
      throw new Refusal(
          404,
          "%s is no token of %s"
              .formatted(
                  Shown.quoted(pair.a().asked().text(named.id())), Shown.quoted(pair.b().name())));
    }
    int k = (int) Math.min(question.whole("k"), Math.max(1, rows.first().length - 1L));
    long other = rows.second()[place];
    List<Hit> inA = nearest(pair.a(), named.id(), rows.first(), k);
    List<Hit> inB = nearest(pair.b(), other, rows.second(), k);
    Map<Long, Long> toB = new HashMap<>();
    for (Hit hit : inA) {
      toB.put(rows.second()[Arrays.binarySearch(rows.first(), hit.id())], hit.id());
    }
    List<Long> idsInB = inB.stream().map(Hit::id).toList();
    List<Long> both = idsInB.stream().filter(toB::containsKey).toList();
    List<Long> bothInA = both.stream().map(toB::get).toList();
    return new NearBoth(
        pair.a().asked().text(named.id()),
        side(pair.a(), named.id(), inA, bothInA),
        side(pair.b(), other, inB, both),
        inA.isEmpty() ? Double.NaN : (double) both.size() / inA.size(),
        rows.first().length,
        named.remark(),
        named.respelled());
  }

  private static List<Hit> nearest(ServedModel model, long id, long[] among, int k)
      throws IOException {
    Query query = Query.row(model.table().table(), id);
    Scope scope = among.length == model.table().table().rows() ? Scope.all() : Scope.of(among);
    return model.search(model.table()).nearest(List.of(query), Metric.COSINE, k, scope).getFirst();
  }

  private static NearSide side(ServedModel model, long id, List<Hit> hits, List<Long> both)
      throws IOException {
    List<NearShared> near = new ArrayList<>();
    for (Hit hit : hits) {
      near.add(
          new NearShared(
              model.asked().text(hit.id()), hit.id(), hit.score(), both.contains(hit.id())));
    }
    return new NearSide(
        model.name(), id, model.table().table().statistics(model.workers()).meanCosine(), near);
  }
}

package dev.rowan.app.web;

import dev.rowan.analysis.compare.Likeness;
import dev.rowan.analysis.compare.OddOneOut;
import dev.rowan.analysis.geometry.PairCosines;
import dev.rowan.analysis.geometry.TableGeometry;
import dev.rowan.analysis.output.TableComparison;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.Leaning;
import dev.rowan.app.answers.TableFigures;
import dev.rowan.app.web.NeighbourEndpoints.Scored;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.text.Resolution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** How rows lie among each other: stats, similar, doesnt-match and params of the command line. */
final class GeometryEndpoints {
  private static final TableGeometry.Settings SETTINGS =
      new TableGeometry.Settings(3, -1, 2048, 42); // as stats has them
  private static final int DIFFERING = 10;

  private final ServedModels models;
  private final Map<ServedModel, Geometry> known = new ConcurrentHashMap<>();

  GeometryEndpoints(ServedModels models) {
    this.models = models;
  }

  /** How the cosines of pairs of rows are spread: what so many percent do not reach. */
  record PairSpread(
      double mean,
      double deviation,
      double p1,
      double p5,
      double p25,
      double p50,
      double p75,
      double p95,
      double p99) {
    static PairSpread of(PairCosines c) {
      double[] q = c.quantiles();
      return new PairSpread(c.mean(), c.deviation(), q[0], q[1], q[2], q[3], q[4], q[5], q[6]);
    }
  }

  /** A direction and the tokens whose rows reach farthest along it, both ways. */
  record Direction(double share, List<Scored> forward, List<Scored> backward) {}

  /**
   * The geometry of a table; the members are those of the command line's stats.
   *
   * @param directionRows how many rows the directions are from
   * @param sampledRows how many rows the spread of cosines is from, drawn with {@code seed}
   */
  record Geometry(
      double normP5,
      double normP50,
      double normP95,
      double spearmanWithId,
      double meanRowNorm,
      double effectiveRank,
      double meanCosineCentered,
      double meanCosineWithoutTop,
      long sampledRows,
      long seed,
      long removedDirections,
      PairSpread asStored,
      PairSpread centered,
      PairSpread withoutTopDirections,
      List<Direction> topDirections,
      long directionRows) {}

  /**
   * One of two tokens.
   *
   * @param id its row; null for a word that has none
   * @param remark how the word was taken, where there was a choice, or that it has no row
   * @param respelled how, if its row is that of another case or of no accents
   */
  record Likened(
      String token, OptionalLong id, Optional<String> remark, Optional<String> respelled) {
    static Likened of(Asking.Point point) {
      return new Likened(point.tokens().getFirst(), point.id(), point.remark(), point.respelled());
    }
  }

  /** How alike two tokens are. */
  record Alike(
      Likened a,
      Likened b,
      double cosine,
      double baseline,
      double dot,
      double distance,
      long rankFromA,
      long rankFromB) {}

  /** Tokens by their cosine with the mean of all, the odd one first. */
  record Odd(List<Scored> ranked, List<String> leftOut, double baseline) {}

  /** How the rows of the input and the output table compare. */
  record TablesApart(
      String relation,
      long rows,
      long identicalRows,
      double meanCosine,
      double medianCosine,
      List<Scored> farthest) {}

  /** What the tables cost, and what tying saves. */
  record Params(
      long tableParameters,
      OptionalLong modelParameters,
      Optional<Double> shareOfModel,
      long secondTableParameters,
      long secondTableBytes,
      Optional<TablesApart> comparison) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.of(
            Api.ROOT + "geometry",
            "How rows lie in space, found while the connection lasts. Events: geometry, failed,"
                + " done.",
            List.of(Api.model()),
            Endpoint.EVENTS,
            Optional.of(Geometry.class),
            this::geometry),
        Endpoint.json(
            Api.ROOT + "similar",
            "How alike two tokens are, and how much that is in this table.",
            Alike.class,
            this::similar,
            Api.model(),
            Api.token(2)),
        Endpoint.json(
            Api.ROOT + "doesnt-match",
            "Which token goes least with the others: the lowest cosine with the mean of all.",
            Odd.class,
            this::odd,
            Api.model(),
            Api.token(16)),
        Endpoint.json(
            Api.ROOT + "params",
            "What the tables cost, what tying saves, and how the two tables compare.",
            Params.class,
            this::params,
            Api.model()));
  }

  private Answer geometry(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    return new Answer.Events(listener -> {
      Geometry found = known.get(served);
      if (found == null) {
        found = measured(served);
        known.put(served, found);
      }
      listener.event("geometry", found);
    });
  }

  private static Geometry measured(ServedModel served) throws IOException {
    NamedTable table = served.table();
    TableGeometry g = TableGeometry.of(table.table(), SETTINGS, served.workers());
    List<Direction> directions = new ArrayList<>();
    for (Leaning l : Leaning.of(served.search(table), g.pca(), SETTINGS.directions())) {
      directions.add(
          new Direction(
              l.share(), Scored.of(served, l.forward()), Scored.of(served, l.backward())));
    }
    return new Geometry(
        g.normQuantiles()[0],
        g.normQuantiles()[1],
        g.normQuantiles()[2],
        g.normByOrder(),
        g.meanRowNorm(),
        g.effectiveRank(),
        g.centredMean(),
        g.withoutTopMean(),
        g.sampledRows(),
        SETTINGS.seed(),
        g.removed(),
        PairSpread.of(g.asStored()),
        PairSpread.of(g.centred()),
        PairSpread.of(g.withoutTop()),
        directions,
        g.pca().rows());
  }

  private Alike similar(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    if (question.texts("token").size() != 2) {
      throw new Refusal(400, "it takes two tokens to compare; give token twice");
    }
    Asking asking = new Asking(served, served.table());
    Asking.Point a = asking.point(question.texts("token").get(0));
    Asking.Point b = asking.point(question.texts("token").get(1));
    Likeness alike =
        Likeness.of(
            served.search(served.table()),
            new Likeness.Side(a.query(), a.id()),
            new Likeness.Side(b.query(), b.id()));
    return new Alike(
        Likened.of(a),
        Likened.of(b),
        alike.cosine(),
        alike.baseline(),
        alike.dot(),
        alike.distance(),
        alike.rankFromFirst(),
        alike.rankFromSecond());
  }

  private Odd odd(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    NamedTable table = served.table();
    List<Long> ids = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (String token : question.texts("token")) {
      if (served.resolve(token, table) instanceof Resolution.Single single) {
        ids.add(single.token().id());
      } else {
        leftOut.add(token);
      }
    }
    if (ids.size() < 2) {
      throw new Refusal(400, "fewer than two of the words are tokens; it takes two or more");
    }
    OddOneOut odd = OddOneOut.of(table.table(), ids.stream().mapToLong(Long::longValue).toArray());
    return new Odd(
        Scored.of(served, odd.ranked()),
        leftOut,
        table.table().statistics(served.workers()).meanCosine());
  }

  private Params params(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Lexicon model = served.lexicon();
    TableFigures figures = TableFigures.of(model);
    OptionalLong all = figures.model();
    Optional<TableComparison> comparison =
        TableFigures.comparison(model, DIFFERING, served.workers());
    return new Params(
        figures.tables(),
        all,
        all.isPresent() && all.getAsLong() > 0
            ? Optional.of((double) figures.tables() / all.getAsLong())
            : Optional.empty(),
        figures.second().parameters(),
        figures.second().bytes(),
        comparison.isPresent() ? Optional.of(apart(served, comparison.get())) : Optional.empty());
  }

  private static TablesApart apart(ServedModel served, TableComparison c) throws IOException {
    return new TablesApart(
        c.relation().name().toLowerCase(Locale.ROOT),
        c.rows(),
        c.identical(),
        c.meanCosine(),
        c.medianCosine(),
        Scored.of(served, c.farthest()));
  }
}

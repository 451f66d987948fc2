package dev.rowan.analysis.map;

import dev.rowan.analysis.map.TsneSettings.Repulsion;
import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Draws maps of the rows of a table.
 *
 * {@snippet :
 * TableMap map = Mapper.over(table, workers).map(TsneSettings.defaults(), ids);
 * }
 *
 * <p>Rows that are not finite, and zero rows under cosine, have no place and are reported. Safe for
 * any number of threads. An interrupt of the calling thread ends the work within an iteration with
 * a {@link java.util.concurrent.CancellationException}.
 */
public final class Mapper {
  private final Table table;
  private final Workers workers;

  private Mapper(Table table, Workers workers) {
    this.table = table;
    this.workers = workers;
  }

  /** Returns a mapper over a table. */
  public static Mapper over(Table table, Workers workers) {
    return new Mapper(Objects.requireNonNull(table), Objects.requireNonNull(workers));
  }

  /** Maps rows. As {@link #map(MapMethod, MapListener, long...)}. */
  public TableMap map(MapMethod method, long... ids) {
    return map(method, MapListener.NONE, ids);
  }

  /**
   * Maps rows.
   *
   * @param ids which, in any order; one that comes again is drawn once
   * @throws IndexOutOfBoundsException if an id is not in [0, V)
   * @throws IllegalArgumentException if no row, or more than 10,000,000, would be on the map
   */
  public TableMap map(MapMethod method, MapListener listener, long... ids) {
    return map(method, listener, MapPoints.of(table, ids, method.metric(), workers));
  }

  /** Maps all rows. As {@link #map(MapMethod, MapListener, long...)}. */
  public TableMap mapAll(MapMethod method, MapListener listener) {
    return map(method, listener, MapPoints.all(table, method.metric(), workers));
  }

  /**
   * Places new rows on a t-SNE map of this table's rows. The map stays as it is, and a row's place
   * does not depend on what else is placed.
   *
   * @param map by this mapper
   * @param added the table of the new rows, of the same width
   * @param ids which of its rows
   * @throws IllegalArgumentException if the map is not t-SNE's, the widths differ, or no row can be
   *     placed
   * @throws IndexOutOfBoundsException if an id is not in [0, V), of the map or of the new rows
   */
  public MapPlacement place(TableMap map, Table added, long... ids) {
    if (!(map.method() instanceof TsneSettings)) {
      throw new IllegalArgumentException(
          "rows can be placed on a tsne map, not on one by %s; map them together instead"
              .formatted(map.method().label()));
    }
    if (added.width() != table.width()) {
      throw new IllegalArgumentException(
          "the new rows have %d numbers but the table's width is %d"
              .formatted(added.width(), table.width()));
    }
    Metric metric = map.method().metric();
    MapPoints reference = MapPoints.of(table, map.ids(), metric, workers);
    if (reference.count() != map.points()) {
      throw new IllegalArgumentException(
          "%d of the map's %d rows cannot be on a map of this table; it is of another table"
              .formatted(map.points() - reference.count(), map.points()));
    }
    return new Placer(map, reference, workers).place(MapPoints.of(added, ids, metric, workers));
  }

  private TableMap map(MapMethod method, MapListener listener, MapPoints points) {
    return switch (method) {
      case PcaSettings pca -> pca(pca, points);
      case TsneSettings tsne -> tsne(tsne, points, listener);
      case UmapSettings umap -> umap(umap, points, listener);
    };
  }

  private TableMap pca(PcaSettings settings, MapPoints points) {
    Plane plane = Plane.of(points.table(), workers);
    TableMap.Fit fit = new TableMap.Fit.Variance(plane.first(), plane.second());
    return finished(settings, points.notes(), points, plane.x(), plane.y(), fit, null);
  }

  private TableMap tsne(TsneSettings asked, MapPoints points, MapListener listener) {
    List<String> notes = new ArrayList<>(points.notes());
    TsneSettings settings = TsneClamp.clamped(asked, points.count(), notes);
    int most = points.count() - 1;
    boolean isExact = settings.repulsion() instanceof Repulsion.Exact;
    int k = isExact ? most : (int) Math.min(most, Math.floor(3 * settings.perplexity()));
    KnnGraph graph = graph(points, settings, k, listener);
    Affinities affinities = Affinities.of(graph, settings.perplexity(), workers);
    Plane start =
        Plane.of(points.table(), workers).asStart(1e-4, new Noise(settings.seed()).part(1));
    TsneLayout layout =
        new TsneLayout(
            affinities,
            settings.schedule(),
            repulsion(settings.repulsion()),
            workers,
            start.x(),
            start.y());
    layout.run(listener);
    TableMap.Fit fit = new TableMap.Fit.Divergence(layout.kl());
    return finished(settings, notes, points, layout.x(), layout.y(), fit, graph);
  }

  private RepulsiveForces repulsion(Repulsion kind) {
    return switch (kind) {
      case Repulsion.Auto() -> throw new IllegalStateException("clamping left repulsion open");
      case Repulsion.Exact() -> new ExactRepulsion(workers);
      case Repulsion.BarnesHut(double theta) -> new BarnesHutRepulsion(theta, workers);
      case Repulsion.Fourier() -> new FourierRepulsion(workers);
    };
  }

  private TableMap umap(UmapSettings asked, MapPoints points, MapListener listener) {
    List<String> notes = new ArrayList<>(points.notes());
    int n = points.count();
    UmapSettings settings = asked;
    if (n >= 2 && asked.neighbours() > n) {
      notes.add("neighbours %d lowered to the %d points".formatted(asked.neighbours(), n));
      settings = asked.withNeighbours(n);
    }
    if (settings.epochs() == 0) {
      settings = settings.withEpochs(n <= 10_000 ? 500 : 200);
    }
    KnnGraph graph = graph(points, settings, settings.neighbours() - 1, listener);
    Plane plane = Plane.of(points.table(), workers);
    Noise noise = new Noise(settings.seed());
    double[] x = plane.x();
    double[] y = plane.y();
    UmapLayout.start(x, noise.part(4));
    UmapLayout.start(y, noise.part(5));
    UmapLayout layout =
        new UmapLayout(
            UmapLayout.neighbourhoods(graph, workers),
            UmapCurve.of(settings.minDistance()),
            noise.part(1),
            workers,
            x,
            y);
    layout.run(settings.epochs(), listener);
    return finished(settings, notes, points, x, y, new TableMap.Fit.Unstated(), graph);
  }

  private KnnGraph graph(MapPoints points, MapMethod method, int k, MapListener listener) {
    return KnnGraph.of(
        points.table(),
        method.metric(),
        k,
        workers,
        done -> listener.neighbours(done, points.count()));
  }

  private TableMap finished(
      MapMethod method,
      List<String> notes,
      MapPoints points,
      double[] x,
      double[] y,
      TableMap.Fit fit,
      @Nullable KnnGraph graph) {
    MapQuality quality =
        QualityMeasure.of(points.table(), method.metric(), x, y, method.seed(), graph, workers);
    return new TableMap(method, notes, points.ids(), x, y, points.leftOut(), fit, quality);
  }
}

package dev.rowan.analysis.map;

import dev.rowan.core.KnnGraph;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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

  private TableMap map(MapMethod method, MapListener listener, MapPoints points) {
    List<String> notes = new ArrayList<>(points.notes());
    return switch (method) {
      case PcaSettings pca -> pca(pca, points, notes);
      case TsneSettings tsne -> tsne(tsne, points, notes, listener);
    };
  }

  private TableMap pca(PcaSettings settings, MapPoints points, List<String> notes) {
    Plane plane = Plane.of(points.table(), workers);
    return finished(
        settings,
        notes,
        points,
        plane.x(),
        plane.y(),
        new TableMap.Fit.Variance(plane.first(), plane.second()));
  }

  private TableMap tsne(
      TsneSettings asked, MapPoints points, List<String> notes, MapListener listener) {
    TsneSettings settings = TsneClamp.clamped(asked, points.count(), notes);
    int n = points.count();
    boolean isExact = settings.repulsion() instanceof TsneSettings.Repulsion.Exact;
    int k = isExact ? n - 1 : (int) Math.min(n - 1, Math.floor(3 * settings.perplexity()));
    Plane start =
        Plane.of(points.table(), workers).asStart(1e-4, new Noise(settings.seed()).part(1));
    KnnGraph graph =
        KnnGraph.of(
            points.table(),
            settings.metric(),
            k,
            workers,
            done -> listener.neighbours(done, points.count()));
    Affinities affinities = Affinities.of(graph, settings.perplexity(), workers);
    Repulsion repulsion = new ExactRepulsion(workers);
    TsneLayout layout =
        new TsneLayout(affinities, settings.schedule(), repulsion, workers, start.x(), start.y());
    layout.run(listener);
    return finished(
        settings, notes, points, layout.x(), layout.y(), new TableMap.Fit.Divergence(layout.kl()));
  }

  private TableMap finished(
      MapMethod method,
      List<String> notes,
      MapPoints points,
      double[] x,
      double[] y,
      TableMap.Fit fit) {
    MapQuality quality =
        QualityMeasure.of(points.table(), method.metric(), x, y, method.seed(), workers);
    return new TableMap(method, notes, points.ids(), x, y, points.leftOut(), fit, quality);
  }
}

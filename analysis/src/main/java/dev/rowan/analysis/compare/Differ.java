package dev.rowan.analysis.compare;

import dev.rowan.analysis.compare.TableDiff.Band;
import dev.rowan.analysis.compare.TableDiff.Moved;
import dev.rowan.analysis.compare.TableDiff.Movement;
import dev.rowan.analysis.compare.TableDiff.Strayed;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Compares two tables over shared rows.
 *
 * <p>Rows with a NaN or an infinity on either side are left out. The same bits for any number of
 * threads.
 */
public final class Differ {
  /** Numbers of one side that are held at once, as float32. */
  private static final long MOST_NUMBERS = 400_000_000L;

  private static final int CHUNK = 256;

  private final Settings settings;
  private final Workers workers;
  private final long[] firstIds;
  private final long[] secondIds;
  private final Table a; // compared rows, one after the other
  private final Table b;

  /**
   * What to find.
   *
   * @param bands how many bands of ids, 1 to 1000
   * @param top how many of the rows that moved most, and of those that share fewest neighbours, 0
   *     or more
   * @param neighbours how many nearest rows are compared, 1 to 1000
   * @param seed of the rows whose neighbours are compared
   */
  public record Settings(int bands, int top, int neighbours, long seed) {
    /** Rows whose neighbours are compared at most. */
    static final int ASKED = 1000;

    /** Checks the ranges. */
    public Settings {
      OutOfRange.check("bands", bands, 1, 1000);
      OutOfRange.check("neighbours", neighbours, 1, 1000);
      OutOfRange.atLeast("top", top, 0);
    }
  }

  private Differ(Table first, Table second, SharedRows shared, Settings settings, Workers workers) {
    this.settings = settings;
    this.workers = workers;
    int widest = Math.max(first.width(), second.width());
    int stride =
        Math.toIntExact(
            Math.max(1, Math.ceilDiv((long) shared.first().length * widest, MOST_NUMBERS)));
    int[] finite =
        IntStream.range(0, Math.ceilDiv(shared.first().length, stride))
            .map(i -> i * stride)
            .filter(i -> isFinite(first, shared.first()[i]) && isFinite(second, shared.second()[i]))
            .toArray();
    this.firstIds = IntStream.of(finite).mapToLong(i -> shared.first()[i]).toArray();
    this.secondIds = IntStream.of(finite).mapToLong(i -> shared.second()[i]).toArray();
    this.a = copy(first, firstIds);
    this.b = copy(second, secondIds);
  }

  /**
   * Compares.
   *
   * @throws IllegalArgumentException if no shared row is finite on both sides
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static TableDiff diff(
      Table first, Table second, SharedRows shared, Settings settings, Workers workers) {
    Differ differ = new Differ(first, second, shared, settings, workers);
    if (differ.firstIds.length == 0) {
      throw new IllegalArgumentException(
          "the two tables share no token with finite rows; there is nothing to compare");
    }
    return differ.diff();
  }

  private static boolean isFinite(Table table, long id) {
    for (float value : table.row(id)) {
      if (!Float.isFinite(value)) {
        return false;
      }
    }
    return true;
  }

  private static Table copy(Table table, long[] ids) {
    float[] values = new float[Math.multiplyExact(ids.length, table.width())];
    for (int i = 0; i < ids.length; i++) {
      table.copyRow(ids[i], values, i * table.width());
    }
    return Table.of(table.width(), values);
  }

  /** Per row: cosine with the counterpart, squared distance, squared norm of the counterpart. */
  @SuppressWarnings("ArrayRecordComponent") // filled by several threads, never compared
  private record Rows(double[] cosines, double[] distances, double[] norms) {
    static Rows ofSize(int n) {
      return new Rows(new double[n], new double[n], new double[n]);
    }

    void set(int i, double[] x, float[] y) {
      double xy = 0;
      double xx = 0;
      double yy = 0;
      double apart = 0;
      for (int j = 0; j < y.length; j++) {
        xy += x[j] * y[j];
        xx += x[j] * x[j];
        yy += (double) y[j] * y[j];
        apart += (x[j] - y[j]) * (x[j] - y[j]);
      }
      double both = Math.sqrt(xx) * Math.sqrt(yy);
      cosines[i] = both == 0 ? 0 : Math.clamp(xy / both, -1, 1);
      distances[i] = apart;
      norms[i] = yy;
    }

    Movement movement() {
      double distance = Arrays.stream(distances).sum();
      double norm = Arrays.stream(norms).sum();
      return new Movement(
          Arrays.stream(cosines).average().orElse(Double.NaN),
          norm == 0 ? Double.NaN : Math.sqrt(distance / norm));
    }
  }

  private TableDiff diff() {
    int n = firstIds.length;
    boolean same = a.width() == b.width();
    boolean[] equal = new boolean[n];
    Optional<Rows> stored = same ? Optional.of(stored(equal)) : Optional.empty();
    Procrustes rotation = Procrustes.of(products(), a.width(), b.width(), workers);
    Rows aligned = aligned(rotation);
    double[] order = stored.map(Rows::cosines).orElse(aligned.cosines());
    List<Moved> moved =
        IntStream.range(0, n)
            .filter(i -> !equal[i])
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> order[i]).thenComparing(i -> i))
            .limit(settings.top())
            .map(i -> new Moved(new Hit(firstIds[i], order[i]), secondIds[i]))
            .toList();
    int k = Math.min(settings.neighbours(), n - 1);
    long[] asked = asked(n);
    double[] overlaps = k < 1 ? new double[0] : overlaps(asked, k);
    return new TableDiff(
        n,
        IntStream.range(0, n).filter(i -> equal[i]).count(),
        stored.map(Rows::movement),
        aligned.movement(),
        rotation.rank(),
        bands(equal, stored, aligned),
        moved,
        Arrays.stream(overlaps).average().orElse(Double.NaN),
        Math.max(0, k),
        asked.length,
        IntStream.range(0, overlaps.length)
            .filter(i -> overlaps[i] < 1)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> overlaps[i]).thenComparing(i -> i))
            .limit(settings.top())
            .map(i -> new Strayed(firstIds[(int) asked[i]], secondIds[(int) asked[i]], overlaps[i]))
            .toList());
  }

  private Rows stored(boolean[] equal) {
    Rows rows = Rows.ofSize(firstIds.length);
    each((i, x, y) -> {
      equal[i] = Arrays.equals(x, y);
      double[] wide = new double[x.length];
      for (int j = 0; j < x.length; j++) {
        wide[j] = x[j];
      }
      rows.set(i, wide, y);
    });
    return rows;
  }

  private Rows aligned(Procrustes rotation) {
    Rows rows = Rows.ofSize(firstIds.length);
    int width = b.width();
    double[] q = rotation.q();
    each((i, x, y) -> {
      double[] turned = new double[width];
      for (int r = 0; r < x.length; r++) {
        double factor = x[r];
        for (int j = 0; j < width; j++) {
          turned[j] += factor * q[r * width + j];
        }
      }
      rows.set(i, turned, y);
    });
    return rows;
  }

  private interface RowPair {
    void take(int i, float[] x, float[] y);
  }

  private void each(RowPair action) {
    int n = firstIds.length;
    workers.run(
        Math.ceilDiv(n, CHUNK),
        () -> {
          float[] x = new float[a.width()];
          float[] y = new float[b.width()];
          return chunk -> {
            int end = (int) Math.min(n, (chunk + 1) * CHUNK);
            for (int i = (int) chunk * CHUNK; i < end; i++) {
              a.copyRow(i, x, 0);
              b.copyRow(i, y, 0);
              action.take(i, x, y);
            }
          };
        });
  }

  /** Returns AᵀB; workers share out its lines, so that sums keep their order. */
  private double[] products() {
    int width = b.width();
    double[] products = new double[Math.multiplyExact(a.width(), width)];
    int lines = 16;
    workers.run(
        Math.ceilDiv(a.width(), lines),
        () -> {
          float[] x = new float[a.width()];
          float[] y = new float[width];
          return chunk -> {
            int from = (int) chunk * lines;
            int to = Math.min(a.width(), from + lines);
            for (int i = 0; i < firstIds.length; i++) {
              a.copyRow(i, x, 0);
              b.copyRow(i, y, 0);
              for (int r = from; r < to; r++) {
                double factor = x[r];
                int line = r * width;
                for (int j = 0; j < width; j++) {
                  products[line + j] += factor * y[j];
                }
              }
            }
          };
        });
    return products;
  }

  private List<Band> bands(boolean[] equal, Optional<Rows> stored, Rows aligned) {
    int n = firstIds.length;
    int count = Math.min(settings.bands(), n);
    List<Band> bands = new ArrayList<>();
    for (int band = 0; band < count; band++) {
      int from = (int) ((long) n * band / count);
      int to = (int) ((long) n * (band + 1) / count);
      bands.add(
          new Band(
              firstIds[from],
              firstIds[to - 1],
              to - from,
              IntStream.range(from, to).filter(i -> equal[i]).count(),
              stored
                  .map(rows -> OptionalDouble.of(mean(rows.cosines(), from, to)))
                  .orElse(OptionalDouble.empty()),
              mean(aligned.cosines(), from, to)));
    }
    return bands;
  }

  private static double mean(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).average().orElse(Double.NaN);
  }

  /** Draws the rows whose neighbours are compared. */
  private long[] asked(int n) {
    if (n <= Settings.ASKED) {
      return LongStream.range(0, n).toArray();
    }
    SplittableRandom random = new SplittableRandom(settings.seed());
    Set<Long> drawn = new HashSet<>();
    while (drawn.size() < Settings.ASKED) {
      drawn.add(random.nextLong(n));
    }
    return drawn.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private double[] overlaps(long[] asked, int k) {
    List<List<Hit>> inA = nearest(a, asked, k);
    List<List<Hit>> inB = nearest(b, asked, k);
    double[] overlaps = new double[asked.length];
    for (int i = 0; i < asked.length; i++) {
      Set<Long> one = new HashSet<>();
      inA.get(i).forEach(hit -> one.add(hit.id()));
      overlaps[i] = (double) inB.get(i).stream().filter(hit -> one.contains(hit.id())).count() / k;
    }
    return overlaps;
  }

  private List<List<Hit>> nearest(Table table, long[] asked, int k) {
    List<Query> queries = LongStream.of(asked).mapToObj(id -> Query.row(table, id)).toList();
    return Search.over(table, workers).nearest(queries, Metric.COSINE, k);
  }
}

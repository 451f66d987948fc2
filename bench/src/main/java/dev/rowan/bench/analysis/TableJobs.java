package dev.rowan.bench.analysis;

import dev.rowan.analysis.audit.Audit;
import dev.rowan.analysis.audit.AuditOptions;
import dev.rowan.analysis.audit.Reference;
import dev.rowan.analysis.output.OutputScorer;
import dev.rowan.analysis.output.OutputScores;
import dev.rowan.analysis.output.Scoring;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Times an audit of a bf16 table and the scoring of 64 vectors against it, beside reading the table
 * once and the search for their ten best.
 *
 * <pre>
 *   java --add-modules jdk.incubator.vector -cp … dev.rowan.bench.analysis.TableJobs ROWS WIDTH TURNS [cpu]
 * </pre>
 *
 * <p>With {@code cpu} the time is that of the processors, a thread, for a machine that others use
 * at the same time: what a job takes of the wall clock if all its threads run throughout.
 */
public final class TableJobs {
  private static final int VECTORS = 64;
  private static final int TOP = 10;
  private static final int WARM_UP = 8; // the tiles take some hundred thousand rows to be compiled
  private static final long SEED = 20240513;

  private final Table table;
  private final Workers workers;
  private final int turns;
  private final LongSupplier clock;
  private final PrintStream out;

  private TableJobs(Table table, Workers workers, int turns, LongSupplier clock, PrintStream out) {
    this.table = table;
    this.workers = workers;
    this.turns = turns;
    this.clock = clock;
    this.out = out;
  }

  /** Runs every job and prints a table of Markdown. */
  @SuppressWarnings("SystemOut") // this is the program's output
  public static void main(String[] arguments) throws IOException {
    int rows = Integer.parseInt(arguments[0]);
    int width = Integer.parseInt(arguments[1]);
    try (Arena arena = Arena.ofShared();
        Workers workers = Workers.perProcessor()) {
      MemorySegment data = arena.allocate(FloatFormat.BF16.rowBytes(width) * rows, 64);
      fill(data, rows, width);
      Table table = Table.over(data, rows, width, FloatFormat.BF16);
      boolean cpu = arguments.length > 3 && arguments[3].equals("cpu");
      var system =
          (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      LongSupplier clock =
          cpu ? () -> system.getProcessCpuTime() / workers.threads() : System::nanoTime;
      new TableJobs(table, workers, Integer.parseInt(arguments[2]), clock, System.out).run();
    }
  }

  /** A common direction, some strong ones, and noise, as embedding tables have. */
  private static void fill(MemorySegment data, int rows, int width) {
    SplittableRandom random = new SplittableRandom(SEED);
    float[][] directions = new float[9][width];
    for (float[] direction : directions) {
      for (int i = 0; i < width; i++) {
        direction[i] = (float) random.nextGaussian();
      }
    }
    float[] row = new float[width];
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) {
        row[i] = 0.02f * directions[0][i] + (random.nextFloat() - 0.5f) * 0.12f;
      }
      for (int d = 1; d < directions.length; d++) {
        float weight = (float) (0.014 * random.nextGaussian());
        for (int i = 0; i < width; i++) {
          row[i] += weight * directions[d][i];
        }
      }
      FloatFormat.BF16.encode(row, 0, width, data, FloatFormat.BF16.rowBytes(width) * r);
    }
  }

  private void run() {
    out.printf(
        Locale.ROOT,
        "%,d × %,d bf16, %,d bytes, %d threads, kernels %s, medians of %d turns%n%n",
        table.rows(),
        table.width(),
        table.bytes(),
        workers.threads(),
        Kernels.best().name(),
        turns);
    out.println("| job | ms | GB/s of the table | GFLOP/s | × reading |");
    out.println("|---|---|---|---|---|");
    double read = median(this::read);
    line("read the table once", read, read, 0);
    AuditOptions plain =
        AuditOptions.DEFAULT.withReference(Reference.parse("0-99", table.rows())).withNearCosine(2);
    line("audit, all but near duplicates", median(() -> audit(plain)), read, 0);
    line(
        "audit with near duplicates from 0.999",
        median(1, () -> audit(plain.withNearCosine(0.999))), // seconds: the rest is compiled by now
        read,
        0);
    List<Query> vectors = vectors();
    Search search = Search.over(table, workers);
    double flop = 2.0 * VECTORS * table.parameters();
    search.nearest(vectors, Metric.DOT, TOP); // norms are computed once
    line(
        "search: 64 vectors, top 10",
        median(() -> search.nearest(vectors, Metric.DOT, TOP)),
        read,
        flop);
    line(
        "score: 64 vectors, top 10 and log-sum-exp",
        median(() -> OutputScorer.score(search, vectors, Scoring.PLAIN, TOP)),
        read,
        flop);
    line(
        "score: 1 vector, top 10 and log-sum-exp",
        median(() -> OutputScorer.score(search, vectors.subList(0, 1), Scoring.PLAIN, TOP)),
        read,
        2.0 * table.parameters());
    check(search, vectors);
  }

  private void line(String job, double ms, double read, double flop) {
    out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %s | %.1f |%n",
        job,
        ms,
        table.bytes() / ms / 1e6,
        flop == 0 ? "–" : String.format(Locale.ROOT, "%.0f", flop / ms / 1e6),
        ms / read);
  }

  private double median(Runnable job) {
    for (int i = 0; i < WARM_UP; i++) {
      job.run();
    }
    return median(turns, job);
  }

  private double median(int count, Runnable job) {
    double[] times = new double[count];
    for (int i = 0; i < count; i++) {
      long start = clock.getAsLong();
      job.run();
      times[i] = (clock.getAsLong() - start) / 1e6;
    }
    Arrays.sort(times);
    return times[count / 2];
  }

  private void read() {
    int part = 1 << 20;
    long[] sums = new long[(int) Math.ceilDiv(table.bytes(), (long) part)];
    workers.run(
        sums.length,
        () ->
            chunk -> {
              long sum = 0;
              long end = Math.min(table.bytes(), (chunk + 1) * part) - 31;
              for (long at = chunk * part; at < end; at += 32) {
                sum += table.data().get(ValueLayout.JAVA_LONG, at);
                sum += table.data().get(ValueLayout.JAVA_LONG, at + 8);
                sum += table.data().get(ValueLayout.JAVA_LONG, at + 16);
                sum += table.data().get(ValueLayout.JAVA_LONG, at + 24);
              }
              sums[(int) chunk] = sum;
            });
  }

  private void audit(AuditOptions options) {
    Audit.of(
        new Audit.Subject(table, table, Tie.TIED, Optional.empty(), Optional.empty()),
        options,
        workers);
  }

  private List<Query> vectors() {
    List<Query> vectors = new ArrayList<>();
    for (int v = 0; v < VECTORS; v++) {
      vectors.add(Query.row(table, (long) v * table.rows() / VECTORS).excludingNothing());
    }
    return vectors;
  }

  /** The batch against one vector alone, which sums in double. */
  private void check(Search search, List<Query> vectors) {
    OutputScores batch = OutputScorer.score(search, vectors, Scoring.PLAIN, TOP).getFirst();
    OutputScores alone =
        OutputScorer.score(search, vectors.subList(0, 1), Scoring.PLAIN, TOP).getFirst();
    if (!batch.top().equals(alone.top())
        || Math.abs(batch.logSumExp() - alone.logSumExp()) > 1e-5) {
      throw new IllegalStateException("batch and single answers differ: " + batch + " " + alone);
    }
    out.printf(
        Locale.ROOT,
        "%nlog-sum-exp in float32 is off by %.1e%n",
        batch.logSumExp() - alone.logSumExp());
  }
}

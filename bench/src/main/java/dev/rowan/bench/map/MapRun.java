package dev.rowan.bench.map;

import com.sun.management.OperatingSystemMXBean;
import dev.rowan.analysis.map.MapListener;
import dev.rowan.analysis.map.MapQuality;
import dev.rowan.analysis.map.Mapper;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.map.TsneSettings;
import dev.rowan.analysis.map.UmapSettings;
import dev.rowan.core.KnnGraph;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * One map job in a fresh JVM: {@code MapRun JOB FILE ROWS WIDTH THREADS}, the file being f32 rows.
 *
 * <p>Jobs: {@code graph} (64-query searches, then the graph of 90 neighbours), {@code tsne}, {@code
 * umap}. Prints lines {@code name value}.
 */
public final class MapRun {
  private static final int NEIGHBOURS = 90;
  private static final int QUERIES = 64;
  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private MapRun() {}

  /** Runs a job. */
  public static void main(String[] arguments) throws IOException {
    int rows = Integer.parseInt(arguments[2]);
    int width = Integer.parseInt(arguments[3]);
    try (FileChannel file = FileChannel.open(Path.of(arguments[1]));
        Workers workers = Workers.of(Integer.parseInt(arguments[4]))) {
      MemorySegment bytes =
          file.map(FileChannel.MapMode.READ_ONLY, 0, 4L * rows * width, Arena.global());
      Table table = Table.over(bytes, rows, width, FloatFormat.F32);
      switch (arguments[0]) {
        case "graph" -> graph(table, workers);
        case "tsne" -> print(timed(table, workers, true));
        default -> print(timed(table, workers, false));
      }
    }
    print("peak_mib", peakMebibytes());
  }

  private static void graph(Table table, Workers workers) {
    double flops = 2.0 * table.parameters();
    Search search = Search.over(table, workers);
    var queries = IntStream.range(0, QUERIES).mapToObj(i -> Query.row(table, 100L + i)).toList();
    double best = Double.POSITIVE_INFINITY;
    for (int turn = 0; turn < 200; turn++) {
      long start = System.nanoTime();
      search.nearest(queries, Metric.COSINE, 10);
      best = Math.min(best, seconds(start));
    }
    double busy = cpuSeconds();
    for (int turn = 0; turn < 100; turn++) {
      search.nearest(queries, Metric.COSINE, 10);
    }
    print("search64_gflops_per_cpu", flops * QUERIES * 100 / (cpuSeconds() - busy) / 1e9);
    print("search64_gflops", flops * QUERIES / best / 1e9);
    best = Double.POSITIVE_INFINITY;
    double cpu = Double.POSITIVE_INFINITY;
    for (int turn = 0; turn < 3; turn++) {
      long start = System.nanoTime();
      double before = cpuSeconds();
      KnnGraph.of(table, Metric.COSINE, NEIGHBOURS, workers);
      double took = seconds(start);
      if (turn == 0) {
        print("graph_first_s", took);
      } else {
        cpu = Math.min(cpu, cpuSeconds() - before);
      }
      best = Math.min(best, took);
    }
    print("graph_s", best);
    print("graph_cpu_s", cpu);
    print("graph_gflops_per_cpu", flops * table.rows() / cpu / 1e9);
    print("graph_gflops", flops * table.rows() / best / 1e9);
  }

  private static TableMap timed(Table table, Workers workers, boolean isTsne) {
    long start = System.nanoTime();
    long[] graphed = {start};
    long[] laidOut = {start};
    double[] busy = {0};
    MapListener listener =
        new MapListener() {
          @Override
          public void neighbours(long done, long of) {
            graphed[0] = System.nanoTime();
          }

          @Override
          public void step(Step step) {
            laidOut[0] = System.nanoTime();
            busy[0] = cpuSeconds();
          }
        };
    TableMap map =
        Mapper.over(table, workers)
            .mapAll(isTsne ? TsneSettings.defaults() : UmapSettings.defaults(), listener);
    print("neighbours_s", (graphed[0] - start) / 1e9);
    print("map_s", (laidOut[0] - start) / 1e9);
    print("map_cpu_s", busy[0]);
    print("with_quality_s", seconds(start));
    return map;
  }

  private static void print(TableMap map) {
    if (map.fit() instanceof TableMap.Fit.Divergence(double kl)) {
      print("kl", kl);
    }
    MapQuality quality = map.quality();
    print("trustworthiness", quality.trustworthiness());
    print("continuity", quality.continuity());
    print("recall", quality.neighbourRecall());
    print("rank_correlation", quality.rankCorrelation());
  }

  private static void print(String name, double value) {
    System.out.printf(Locale.ROOT, "%s %.6g%n", name, value);
  }

  /** Returns the processor time of all threads, the compiler's included. */
  private static double cpuSeconds() {
    return CPU.getProcessCpuTime() / 1e9;
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static double peakMebibytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return Double.NaN;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElse(Double.NaN);
  }
}

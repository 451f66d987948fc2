package dev.rowan.bench;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Whole scans with top 10 over a block-quantised table and over the same numbers in f32, in
 * alternating turns of one run; prints one line of a table for each number of queries.
 *
 * <p>Arguments: rows, width, threads, turns, then formats, such as {@code 49152 768 1 9 Q8_0 Q6_K}.
 */
public final class BlockTurns {
  private static final String QUERIES = "1,4,8,16,32,64,256";
  private static final int WARM_UP = 40;

  private BlockTurns() {}

  /** Runs the turns. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int rows = Integer.parseInt(arguments[0]);
    int width = Integer.parseInt(arguments[1]);
    int turns = Integer.parseInt(arguments[3]);
    try (Workers workers = Workers.of(Integer.parseInt(arguments[2]))) {
      out.printf(
          Locale.ROOT,
          "%n%,d × %d, %s, %s thread(s)%n%n",
          rows,
          width,
          Kernels.best().name(),
          arguments[2]);
      out.println(
          "| format | queries | f32 ms | ms | f32 / ms | GB/s of its own bytes | GFLOP/s |");
      out.println("|---|---|---|---|---|---|---|");
      for (String name : Arrays.asList(arguments).subList(4, arguments.length)) {
        RowBlock blocks = SyntheticTable.temporary(BlockFormat.valueOf(name), rows, width);
        RowBlock floats = SyntheticTable.decoded(blocks);
        for (String queriesOfTurn : System.getProperty("queries", QUERIES).split(",", -1)) {
          int count = Integer.parseInt(queriesOfTurn);
          float[] queries = SyntheticTable.queries(count, width);
          Scan plain = new Scan(Kernels.best(), floats, queries, workers);
          Scan packed = new Scan(Kernels.best(), blocks, queries, workers);
          packed.check(queries);
          double[][] times = alternate(plain, packed, turns, count);
          out.println(line(blocks, count, median(times[0]), median(times[1])));
        }
      }
    }
  }

  private static double[][] alternate(Scan first, Scan second, int turns, int count) {
    int repeats = count >= 64 ? 1 : count >= 8 ? 2 : 4;
    double[][] times = new double[2][turns * repeats];
    for (int i = 0; i < Math.max(4, WARM_UP / repeats / (count >= 64 ? 4 : 1)); i++) {
      first.run();
      second.run();
    }
    for (int turn = 0; turn < turns; turn++) {
      for (int side = 0; side < 2; side++) {
        for (int i = 0; i < repeats; i++) {
          long start = System.nanoTime();
          long[][] found = (side == 0 ? first : second).run();
          times[side][turn * repeats + i] = (System.nanoTime() - start) / 1e6;
          if (found.length != count) {
            throw new IllegalStateException("answers to %d queries".formatted(found.length));
          }
        }
      }
    }
    return times;
  }

  private static double median(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String line(RowBlock blocks, int count, double f32, double own) {
    RowFormat format = blocks.format();
    double bytes = (double) blocks.count() * blocks.rowBytes();
    double operations = 2.0 * blocks.count() * blocks.width() * count;
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f | %.2f | %.2f | %.1f | %.1f |",
        format.label(),
        count,
        f32,
        own,
        f32 / own,
        bytes / own / 1e6,
        operations / own / 1e6);
  }
}

package dev.rowan.bench;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.LongSupplier;

/**
 * Our side of {@code bench/run}: takes a line {@code CASE REPEATS CLOCK} on standard input and
 * answers with the milliseconds of each repeat, so that the script can alternate with a peer while
 * both stay warm.
 *
 * <p>Arguments: folder, rows, width, threads. The table is written to {@code folder/table.f32} if
 * it is not there.
 */
public final class SearchTurns {
  private static final int GATHERED = 1_000_000;
  private static final int STEPS = 2_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Path folder;
  private final int rows;
  private final int width;
  private final Workers workers;
  private final RowBlock table;
  private final Map<String, Scan> scans = new HashMap<>();
  private final Map<FloatFormat, RowBlock> tables = new HashMap<>();
  private MemorySegment target = MemorySegment.NULL;
  private long[] ids = new long[0];
  private volatile double sink;

  private SearchTurns(Path folder, int rows, int width, int threads) throws IOException {
    this.folder = folder;
    this.rows = rows;
    this.width = width;
    this.workers = Workers.of(threads);
    this.table = table(FloatFormat.F32);
  }

  /** Runs turns until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    SearchTurns turns =
        new SearchTurns(
            Path.of(arguments[0]),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]));
    long operations = STEPS * Yardstick.operations(); // of one "fma" on one thread
    out.println("ready " + Kernels.best().name() + " " + operations);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      int repeats = Integer.parseInt(words[1]);
      LongSupplier clock = clock(words[2]);
      StringJoiner times = new StringJoiner(" ");
      for (int i = 0; i < repeats; i++) {
        long start = clock.getAsLong();
        turns.run(words[0]);
        times.add(String.format(Locale.ROOT, "%.4f", (clock.getAsLong() - start) / 1e6));
      }
      out.println(times);
    }
    turns.workers.close();
  }

  /** Returns a clock: of the wall, or of the processor time of our own threads. */
  private static LongSupplier clock(String name) {
    if (name.equals("wall")) {
      return System::nanoTime;
    }
    // not the time of the whole process: that one ticks every 10 ms and has the compiler in it
    long[] ids =
        Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
            .filter(t -> t.getThreadName().matches("main|rowan-worker.*"))
            .mapToLong(ThreadInfo::getThreadId)
            .toArray();
    return () -> Arrays.stream(ids).map(THREADS::getThreadCpuTime).sum();
  }

  private void run(String name) throws IOException {
    switch (name) {
      case "read" -> readAll(table.data());
      case "fma" -> multiply();
      case "copy" -> copy(Yardstick::copy);
      case "copy-rows" ->
          copy((part, target) -> Yardstick.copyRows(part, table.rowBytes(), target));
      case "gather" ->
          Table.over(table.data(), rows, width, FloatFormat.F32).lookup(ids(), target(), workers);
      default -> { // FORMAT-QUERIES
        Scan scan = scans.get(name);
        if (scan == null) {
          String[] words = name.split("-", -1);
          FloatFormat format = FloatFormat.valueOf(words[0].toUpperCase(Locale.ROOT));
          float[] queries = SyntheticTable.queries(Integer.parseInt(words[1]), width);
          scan = new Scan(Kernels.best(), table(format), queries, workers);
          scan.check(queries);
          scans.put(name, scan);
        }
        sink = scan.run()[0][0];
      }
    }
  }

  private RowBlock table(FloatFormat format) throws IOException {
    RowBlock known = tables.get(format);
    if (known == null) {
      Path file = folder.resolve("table." + format.label());
      known =
          Files.exists(file)
              ? SyntheticTable.map(file, format, rows, width)
              : SyntheticTable.write(file, format, rows, width);
      tables.put(format, known);
    }
    return known;
  }

  private void readAll(MemorySegment data) {
    long part = 1 << 20;
    workers.run(
        Math.ceilDiv(data.byteSize(), part),
        () ->
            chunk ->
                sink =
                    Yardstick.read(
                        data, chunk * part, Math.min(part, data.byteSize() - chunk * part)));
  }

  private void multiply() {
    workers.run(workers.threads(), () -> chunk -> sink = Yardstick.multiply(STEPS));
  }

  private interface Copy {
    long run(MemorySegment part, MemorySegment target);
  }

  /** Fills the buffer with copies of the table; each thread copies a part of it to a part of it. */
  private void copy(Copy copy) {
    long copies = target().byteSize() / table.data().byteSize();
    workers.run(
        workers.threads(),
        () ->
            thread -> {
              long first = rows * thread / workers.threads();
              long count = rows * (thread + 1) / workers.threads() - first;
              long bytes = count * table.rowBytes();
              MemorySegment part = table.data().asSlice(first * table.rowBytes(), bytes);
              long from = first * table.rowBytes() * copies;
              sink = copy.run(part, target().asSlice(from, bytes * copies));
            });
  }

  private MemorySegment target() {
    if (target.byteSize() == 0) {
      target = Arena.global().allocate(4L * width * GATHERED, 64);
    }
    return target;
  }

  private long[] ids() {
    if (ids.length == 0) {
      ids = SyntheticTable.ids(GATHERED, rows);
    }
    return ids;
  }
}

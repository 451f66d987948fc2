package dev.rowan.bench;

import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One pass over a table for a batch of queries, on one thread.
 *
 * <p>Each kernel shape runs in a JVM of its own (a fork for each set of parameters), as profiles of
 * one shape slow others down. A fixed heap keeps the collector out; warm-up is long because the
 * vector kernels take seconds to compile.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Fork(
    value = 1,
    jvmArgs = {"-Xms512m", "-Xmx512m", "--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScanBenchmark {
  /** Which implementation. */
  @Param({"scalar", "vector"})
  String kernels = "";

  /** How rows are stored. */
  @Param({"F32", "F16", "BF16"})
  FloatFormat format = FloatFormat.F32;

  /** Queries of one pass. */
  @Param({"1", "4", "16", "64", "256"})
  int queries;

  /** d; 702 is not a whole number of vectors. */
  @Param({"768", "702"})
  int width;

  private static final int ROWS = 50_257;

  private final Workers workers = Workers.of(1);
  private RowBlock table =
      new RowBlock(java.lang.foreign.MemorySegment.NULL, 0, 0, 0, 1, FloatFormat.F32, 4);
  private Scan scan = new Scan(Kernels.scalar(), table, new float[1], workers);

  /** Writes the table and checks the answer. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    float[] values = SyntheticTable.queries(queries, width);
    table = SyntheticTable.temporary(format, ROWS, width);
    Kernels chosen = kernels.equals("scalar") ? Kernels.scalar() : Kernels.best();
    scan = new Scan(chosen, table, values, workers);
    scan.check(values);
  }

  /** Scores all rows and keeps ten a query. */
  @Benchmark
  public long[][] scan() {
    return scan.run();
  }

  /** The yardstick: reads the same bytes and adds them up. */
  @Benchmark
  public long read() {
    return Yardstick.read(table.data(), 0, table.data().byteSize());
  }

  /** Ends the thread. */
  @TearDown
  public void tearDown() {
    workers.close();
  }
}

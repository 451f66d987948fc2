package dev.rowan.bench;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Random rows copied into a buffer that is reused, so that first-touch page faults do not count. A
 * fork for each set of parameters, for the reasons given at {@link ScanBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Fork(
    value = 1,
    jvmArgs = {"-Xms512m", "-Xmx512m", "--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GatherBenchmark {
  /** Which implementation. */
  @Param({"scalar", "vector"})
  String kernels = "";

  /** How rows are stored. */
  @Param({"F32", "BF16"})
  FloatFormat format = FloatFormat.F32;

  /** Rows of one call: a batch of text, and more than any cache holds. */
  @Param({"4096", "201028"})
  int count;

  private static final int ROWS = 50_257;
  private static final int WIDTH = 768;

  private Kernels chosen = Kernels.scalar();
  private RowBlock table = new RowBlock(MemorySegment.NULL, 0, 0, 0, 1, FloatFormat.F32, 4);
  private MemorySegment target = MemorySegment.NULL;
  private long[] ids = new long[0];
  private long from; // where the next copy starts

  /** Writes the table and checks the answer. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    table = SyntheticTable.temporary(format, ROWS, WIDTH);
    chosen = kernels.equals("scalar") ? Kernels.scalar() : Kernels.best();
    ids = SyntheticTable.ids(count, ROWS);
    target = Arena.global().allocate(4L * WIDTH * count, 64);
    MemorySegment got = gather();
    float[] row = new float[WIDTH];
    for (int k = 0; k < count; k += 97) {
      format.decode(table.data(), ids[k] * table.rowBytes(), WIDTH, row, 0);
      if (got.asSlice(4L * WIDTH * k, 4L * WIDTH).mismatch(MemorySegment.ofArray(row)) >= 0) {
        throw new IllegalStateException("row " + k + " of the gather is not row " + ids[k]);
      }
    }
  }

  /** Copies the rows. */
  @Benchmark
  public MemorySegment gather() {
    chosen.gather(table, ids, target);
    return target;
  }

  /** The yardstick: as many bytes in bulk, going round the table so that no cache holds them. */
  @Benchmark
  public MemorySegment copy() {
    long size = table.data().byteSize();
    for (long at = 0; at < target.byteSize(); ) {
      long part = Math.min(target.byteSize() - at, size - from);
      MemorySegment.copy(table.data(), from, target, at, part);
      at += part;
      from = (from + part) % size;
    }
    return target;
  }
}

package dev.rowan.bench;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.Kernels;
import dev.rowan.core.kernel.RowBlock;
import java.io.IOException;
import java.util.Arrays;
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
 * The pass over a table that yields norms and the baseline, on one thread. A fork for each set of
 * parameters and a fixed heap, for the reasons given at {@link ScanBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
@Fork(
    value = 1,
    jvmArgs = {"-Xms512m", "-Xmx512m", "--add-modules", "jdk.incubator.vector"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class NormsBenchmark {
  /** Which implementation. */
  @Param({"scalar", "vector"})
  String kernels = "";

  /** How rows are stored. */
  @Param({"F32", "F16", "BF16"})
  FloatFormat format = FloatFormat.F32;

  /** d; 702 is not a whole number of vectors. */
  @Param({"768", "702"})
  int width;

  private static final int ROWS = 50_257;

  private Kernels chosen = Kernels.scalar();
  private RowBlock table =
      new RowBlock(java.lang.foreign.MemorySegment.NULL, 0, 0, 0, 1, FloatFormat.F32, 4);
  private final double[] norms = new double[ROWS];
  private final double[] factors = new double[ROWS];
  private double[] sum = new double[0];

  /** Writes the table and checks both answers against the scalar kernels. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    table = SyntheticTable.temporary(format, ROWS, width);
    chosen = kernels.equals("scalar") ? Kernels.scalar() : Kernels.best();
    Arrays.fill(factors, 0.7);
    double[] expectedNorms = new double[ROWS];
    Kernels.scalar().squaredNorms(table, expectedNorms, 0);
    double[] expectedSum = new double[width];
    Kernels.scalar().addScaledRows(table, factors, 0, expectedSum);
    sum = new double[width];
    if (!Arrays.equals(expectedNorms, squaredNorms())
        || !Arrays.equals(expectedSum, addScaledRows())) {
      throw new IllegalStateException(chosen.name() + " kernels differ from the scalar ones");
    }
  }

  /** Norms of all rows. */
  @Benchmark
  public double[] squaredNorms() {
    chosen.squaredNorms(table, norms, 0);
    return norms;
  }

  /** The weighted sum of all rows. */
  @Benchmark
  public double[] addScaledRows() {
    Arrays.fill(sum, 0);
    chosen.addScaledRows(table, factors, 0, sum);
    return sum;
  }

  /** The yardstick: reads the same bytes and adds them up. */
  @Benchmark
  public long read() {
    return Yardstick.read(table.data(), 0, table.data().byteSize());
  }
}

package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The SIMD twin of {@link ScalarKernels}, on the incubating Vector API: {@link VectorScans} for the
 * best rows of queries, {@link VectorSums} for sums in double, {@link RowCopy} for copies.
 */
final class VectorKernels implements Kernels {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private VectorKernels() {}

  /** Returns vector kernels of the wanted width, or scalar ones with the reason why. */
  static KernelChoice choose(String wanted) {
    int preferred = Lanes.PREFERRED_BITS;
    String vm = System.getProperty("java.vm.info", "");
    if (vm.contains("emulated-client") || vm.contains("interpreted")) {
      return new KernelChoice(
          Kernels.scalar(), "this JVM runs without its optimising compiler: " + vm);
    }
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      return new KernelChoice(Kernels.scalar(), "this CPU is big-endian, tables are little-endian");
    }
    if (preferred < 128) {
      return new KernelChoice(
          Kernels.scalar(), "this CPU has no vectors of 128 bits or more, only " + preferred);
    }
    if (wanted.equals("auto")) {
      return new KernelChoice(
          new VectorKernels(), "%d bits is the widest this CPU prefers".formatted(preferred));
    }
    if (Integer.parseInt(wanted) > preferred) {
      return new KernelChoice(
          Kernels.scalar(),
          "rowan.kernels asks for vectors of %s bits but this CPU has %d"
              .formatted(wanted, preferred));
    }
    return new KernelChoice(new VectorKernels(), "asked for by rowan.kernels");
  }

  @Override
  public String name() {
    return "vector-" + Lanes.BITS;
  }

  @Override
  public Queries pack(float[] values, int count, int width) {
    return VectorScans.pack(values, count, width);
  }

  @Override
  public void scan(RowBlock rows, RowWeights weights, Queries queries, Candidates found) {
    VectorScans.scan(rows, weights, queries, found);
  }

  @Override
  public void squaredNorms(RowBlock rows, double[] target, int targetOffset) {
    VectorSums.squaredNorms(rows, target, targetOffset);
  }

  @Override
  public void digest(RowBlock rows, RowDigest digest, double[] sum) {
    VectorSums.digest(rows, digest, sum);
  }

  @Override
  public void addScaledRows(RowBlock rows, double[] factors, int factorOffset, double[] sum) {
    VectorSums.addScaledRows(rows, factors, factorOffset, sum);
  }

  @Override
  public void products(RowBlock rows, double[] vectors, int count, double[] target) {
    VectorSums.products(rows, vectors, count, target);
  }

  @Override
  public void gather(RowBlock rows, long[] ids, MemorySegment target) {
    if (rows.width() < 2 * Lanes.COUNT) {
      Kernels.scalar().gather(rows, ids, target);
    } else if (rows.format() == FloatFormat.F32) {
      gatherF32(rows, ids, target);
    } else {
      Panel decoder = new Panel(rows);
      float[] row = new float[rows.width()];
      for (int k = 0; k < ids.length; k++) {
        decoder.decode(ids[k], 1, row);
        MemorySegment.copy(row, 0, target, FLOAT, 4L * row.length * k, row.length);
      }
    }
  }

  private static void gatherF32(RowBlock rows, long[] ids, MemorySegment target) {
    long bytes = rows.rowBytes();
    int k = 0;
    for (; k <= ids.length - RowCopy.ROWS; k += RowCopy.ROWS) {
      RowCopy.eight(
          rows.data(),
          rows.offset() + ids[k] * bytes,
          rows.offset() + ids[k + 1] * bytes,
          rows.offset() + ids[k + 2] * bytes,
          rows.offset() + ids[k + 3] * bytes,
          rows.offset() + ids[k + 4] * bytes,
          rows.offset() + ids[k + 5] * bytes,
          rows.offset() + ids[k + 6] * bytes,
          rows.offset() + ids[k + 7] * bytes,
          bytes,
          target,
          k * bytes);
    }
    for (; k < ids.length; k++) {
      MemorySegment.copy(rows.data(), rows.offset() + ids[k] * bytes, target, k * bytes, bytes);
    }
  }
}

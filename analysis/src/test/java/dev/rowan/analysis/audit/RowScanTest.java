package dev.rowan.analysis.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flags against a plain look at each number. */
class RowScanTest {
  @ParameterizedTest
  @EnumSource
  void flagsAreThoseOfAPlainLook(FloatFormat format) {
    Random random = new Random(5);
    for (int width : new int[] {1, 2, 3, 4, 7, 8, 9, 31, 64, 65}) {
      int rows = 200;
      float[] values = new float[rows * width];
      for (int r = 0; r < rows; r++) {
        float constant = (float) random.nextGaussian();
        for (int i = 0; i < width; i++) {
          boolean small = r % 5 == 1 && random.nextInt(8) == 0;
          double x = random.nextGaussian() * (r % 7 == 2 ? 1e-5 : small ? 1e-39 : 1);
          values[r * width + i] =
              r % 11 == 3 ? constant : random.nextInt(30) == 0 ? -0.0f : (float) x;
        }
      }
      MemorySegment data = MemorySegment.ofArray(new byte[(int) (rows * format.rowBytes(width))]);
      format.encode(values, 0, values.length, data, 0);
      Table table = Table.over(data, rows, width, format);
      try (Workers workers = Workers.of(1)) {
        RowScan scan = RowScan.of(table, workers);
        for (int id = 0; id < rows; id++) {
          float[] row = table.row(id);
          boolean usable = scan.isUsable(id);
          assertThat(scan.isConstant(id)).isEqualTo(usable && width > 1 && isConstant(row));
          assertThat(scan.isDenormal(id)).isEqualTo(usable && isDenormal(row, format));
        }
      }
    }
  }

  private static boolean isConstant(float[] row) {
    for (float x : row) {
      if (x != row[0]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDenormal(float[] row, FloatFormat format) {
    boolean any = false;
    boolean all = true;
    for (float x : row) {
      any |= x != 0 && Math.abs(x) < 0x1p-126f;
      all &= Math.abs(x) < 0x1p-14f;
    }
    return format == FloatFormat.F16 ? all : any;
  }
}

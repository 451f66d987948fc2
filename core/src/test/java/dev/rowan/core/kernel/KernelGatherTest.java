package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of rows, to the last bit. */
class KernelGatherTest {
  private final Kernels kernels = Kernels.best();

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#formatsAndPlaces")
  void gatherCopiesRowsInOrderOfIds(RowFormat format, Sample.Place place) {
    Random random = new Random(Sample.SEED);
    for (int width : Sample.WIDTHS) {
      Sample sample = Sample.of(format, 23, width, place, 3);
      for (int count : new int[] {0, 1, 3, 4, 5, 8, width == 300 ? 700 : 13}) {
        long[] ids = random.longs(count, 0, 23).toArray();
        float[] expected = new float[count * width];
        for (int i = 0; i < expected.length; i++) {
          expected[i] = (float) sample.numbers[(int) ids[i / width]][i % width];
        }
        for (MemorySegment target : targets(4L * count * width)) {
          kernels.gather(sample.block, ids, target);
          float[] got = new float[expected.length];
          MemorySegment.copy(target, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, got, 0, got.length);
          assertThat(got).isEqualTo(expected);
        }
      }
    }
  }

  private static List<MemorySegment> targets(long bytes) {
    return List.of(
        MemorySegment.ofArray(new float[(int) (bytes / 4)]),
        MemorySegment.ofArray(new byte[(int) bytes + 1]).asSlice(1),
        Arena.ofAuto().allocate(bytes + 4, 64).asSlice(4));
  }

  @ParameterizedTest
  @MethodSource("dev.rowan.core.kernel.Sample#brokenNumbers")
  void gatherKeepsInfinitiesAndNan(FloatFormat format, int[] patterns, Sample.Place place) {
    for (int pattern : patterns) {
      Sample sample = Sample.of(format, 9, 75, place, 0).with(3, 70, pattern);
      float[] rows = new float[5 * 75];
      kernels.gather(sample.block, new long[] {1, 2, 3, 4, 3}, MemorySegment.ofArray(rows));
      assertThat(rows[2 * 75 + 70]).isEqualTo(Float.valueOf((float) sample.numbers[3][70]));
      assertThat(rows[4 * 75 + 70]).isEqualTo(Float.valueOf((float) sample.numbers[3][70]));
    }
  }

  @Test
  void gatherOfF32KeepsTheBitsOfNan() {
    Sample sample =
        Sample.of(FloatFormat.F32, 9, 75, Sample.Place.NATIVE, 0).with(3, 70, 0x7FA01234);
    int[] rows = new int[75];
    kernels.gather(sample.block, new long[] {3}, MemorySegment.ofArray(rows));
    assertThat(rows[70]).isEqualTo(0x7FA01234);
  }

  @Test
  void gatherLeavesTheRestOfTheTargetAlone() {
    Sample sample = Sample.of(FloatFormat.F32, 23, 75, Sample.Place.NATIVE, 0);
    float[] rows = new float[6 * 75];
    Arrays.fill(rows, 7);
    kernels.gather(sample.block, new long[] {1, 2, 3, 4, 3}, MemorySegment.ofArray(rows));
    assertThat(Arrays.copyOfRange(rows, 5 * 75, 6 * 75)).containsOnly(7);
  }
}

package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernels of this JVM on block-quantised rows against the scalar decoders, which {@link
 * BlockFormatTest} holds to an independent reader. The build runs this class once for each value of
 * {@code rowan.kernels}.
 */
class VectorBlocksTest {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Kernels kernels = Kernels.best();

  /** Rows of random bytes: any scale there is, infinite and NaN ones too. */
  private static RowBlock anyBytes(BlockFormat format, int rows, int blocks, Sample.Place place) {
    int shift = 3;
    int width = blocks * format.blockSize();
    long rowBytes = format.rowBytes(width);
    byte[] bytes = new byte[Math.toIntExact(shift + rows * rowBytes)];
    new Random(Sample.SEED + blocks).nextBytes(bytes);
    MemorySegment data = MemorySegment.ofArray(bytes);
    if (place == Sample.Place.NATIVE) {
      data = Arena.ofAuto().allocate(bytes.length).copyFrom(data);
    }
    return new RowBlock(data, shift, Sample.FIRST_ID, rows, width, format, rowBytes);
  }

  /** As {@link #anyBytes}, with every f16 made small and finite by clearing its highest bits. */
  private static RowBlock finite(BlockFormat format, int rows, int blocks, Sample.Place place) {
    RowBlock block = anyBytes(format, rows, blocks, place);
    for (long at = block.offset(); at < block.data().byteSize(); at += format.blockBytes()) {
      for (int half : halves(format)) {
        byte high = block.data().get(ValueLayout.JAVA_BYTE, at + half + 1);
        block.data().set(ValueLayout.JAVA_BYTE, at + half + 1, (byte) (high & 0x1F));
      }
      if (format == BlockFormat.MXFP4) {
        block.data().set(ValueLayout.JAVA_BYTE, at, (byte) 120);
      }
    }
    return block;
  }

  private static int[] halves(BlockFormat format) {
    return switch (format) {
      case Q4_0, Q5_0, Q8_0, IQ4_NL, IQ4_XS, IQ3_S -> new int[] {0};
      case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
      case MXFP4 -> new int[] {};
      case Q2_K -> new int[] {80, 82};
      case Q3_K -> new int[] {108};
      case Q6_K -> new int[] {208};
    };
  }

  private static float[] row(RowBlock block, long r) {
    float[] row = new float[block.width()];
    block.format().decode(block.data(), block.offset() + r * block.rowBytes(), row.length, row, 0);
    return row;
  }

  @ParameterizedTest
  @EnumSource
  void gatheredRowsHaveTheBitsOfTheScalarDecoder(BlockFormat format) {
    for (Sample.Place place : Sample.Place.values()) {
      for (int blocks : new int[] {1, 2, 3, 18}) {
        RowBlock block = anyBytes(format, 40, blocks, place);
        MemorySegment target = Arena.ofAuto().allocate(2L * 4 * block.width());
        for (int r = 0; r < 40; r++) {
          kernels.gather(block, new long[] {r, 39 - r}, target);
          float[] expected = row(block, r);
          for (int i = 0; i < expected.length; i++) {
            float found = target.get(FLOAT, 4L * i);
            if (Float.floatToIntBits(found) != Float.floatToIntBits(expected[i])) {
              assertThat(found).as("%s row %d number %d", format, r, i).isEqualTo(expected[i]);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void scansScoreTheDecodedNumbers(BlockFormat format) {
    for (Sample.Place place : Sample.Place.values()) {
      int wide = PanelTiles.STRIDE / format.blockSize() + 1; // rows that are cut in pieces
      for (int blocks : new int[] {1, 2, 3, wide}) {
        RowBlock block = finite(format, 31, blocks, place);
        for (int count : new int[] {1, 2, 5, 12, 33}) {
          checkScan(block, count);
        }
        checkScan(finite(format, 1, blocks, place), 12); // nothing lies behind to touch
      }
    }
  }

  private void checkScan(RowBlock block, int count) {
    int width = block.width();
    float[] queries = Sample.queries(count, width);
    RowWeights weights = new RowWeights(Column.constant(1), Column.constant(0));
    Candidates found = new Candidates(count, (int) block.count());
    kernels.scan(block, weights, kernels.pack(queries, count, width), found);
    for (int q = 0; q < count; q++) {
      assertThat(found.size(q)).isEqualTo((int) block.count());
      for (int i = 0; i < block.count(); i++) {
        float[] row = row(block, found.id(q, i) - Sample.FIRST_ID);
        double exact = 0;
        double size = 0;
        for (int j = 0; j < width; j++) {
          exact += (double) row[j] * queries[q * width + j];
          size += (double) row[j] * row[j];
        }
        double bound = Kernels.dotErrorBound(width + 2) * Math.sqrt(size) * Math.sqrt(width);
        assertThat(Math.abs(found.score(q, i) - exact)).isLessThanOrEqualTo(bound + 1e-40);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void squaredNormsAndSumsHaveTheBitsOfTheScalarKernels(BlockFormat format) {
    for (int blocks : new int[] {1, 3}) {
      RowBlock block = finite(format, 55, blocks, Sample.Place.NATIVE);
      double[] norms = new double[55];
      double[] expected = new double[55];
      kernels.squaredNorms(block, norms, 0);
      Kernels.scalar().squaredNorms(block, expected, 0);
      assertThat(norms).isEqualTo(expected);
      double[] sum = new double[block.width()];
      double[] expectedSum = new double[block.width()];
      kernels.addScaledRows(block, norms, 0, sum);
      Kernels.scalar().addScaledRows(block, norms, 0, expectedSum);
      assertThat(sum).isEqualTo(expectedSum);
    }
  }
}

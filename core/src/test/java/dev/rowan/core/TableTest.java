package dev.rowan.core;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.kernel.FloatFormat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTest {
  // the table of the worked cases: V = 5, d = 2
  private static final Table T = Table.of(2, 1f, 2f, 3f, 4f, 6f, 8f, 0f, 1f, -2f, 5f);

  @Test
  void lookupKeepsTheShapeOfTheIds() {
    Rows two = T.lookup(Ids.shaped(new long[] {0, 1, 2, 3}, 2, 2));
    assertThat(two.shape()).containsExactly(2, 2, 2);
    assertThat(two.values()).containsExactly(1, 2, 3, 4, 6, 8, 0, 1);
    Rows scalar = T.lookup(Ids.scalar(2));
    assertThat(scalar.shape()).containsExactly(2);
    assertThat(scalar.values()).containsExactly(6, 8);
    Rows empty = T.lookup(Ids.shaped(new long[0], 2, 0));
    assertThat(empty.shape()).containsExactly(2, 0, 2);
    assertThat(empty.values()).isEmpty();
  }

  @Test
  void lookupNamesPositionValueAndRangeOfAWrongIdAndWritesNothing() {
    float[] target = {9, 9, 9, 9};
    assertThatThrownBy(() -> T.lookup(Ids.of(0, 5), target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id 5 at position 1 is not in [0, 5)");
    assertThatThrownBy(() -> T.lookup(Ids.of(-1)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("id -1 at position 0 is not in [0, 5)");
    assertThat(target).containsOnly(9);
  }

  @Test
  void lookupChecksTheBufferBeforeWriting() {
    float[] target = {9, 9, 9};
    assertThatThrownBy(() -> T.lookup(Ids.of(0, 1), target, 0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("2 rows of width 2 need 4 places from 0 but the array has 3");
    assertThat(target).containsOnly(9);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment small = arena.allocate(15);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> T.lookup(Ids.of(0, 1), small))
          .withMessage("2 rows of width 2 need 16 bytes but the buffer has 15");
    }
  }

  @Test
  void lookupOnSeveralThreadsEqualsLookupOnOne() {
    float[] values = new float[300 * 20];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    Table table = Table.of(20, values);
    long[] ids = new java.util.Random(5).longs(5000, 0, 300).toArray();
    float[] parallel = new float[ids.length * 20];
    try (Workers workers = Workers.of(3)) {
      table.lookup(ids, MemorySegment.ofArray(parallel), workers);
      assertThat(parallel).isEqualTo(table.lookup(Ids.of(ids)).values());
      ids[4321] = 300;
      float[] untouched = new float[parallel.length];
      assertThatThrownBy(() -> table.lookup(ids, MemorySegment.ofArray(untouched), workers))
          .hasMessageContaining("4321")
          .hasMessageContaining("300");
      assertThat(untouched).containsOnly(0f);
    }
  }

  @Test
  void lookupIntoAnUnalignedBuffer() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(17).asSlice(1);
      T.lookup(Ids.of(4, 0), buffer);
      assertThat(buffer.get(JAVA_FLOAT_UNALIGNED, 0)).isEqualTo(-2);
      assertThat(buffer.get(JAVA_FLOAT_UNALIGNED, 12)).isEqualTo(2);
    }
  }

  @Test
  void rowKeepsSignedZeroAndSubnormalBits() {
    Table table = Table.of(2, -0.0f, 1e-42f);
    float[] row = table.lookup(Ids.of(0)).values();
    assertThat(Float.floatToRawIntBits(row[0])).isEqualTo(0x80000000);
    assertThat(Float.floatToRawIntBits(row[1])).isEqualTo(Float.floatToRawIntBits(1e-42f));
  }

  @Test
  void refusesSizesThatDoNotFit() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.over(bytes, 3, 2, FloatFormat.F32))
        .withMessage("3 rows × 2 numbers (f32) take 24 bytes but only 16 are there");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.over(bytes, Long.MAX_VALUE, 2, FloatFormat.F32))
        .withMessageContaining("more than 2^63 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.over(bytes, -1, 2, FloatFormat.F32))
        .withMessageContaining("-1 rows");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.over(bytes, 1, 0, FloatFormat.F32))
        .withMessageContaining("width 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.of(2, 1f, 2f, 3f))
        .withMessage("3 numbers are not a whole number of rows of width 2");
  }

  @Test
  void reachesRowsBeyondTwoToTheThirtyOneBytesAndElements(@TempDir Path folder) throws IOException {
    // sparse file: 3,000,000 rows × 1,024 bf16 = 3.1e9 numbers, 6.1e9 bytes, hardly any on disk
    Path file = folder.resolve("sparse");
    long rows = 3_000_000;
    int width = 1024;
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw");
        Arena arena = Arena.ofConfined()) {
      sparse.setLength(rows * width * 2);
      sparse.seek((rows - 1) * width * 2);
      sparse.write(new byte[] {(byte) 0x80, 0x3F}); // 1.0 in bf16, little-endian
      MemorySegment bytes = sparse.getChannel().map(MapMode.READ_ONLY, 0, sparse.length(), arena);
      Table table = Table.over(bytes, rows, width, FloatFormat.BF16);
      assertThat(table.parameters()).isEqualTo(3_072_000_000L);
      assertThat(table.row(rows - 1)).startsWith(1f, 0f);
      assertThat(table.lookup(Ids.of(rows - 1, 0)).values()[0]).isEqualTo(1f);
    }
  }

  @Test
  void offsetsAreLongs() {
    // row 262,143 of a 262,144 × 12,288 table starts at element 3,221,213,184, an overflow in int
    assertThat(262_143L * FloatFormat.F32.rowBytes(12_288)).isEqualTo(4 * 3_221_213_184L);
  }

  @Test
  void panelsAreConsecutiveRows() {
    float[] panel = new float[5];
    T.copyRows(1, 2, panel, 1);
    assertThat(panel).containsExactly(0, 3, 4, 6, 8);
    assertThatThrownBy(() -> T.copyRows(4, 2, panel, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void idsMustFillTheirShape() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ids.shaped(new long[] {1, 2, 3}, 2, 2))
        .withMessage("shape [2, 2] holds 4 ids but 3 were given");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ids.shaped(new long[0], -1, 0))
        .withMessageContaining("negative length");
  }
}

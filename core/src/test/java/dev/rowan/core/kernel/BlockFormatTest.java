package dev.rowan.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockFormatTest {

  /**
   * What gguf-py decodes from the block whose byte j is (37j + 11) mod 256, with d := 1.0 and m or
   * dmin := 0.5 written over their places.
   *
   * @param halves byte offsets of d, and of m or dmin if there is one
   */
  record Golden(
      BlockFormat format,
      List<Integer> halves,
      List<Double> first,
      List<Double> last,
      double sum,
      double weightedSum) {}

  static List<Golden> golden() {
    return List.of(
        new Golden(BlockFormat.Q4_0, List.of(0), of(-3, 2, 7, -4), of(-3, 0), -21, -518),
        new Golden(
            BlockFormat.Q4_1, List.of(0, 2), of(15.5, 4.5, 9.5, 14.5), of(10.5, 12.5), 261, 4247),
        new Golden(BlockFormat.Q5_0, List.of(0), of(9, -2, 3, -8), of(14, 1), 15, 112),
        new Golden(
            BlockFormat.Q5_1, List.of(0, 2), of(19.5, 24.5, 29.5, 18.5), of(3.5, 5.5), 521, 8165),
        new Golden(BlockFormat.Q8_0, List.of(0), of(85, 122, -97, -60), of(-85, -48), -176, -8080),
        new Golden(BlockFormat.IQ4_NL, List.of(0), of(-35, 25, 113, -49), of(-35, 1), -257, -6919),
        new Golden(
            BlockFormat.Q2_K, List.of(80, 82), of(33, 0, 11, 22), of(4.5, 4.5), 2059, 243130),
        new Golden(BlockFormat.Q3_K, List.of(108), of(81, -108, 27, -54), of(-28, 42), 958, 177145),
        new Golden(
            BlockFormat.Q4_K,
            List.of(0, 2),
            of(315.5, -25.5, 129.5, 284.5),
            of(36.5, 48.5),
            54440,
            7572840),
        new Golden(
            BlockFormat.Q5_K,
            List.of(0, 2),
            of(811.5, -25.5, 625.5, 284.5),
            of(96.5, 108.5),
            116216,
            16027448),
        new Golden(
            BlockFormat.Q6_K, List.of(208), of(-1431, 1696, 583, -530), of(-40, -60), 4612, 784420),
        new Golden(
            BlockFormat.IQ4_XS, List.of(0), of(65, -1, -69, 83), of(352, -16), -11005, -2091134),
        new Golden(
            BlockFormat.IQ3_S, List.of(0), of(-81, 243, -351, -189), of(125, 225), 1456, 202790));
  }

  private static List<Double> of(double... values) {
    return java.util.Arrays.stream(values).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource
  void golden(Golden golden) {
    byte[] block = new byte[golden.format.blockBytes()];
    for (int j = 0; j < block.length; j++) {
      block[j] = (byte) (37 * j + 11);
    }
    short[] values = {Float.floatToFloat16(1f), Float.floatToFloat16(0.5f)};
    for (int i = 0; i < golden.halves.size(); i++) {
      block[golden.halves.get(i)] = (byte) values[i];
      block[golden.halves.get(i) + 1] = (byte) (values[i] >> 8);
    }
    float[] y = new float[golden.format.blockSize()];
    golden.format.decode(MemorySegment.ofArray(block), 0, y.length, y, 0);
    double sum = 0;
    double weightedSum = 0;
    for (int i = 0; i < y.length; i++) {
      sum += y[i];
      weightedSum += (i + 1) * y[i];
    }
    assertThat(List.of((double) y[0], (double) y[1], (double) y[2], (double) y[3]))
        .isEqualTo(golden.first);
    assertThat(List.of((double) y[y.length - 2], (double) y[y.length - 1])).isEqualTo(golden.last);
    assertThat(sum).isEqualTo(golden.sum);
    assertThat(weightedSum).isEqualTo(golden.weightedSum);
  }

  @Test
  void mxfp4IsAPowerOfTwoTimesAFourBitFloat() {
    byte[] block = new byte[17];
    block[0] = (byte) 128; // 2^1
    block[1] = (byte) 0xF7; // number 0 is 6, number 16 is −6
    block[16] = 0x19; // number 15 is −0.5, number 31 is 0.5
    float[] y = new float[32];
    BlockFormat.MXFP4.decode(MemorySegment.ofArray(block), 0, 32, y, 0);
    assertThat(y[0]).isEqualTo(12);
    assertThat(y[16]).isEqualTo(-12);
    assertThat(y[15]).isEqualTo(-1);
    assertThat(y[31]).isEqualTo(1);
    block[0] = 0; // 2^-127, below the normal floats
    BlockFormat.MXFP4.decode(MemorySegment.ofArray(block), 0, 32, y, 0);
    assertThat(y[0]).isEqualTo(6 * 0x1p-127f);
    block[0] = (byte) 255;
    BlockFormat.MXFP4.decode(MemorySegment.ofArray(block), 0, 32, y, 0);
    assertThat(y[0]).isNaN();
  }

  @Test
  void rowsAreWholeBlocksAtAnyOffset() {
    byte[] bytes = new byte[1 + 2 * 34];
    bytes[1 + 1] = 0x3C; // d = 1.0 in f16
    bytes[1 + 2] = 5;
    bytes[1 + 34 + 1] = 0x40; // d = 2.0
    bytes[1 + 34 + 33] = -7;
    float[] y = new float[65];
    BlockFormat.Q8_0.decode(MemorySegment.ofArray(bytes), 1, 64, y, 1);
    assertThat(y[1]).isEqualTo(5);
    assertThat(y[64]).isEqualTo(-14);
  }

  @Test
  void refusesAWidthThatIsNoWholeNumberOfBlocks() {
    assertThat(BlockFormat.Q6_K.rowBytes(768)).isEqualTo(630);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockFormat.Q6_K.rowBytes(576))
        .withMessage("a row of 576 numbers is not a whole number of q6_k blocks of 256");
  }
}

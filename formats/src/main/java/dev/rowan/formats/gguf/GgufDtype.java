package dev.rowan.formats.gguf;

import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.DoubleRows;
import dev.rowan.formats.tensor.Dtype;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tensor types of ggml by number. A row is a whole number of blocks; plain numbers are blocks
 * of one.
 *
 * @param dtype how to read them
 * @param block the numbers in a block
 * @param bytes the bytes of a block
 */
record GgufDtype(Dtype dtype, int block, int bytes) {
  private static final Map<Integer, GgufDtype> LITTLE = new HashMap<>();
  private static final Map<Integer, GgufDtype> BIG = new HashMap<>();

  static {
    number(0, "F32", 4, FloatFormat.F32, BigEndianRows.F32);
    number(1, "F16", 2, FloatFormat.F16, BigEndianRows.F16);
    number(28, "F64", 8, DoubleRows.F64, BigEndianRows.F64);
    number(30, "BF16", 2, FloatFormat.BF16, BigEndianRows.BF16);
    blocks(2, BlockFormat.Q4_0);
    blocks(3, BlockFormat.Q4_1);
    blocks(6, BlockFormat.Q5_0);
    blocks(7, BlockFormat.Q5_1);
    blocks(8, BlockFormat.Q8_0);
    blocks(10, BlockFormat.Q2_K);
    blocks(11, BlockFormat.Q3_K);
    blocks(12, BlockFormat.Q4_K);
    blocks(13, BlockFormat.Q5_K);
    blocks(14, BlockFormat.Q6_K);
    blocks(20, BlockFormat.IQ4_NL);
    blocks(21, BlockFormat.IQ3_S);
    blocks(23, BlockFormat.IQ4_XS);
    blocks(39, BlockFormat.MXFP4);
    opaque(15, "Q8_K", 256, 292);
    opaque(16, "IQ2_XXS", 256, 66);
    opaque(17, "IQ2_XS", 256, 74);
    opaque(18, "IQ3_XXS", 256, 98);
    opaque(19, "IQ1_S", 256, 50);
    opaque(22, "IQ2_S", 256, 82);
    opaque(29, "IQ1_M", 256, 56);
    opaque(34, "TQ1_0", 256, 54);
    opaque(35, "TQ2_0", 256, 66);
    whole(24, "I8", 1);
    whole(25, "I16", 2);
    whole(26, "I32", 4);
    whole(27, "I64", 8);
  }

  private static void number(int id, String label, int bytes, RowFormat little, RowFormat big) {
    LITTLE.put(id, new GgufDtype(Dtype.rows(label, 8 * bytes, little), 1, bytes));
    BIG.put(id, new GgufDtype(Dtype.rows(label + " big-endian", 8 * bytes, big), 1, bytes));
  }

  private static void blocks(int id, BlockFormat format) {
    int bits = 8 * format.blockBytes() / format.blockSize();
    LITTLE.put(
        id,
        new GgufDtype(
            Dtype.rows(format.name(), bits, format), format.blockSize(), format.blockBytes()));
    // converters do not agree on what to swap inside a block, so there is no right way to read one
    Dtype big = Dtype.opaque(format.name() + " big-endian", bits, Dtype.Kind.FLOAT);
    BIG.put(id, new GgufDtype(big, format.blockSize(), format.blockBytes()));
  }

  private static void opaque(int id, String label, int block, int bytes) {
    Dtype dtype = Dtype.opaque(label, 8 * bytes / block, Dtype.Kind.FLOAT);
    LITTLE.put(id, new GgufDtype(dtype, block, bytes));
    BIG.put(id, new GgufDtype(dtype, block, bytes));
  }

  private static void whole(int id, String label, int bytes) {
    Dtype dtype = Dtype.opaque(label, 8 * bytes, Dtype.Kind.INTEGER);
    LITTLE.put(id, new GgufDtype(dtype, 1, bytes));
    BIG.put(id, new GgufDtype(dtype, 1, bytes));
  }

  /** Returns a type; empty if it is newer, or no longer in use, and so of unknown size. */
  static Optional<GgufDtype> of(int id, ByteOrder order) {
    return Optional.ofNullable((order == ByteOrder.BIG_ENDIAN ? BIG : LITTLE).get(id));
  }

  /** Returns what to call a type whose size is not known. */
  static Dtype unknown(int id) {
    String name =
        switch (id) {
          case 4 -> "Q4_2 (removed)";
          case 5 -> "Q4_3 (removed)";
          case 9 -> "Q8_1";
          case 31, 32, 33 -> "repacked Q4_0 (removed)";
          case 36, 37, 38 -> "repacked IQ4_NL (removed)";
          case 40 -> "NVFP4";
          default -> "ggml type " + Integer.toUnsignedString(id);
        };
    return Dtype.opaque(name, 0, Dtype.Kind.FLOAT);
  }
}

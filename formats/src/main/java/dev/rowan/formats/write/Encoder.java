package dev.rowan.formats.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.core.Counted;
import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.BigEndianRows;
import dev.rowan.formats.tensor.Doubles;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Writes rows in a number format. Safe for any number of threads. */
sealed interface Encoder {
  /** Returns the name of the number format, such as {@code f16}. */
  String label();

  /** Returns the bytes of a row. */
  long rowBytes();

  /** Writes one row of the source. */
  void encode(long id, float[] scratch, MemorySegment target, long offset);

  /** Says what was lost in the rows written so far; empty where nothing is worth saying. */
  default String loss() {
    return "";
  }

  /** Rows as they are stored. */
  record Verbatim(Source source) implements Encoder {
    @Override
    public String label() {
      return format().label();
    }

    @Override
    public long rowBytes() {
      return format().rowBytes(source.width());
    }

    @Override
    public void encode(long id, float[] scratch, MemorySegment target, long offset) {
      MemorySegment.copy(source.table().data(), id * rowBytes(), target, offset, rowBytes());
    }

    private RowFormat format() {
      return source.table().format();
    }
  }

  /** Big-endian numbers as they are, with their bytes the other way round. */
  record Reversed(Source source, BigEndianRows format) implements Encoder {
    @Override
    public String label() {
      return format.littleEndianLabel();
    }

    @Override
    public long rowBytes() {
      return format.rowBytes(source.width());
    }

    @Override
    public void encode(long id, float[] scratch, MemorySegment target, long offset) {
      MemorySegment data = source.table().data();
      int bytes = format.numberBytes();
      long begin = id * rowBytes();
      for (long number = 0; number < rowBytes(); number += bytes) {
        for (int i = 0; i < bytes; i++) {
          byte value = data.get(JAVA_BYTE, begin + number + bytes - 1 - i);
          target.set(JAVA_BYTE, offset + number + i, value);
        }
      }
    }
  }

  /** Floats, each rounded once. */
  record Floats(Source source, FloatFormat format, Optional<Doubles> doubles, AtomicLong vanished)
      implements Encoder {
    Floats(Source source, FloatFormat format) {
      // float32 is what reading rounds to
      this(
          source,
          format,
          format == FloatFormat.F32 ? Optional.empty() : Doubles.of(source.table()),
          new AtomicLong());
    }

    @Override
    public String loss() {
      long rows = vanished.get();
      return rows == 0
          ? ""
          : "%s became zeros: all numbers are too small for %s"
              .formatted(Counted.of(rows, "row"), format.label());
    }

    /** Returns the greatest magnitude that rounds to zero. */
    private float nothing() {
      return switch (format) {
        case F32 -> 0;
        case F16 -> 0x1p-25f;
        case BF16 -> 0x1p-134f;
      };
    }

    @Override
    public String label() {
      return format.label();
    }

    @Override
    public long rowBytes() {
      return format.rowBytes(source.width());
    }

    @Override
    public void encode(long id, float[] scratch, MemorySegment target, long offset) {
      doubles.ifPresentOrElse(
          exact -> exact.copyRow(id, scratch), () -> source.table().copyRow(id, scratch, 0));
      format.encode(scratch, 0, source.width(), target, offset);
      float greatest = 0;
      for (int i = 0; i < source.width(); i++) {
        greatest = Math.max(greatest, Math.abs(scratch[i])); // NaN stays
      }
      if (greatest > 0 && greatest <= nothing()) {
        vanished.incrementAndGet();
      }
    }
  }

  /** Bytes with one scale for all: {@code round(x / scale)}, ties to even, as model2vec does. */
  record Bytes(Source source, float scale, Turned turned) implements Encoder {
    Bytes(Source source, float scale) {
      this(source, scale, new Turned());
    }

    @Override
    public String loss() {
      return turned.note("int8");
    }

    @Override
    public String label() {
      return "i8";
    }

    @Override
    public long rowBytes() {
      return source.width();
    }

    @Override
    public void encode(long id, float[] scratch, MemorySegment target, long offset) {
      source.table().copyRow(id, scratch, 0);
      double product = 0;
      double before = 0;
      double after = 0;
      for (int i = 0; i < source.width(); i++) {
        double level = scale == 0 ? 0 : Math.rint(scratch[i] / scale);
        target.set(JAVA_BYTE, offset + i, (byte) level);
        product += level * scratch[i];
        before += (double) scratch[i] * scratch[i];
        after += level * level;
      }
      turned.add(id, product, before, after);
    }
  }

  /**
   * Q8_0 of GGUF: for each 32 numbers {@code f16 d, i8 q[32]}, d = greatest magnitude / 127, q =
   * round(x / d), half away from zero (quantize_row_q8_0_ref of ggml).
   */
  record Q8(Source source, Turned turned) implements Encoder {
    private static final int BLOCK = 32;
    private static final ValueLayout.OfShort SHORT =
        JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    Q8(Source source) {
      this(source, new Turned());
    }

    @Override
    public String label() {
      return "q8_0";
    }

    @Override
    public String loss() {
      return turned.note("q8_0");
    }

    @Override
    public long rowBytes() {
      return BlockFormat.Q8_0.rowBytes(source.width());
    }

    @Override
    public void encode(long id, float[] scratch, MemorySegment target, long offset) {
      source.table().copyRow(id, scratch, 0);
      double product = 0;
      double before = 0;
      double after = 0;
      long at = offset;
      for (int from = 0; from < source.width(); from += BLOCK) {
        float greatest = 0;
        for (int i = from; i < from + BLOCK; i++) {
          greatest = Math.max(greatest, Math.abs(scratch[i]));
        }
        float step = greatest / 127;
        float inverse = step == 0 ? 0 : 1 / step;
        short half = Float.floatToFloat16(step);
        double read = Float.float16ToFloat(half);
        target.set(SHORT, at, half);
        for (int i = 0; i < BLOCK; i++) {
          float level = scratch[from + i] * inverse;
          float rounded = (float) Math.floor(Math.abs(level) + 0.5);
          byte code = (byte) Math.copySign(rounded, level);
          target.set(JAVA_BYTE, at + 2 + i, code);
          double number = scratch[from + i];
          product += read * code * number;
          before += number * number;
          after += read * code * read * code;
        }
        at += 2 + BLOCK;
      }
      turned.add(id, product, before, after);
    }
  }
}

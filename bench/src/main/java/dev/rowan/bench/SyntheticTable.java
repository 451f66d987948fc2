package dev.rowan.bench;

import dev.rowan.core.kernel.BlockFormat;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowBlock;
import dev.rowan.core.kernel.RowFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** Seeded tables with numbers of the size that embedding tables have, mapped from a file. */
final class SyntheticTable {
  private static final long SEED = 20260301;

  private SyntheticTable() {}

  /** Writes a table and maps it; it stays in the page cache, and the file may be deleted. */
  static RowBlock write(Path file, FloatFormat format, int rows, int width) throws IOException {
    long rowBytes = format.rowBytes(width);
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment data = channel.map(FileChannel.MapMode.READ_WRITE, 0, rows * rowBytes, arena);
      fill(data, format, rows, width);
    }
    return map(file, format, rows, width);
  }

  /** Maps a table that is on disk. */
  static RowBlock map(Path file, RowFormat format, int rows, int width) throws IOException {
    long rowBytes = format.rowBytes(width);
    try (FileChannel channel = FileChannel.open(file)) {
      MemorySegment data =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, rows * rowBytes, Arena.global());
      return new RowBlock(data, 0, 0, rows, width, format, rowBytes);
    }
  }

  /** Writes blocks of random quants with small scales to a temporary file, and maps it. */
  static RowBlock temporary(BlockFormat format, int rows, int width) throws IOException {
    Random random = new Random(SEED);
    byte[] row = new byte[Math.toIntExact(format.rowBytes(width))];
    Path file = Files.createTempFile("rowan-bench-", ".table");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (int r = 0; r < rows; r++) {
        random.nextBytes(row);
        for (int block = 0; block < row.length; block += format.blockBytes()) {
          for (int at : halves(format)) {
            row[block + at + 1] = (byte) (0x08 | (row[block + at + 1] & 3)); // an f16 about 2^-13
          }
        }
        out.write(row);
      }
      out.flush();
      return map(file, format, rows, width);
    } finally {
      Files.delete(file);
    }
  }

  /** Returns the places of the f16 factors of a block. */
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

  /** Writes the numbers of a table as f32 to a temporary file, and maps it. */
  static RowBlock decoded(RowBlock table) throws IOException {
    float[] row = new float[table.width()];
    byte[] bytes = new byte[4 * row.length];
    Path file = Files.createTempFile("rowan-bench-", ".table");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (long r = 0; r < table.count(); r++) {
        table.format().decode(table.data(), r * table.rowBytes(), row.length, row, 0);
        FloatFormat.F32.encode(row, 0, row.length, MemorySegment.ofArray(bytes), 0);
        out.write(bytes);
      }
      out.flush();
      return map(file, FloatFormat.F32, (int) table.count(), row.length);
    } finally {
      Files.delete(file);
    }
  }

  /** Writes a table to a temporary file, maps it and deletes the file. */
  static RowBlock temporary(FloatFormat format, int rows, int width) throws IOException {
    Path file = Files.createTempFile("rowan-bench-", ".table");
    try {
      return write(file, format, rows, width);
    } finally {
      Files.delete(file);
    }
  }

  private static void fill(MemorySegment data, FloatFormat format, int rows, int width) {
    Random random = new Random(SEED);
    float[] row = new float[width];
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) {
        row[i] = random.nextFloat(-0.2f, 0.2f);
      }
      format.encode(row, 0, width, data, r * format.rowBytes(width));
    }
  }

  /** Returns queries, row-major. */
  static float[] queries(int count, int width) {
    Random random = new Random(SEED + 1);
    float[] values = new float[count * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat(-1, 1);
    }
    return values;
  }

  /** Returns ids in [0, rows). */
  static long[] ids(int count, int rows) {
    return new Random(SEED + 2).longs(count, 0, rows).toArray();
  }
}

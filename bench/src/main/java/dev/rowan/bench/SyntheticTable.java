package dev.rowan.bench;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.core.kernel.RowBlock;
import java.io.IOException;
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
  static RowBlock map(Path file, FloatFormat format, int rows, int width) throws IOException {
    long rowBytes = format.rowBytes(width);
    try (FileChannel channel = FileChannel.open(file)) {
      MemorySegment data =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, rows * rowBytes, Arena.global());
      return new RowBlock(data, 0, 0, rows, width, format, rowBytes);
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

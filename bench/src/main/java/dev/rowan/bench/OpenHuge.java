package dev.rowan.bench;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Opens sparse safetensors files of 4 MiB to 4 GiB, first in a fresh JVM, and prints the time and
 * what stays on the heap. The first file pays for loading the classes.
 */
public final class OpenHuge {
  private static final int WIDTH = 1024;
  private static final long[] ROWS = {1 << 20, 1 << 10, 1 << 15, 1 << 20};

  private OpenHuge() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    double started = ManagementFactory.getRuntimeMXBean().getUptime();
    IO.println(String.format(Locale.ROOT, "main began %.0f ms after the JVM", started));
    Path folder = Files.createTempDirectory("rowan-open");
    try {
      for (int i = 0; i < ROWS.length; i++) {
        Path file = sparse(folder.resolve("sparse" + i + ".safetensors"), ROWS[i]);
        long before = used();
        long begin = System.nanoTime();
        try (Lexicon lexicon = Models.open(file)) {
          double ms = (System.nanoTime() - begin) / 1e6;
          long kept = used() - before;
          IO.println(
              String.format(
                  Locale.ROOT,
                  "%,d × %,d f32, %,d MiB: opened in %.2f ms, %,d bytes stay on the heap",
                  lexicon.input().table().rows(),
                  WIDTH,
                  Files.size(file) >> 20,
                  ms,
                  kept));
        }
        Files.delete(file);
      }
    } finally {
      Files.delete(folder);
    }
  }

  private static Path sparse(Path file, long rows) throws IOException {
    long bytes = 4L * WIDTH * rows;
    byte[] header =
        "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%d]}}"
            .formatted(rows, WIDTH, bytes)
            .getBytes(StandardCharsets.UTF_8);
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      out.write(length.putLong(header.length).array());
      out.write(header);
      out.setLength(8 + header.length + bytes);
    }
    return file;
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

package dev.rowan.bench.formats;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Opens word2vec's binary form in turns with plain copies of the same file's bytes.
 *
 * <pre>
 *   BinaryLoading write FILE ROWS WIDTH      makes a file with the C tool's newlines
 *   BinaryLoading time FILE THREADS ROUNDS   prints medians and rates
 * </pre>
 *
 * <p>The peer is {@code bench/peers/load_binary.py FILE}, which prints the same sum. A copy to new
 * memory is the least that any loader does which keeps the rows in one piece; the copy to memory
 * that has been used before shows what of it is not the kernel handing out pages.
 */
public final class BinaryLoading {
  private static final String[] NAMES = {
    "open, table ready",
    "the vocabulary, after that",
    "map, copy to new memory, 1 thread",
    "copy to used memory, 1 thread",
    "read to used memory, 1 thread",
  };

  private BinaryLoading() {}

  /** Runs. */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "write" -> write(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      case "time" -> time(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      default -> throw new IllegalArgumentException("write or time, not " + args[0]);
    }
  }

  private static void write(Path file, int rows, int width) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ByteBuffer row = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write("%d %d\n".formatted(rows, width).getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < rows; i++) {
        String word = "w" + i + "abcdefghij".substring(random.nextInt(10));
        out.write((word + " ").getBytes(StandardCharsets.UTF_8));
        row.clear();
        for (int j = 0; j < width; j++) {
          row.putFloat((float) (random.nextGaussian() * 0.4));
        }
        out.write(row.array());
        out.write('\n');
      }
    }
  }

  private static void time(Path file, int threads, int rounds) throws IOException {
    double[][] seconds = new double[NAMES.length][rounds];
    double sum = 0;
    MemorySegment used = Arena.global().allocate(Files.size(file), 64);
    try (Workers workers = Workers.of(threads)) {
      for (int round = -4; round < rounds; round++) { // some to warm up
        int at = Math.max(0, round);
        sum = open(file, workers, seconds, at);
        copies(file, used, seconds, at);
      }
    }
    IO.println(
        String.format(Locale.ROOT, "%d threads, sum of every 1000th row %.6f", threads, sum));
    for (int i = 0; i < NAMES.length; i++) {
      Arrays.sort(seconds[i]);
      double median = seconds[i][rounds / 2];
      IO.println(
          String.format(
              Locale.ROOT,
              "%-36s median %6.1f ms  best %6.1f ms  %5.2f GB/s",
              NAMES[i],
              median * 1e3,
              seconds[i][0] * 1e3,
              Files.size(file) / median / 1e9));
    }
  }

  private static double open(Path file, Workers workers, double[][] seconds, int round)
      throws IOException {
    long start = System.nanoTime();
    try (Lexicon lexicon = Models.open(file, OpenOptions.DEFAULT.withWorkers(workers))) {
      Table table = lexicon.input().table();
      seconds[0][round] = since(start);
      start = System.nanoTime();
      Vocabulary words = lexicon.vocabulary().orElseThrow();
      if (words.size() != table.rows() || words.id(words.bytes(1)).orElseThrow() != 1) {
        throw new IllegalStateException("words and rows differ");
      }
      seconds[1][round] = since(start);
      double sum = 0;
      float[] row = new float[table.width()];
      for (long id = 0; id < table.rows(); id += 1000) {
        table.copyRow(id, row, 0);
        for (float number : row) {
          sum += number;
        }
      }
      return sum;
    }
  }

  private static void copies(Path file, MemorySegment used, double[][] seconds, int round)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      long start = System.nanoTime();
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      // without being filled with zeros first
      MemorySegment copy = arena.allocateFrom(JAVA_BYTE, bytes, JAVA_BYTE, 0, bytes.byteSize());
      seconds[2][round] = since(start);
      start = System.nanoTime();
      used.copyFrom(bytes);
      seconds[3][round] = since(start);
      if (copy.mismatch(used) >= 0) {
        throw new IllegalStateException("copies differ");
      }
      start = System.nanoTime();
      long piece = 1 << 20;
      for (long at = 0; at < used.byteSize(); at += piece) {
        ByteBuffer part = used.asSlice(at, Math.min(piece, used.byteSize() - at)).asByteBuffer();
        while (part.hasRemaining()) {
          channel.read(part, at + part.position());
        }
      }
      seconds[4][round] = since(start);
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}

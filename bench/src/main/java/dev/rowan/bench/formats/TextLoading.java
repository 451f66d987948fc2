package dev.rowan.bench.formats;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Opens a text of word vectors, vocabulary included, in turns with two simpler jobs on the same
 * file: reading its bytes, and reading them and parsing each number with {@link Float#parseFloat}.
 *
 * <pre>
 *   TextLoading write FILE ROWS WIDTH      makes a file in GloVe's form, 5 significant digits
 *   TextLoading time FILE THREADS ROUNDS   prints medians and rates
 * </pre>
 *
 * <p>The peer is {@code bench/peers/load_gensim.py FILE}. The answer is checked: the JDK's parser
 * must give the same sum of all numbers.
 */
public final class TextLoading {
  private TextLoading() {}

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
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (int row = 0; row < rows; row++) {
        StringBuilder line = new StringBuilder("w").append(row);
        for (int i = 0; i < width; i++) {
          line.append(' ').append(String.format(Locale.ROOT, "%.5g", random.nextGaussian() * 0.4));
        }
        out.write(line.append('\n').toString());
      }
    }
  }

  private static void time(Path file, int threads, int rounds) throws IOException {
    double[][] seconds = new double[3][rounds];
    double sum = 0;
    double parsedSum = 0;
    try (Workers workers = Workers.of(threads)) {
      for (int round = -1; round < rounds; round++) { // one round to warm up
        int at = Math.max(0, round);
        long start = System.nanoTime();
        sum = open(file, workers);
        seconds[0][at] = since(start);
        start = System.nanoTime();
        long bytes = read(file);
        seconds[1][at] = since(start);
        start = System.nanoTime();
        parsedSum = parse(file);
        seconds[2][at] = since(start);
        if (bytes != Files.size(file)) {
          throw new IllegalStateException("read " + bytes + " bytes");
        }
      }
    }
    if (sum != parsedSum) {
      throw new IllegalStateException("sums differ: " + sum + " and " + parsedSum);
    }
    String[] names = {"open, " + threads + " threads", "read bytes", "read + parseFloat, 1 thread"};
    for (int i = 0; i < names.length; i++) {
      Arrays.sort(seconds[i]);
      double median = seconds[i][rounds / 2];
      IO.println(
          String.format(
              Locale.ROOT,
              "%-30s median %7.3f s  best %7.3f s  %7.1f MB/s",
              names[i],
              median,
              seconds[i][0],
              Files.size(file) / median / 1e6));
    }
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static double open(Path file, Workers workers) throws IOException {
    try (Lexicon lexicon = Models.open(file, OpenOptions.DEFAULT.withWorkers(workers))) {
      if (lexicon.vocabulary().orElseThrow().size() != lexicon.input().table().rows()) {
        throw new IllegalStateException("words and rows differ");
      }
      double sum = 0;
      float[] row = new float[lexicon.input().table().width()];
      for (long id = 0; id < lexicon.input().table().rows(); id += 1000) {
        lexicon.input().table().copyRow(id, row, 0);
        for (float number : row) {
          sum += number;
        }
      }
      return sum;
    }
  }

  private static long read(Path file) throws IOException {
    byte[] buffer = new byte[1 << 20];
    long count = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        count += n;
      }
    }
    return count;
  }

  /** Parses every number; sums those of each thousandth row, as {@link #open} does. */
  private static double parse(Path file) throws IOException {
    double sum = 0;
    long row = 0;
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int at = line.indexOf(' ');
        while (at >= 0) {
          int next = line.indexOf(' ', at + 1);
          float number = Float.parseFloat(line.substring(at + 1, next < 0 ? line.length() : next));
          if (row % 1000 == 0) {
            sum += number;
          }
          at = next;
        }
        row++;
      }
    }
    return sum;
  }
}

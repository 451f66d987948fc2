package dev.rowan.bench.train;

import com.sun.management.OperatingSystemMXBean;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Times the first pass over a plain text, in turns: reading its bytes, counting its words, and
 * counting with the ids kept, which is what training begins with.
 *
 * <pre>
 *   Counting FILE THREADS TURNS
 * </pre>
 *
 * <p>Prints the first turn of a cold JVM and the median of the others, in MB/s of the wall clock,
 * and in brackets for each second of all processors, the compiler's and the collector's included.
 */
public final class Counting {
  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Counting() {}

  /** A job on a file, which returns the words it found. */
  private interface Job {
    long run() throws IOException;
  }

  /** Runs. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    int turns = Integer.parseInt(arguments[2]);
    Corpus corpus = Corpus.ofFiles(file);
    try (Workers workers = Workers.of(Integer.parseInt(arguments[1]))) {
      String[] names = {"read, one thread", "count", "count and keep ids"};
      Job[] jobs = {
        () -> read(file),
        () -> CountedVocabulary.count(corpus, workers, ReadListener.NONE).total(),
        () -> {
          try (EncodedCorpus encoded = EncodedCorpus.read(corpus, workers, ReadListener.NONE)) {
            return encoded.words();
          }
        }
      };
      double[][] wall = new double[jobs.length][turns];
      double[][] busy = new double[jobs.length][turns];
      long[] words = new long[jobs.length];
      for (int turn = 0; turn < turns; turn++) {
        for (int j = 0; j < jobs.length; j++) {
          long start = System.nanoTime();
          long before = CPU.getProcessCpuTime();
          words[j] = jobs[j].run();
          busy[j][turn] = (CPU.getProcessCpuTime() - before) / 1e9;
          wall[j][turn] = (System.nanoTime() - start) / 1e9;
        }
      }
      if (words[1] != words[2]) {
        throw new IllegalStateException("counted " + words[1] + " and " + words[2] + " words");
      }
      double megabytes = Files.size(file) / 1e6;
      for (int j = 0; j < jobs.length; j++) {
        IO.println(
            "%-20s first %7.1f (%7.1f)   then %7.1f (%7.1f) MB/s"
                .formatted(
                    names[j],
                    megabytes / wall[j][0],
                    megabytes / busy[j][0],
                    megabytes / medianAfterFirst(wall[j]),
                    megabytes / medianAfterFirst(busy[j])));
      }
    }
  }

  private static double medianAfterFirst(double[] seconds) {
    double[] rest = Arrays.copyOfRange(seconds, 1, seconds.length);
    Arrays.sort(rest);
    return rest[rest.length / 2];
  }

  private static long read(Path file) throws IOException {
    byte[] buffer = new byte[1 << 20];
    long lines = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int count; (count = in.read(buffer)) > 0; ) {
        lines += buffer[count - 1] == '\n' ? 1 : 0;
      }
    }
    return lines;
  }
}

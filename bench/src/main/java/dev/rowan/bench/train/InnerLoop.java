package dev.rowan.bench.train;

import dev.rowan.bench.Yardstick;
import dev.rowan.core.Workers;
import dev.rowan.train.Start;
import dev.rowan.train.Trainer;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingSettings;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import dev.rowan.train.kernel.WindowKernels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * How far skip-gram on one thread is from the machine: an epoch is run once with kernels that count
 * steps, pairs and rows, and then timed with those that do not, which do the same, in turns with
 * nothing but fused multiply-adds.
 *
 * <pre>
 *   InnerLoop FILE WIDTH TURNS
 * </pre>
 *
 * <p>A pair takes 6·d operations: a dot product and two updates, an addition and a multiplication
 * each. Rows count with their padding, read and written once a step.
 */
public final class InnerLoop {
  private static final int MULTIPLIED = 100_000; // a call, which the compiler sees whole
  private static final int CALLS = 200;

  private InnerLoop() {}

  /** Runs. */
  public static void main(String[] arguments) throws IOException {
    int width = Integer.parseInt(arguments[1]);
    int turns = Integer.parseInt(arguments[2]);
    TrainingSettings settings = TrainingSettings.DEFAULT.withWidth(width).withEpochs(1);
    try (Workers workers = Workers.of(1);
        EncodedCorpus corpus =
            EncodedCorpus.read(Corpus.ofFiles(Path.of(arguments[0])), workers, ReadListener.NONE)) {
      CountingKernels counted = new CountingKernels(WindowKernels.best());
      Trainer counting = Trainer.fresh(corpus, settings, Start.RANDOM, workers).with(counted);
      counting.run(TrainingListener.NONE, Optional.empty());
      double words = corpus.words();
      double operations = 6.0 * width * counted.pairs();
      double bytes = 2.0 * Float.BYTES * WindowKernels.stride(width) * counted.rows();
      IO.println(
          "%s, d = %d: %.3f steps, %.2f pairs, %.0f operations and %.0f bytes a word"
              .formatted(
                  counted.name(),
                  width,
                  counted.steps() / words,
                  counted.pairs() / words,
                  operations / words,
                  bytes / words));
      double[] seconds = new double[turns];
      double[] ceiling = new double[turns];
      float sum = 0;
      for (int turn = 0; turn < turns; turn++) {
        Trainer trainer = Trainer.fresh(corpus, settings, Start.RANDOM, workers);
        long start = System.nanoTime();
        trainer.run(TrainingListener.NONE, Optional.empty());
        seconds[turn] = (System.nanoTime() - start) / 1e9;
        for (int call = -CALLS; call < CALLS; call++) { // the first ones to be compiled
          if (call == 0) {
            start = System.nanoTime();
          }
          sum += Yardstick.multiply(MULTIPLIED);
        }
        double done = (double) CALLS * MULTIPLIED * Yardstick.operations();
        ceiling[turn] = done / (System.nanoTime() - start);
      }
      Arrays.sort(seconds);
      Arrays.sort(ceiling);
      double median = seconds[turns / 2];
      IO.println(
          "%.2f M words/s, %.1f GFLOP/s of %.1f, %.1f GB/s of rows (median of %d; best %.2f M words/s)%s"
              .formatted(
                  words / median / 1e6,
                  operations / median / 1e9,
                  ceiling[turns / 2],
                  bytes / median / 1e9,
                  turns,
                  words / seconds[0] / 1e6,
                  sum == 0 ? "!" : ""));
    }
  }
}

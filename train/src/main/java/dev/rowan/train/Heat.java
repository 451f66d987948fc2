package dev.rowan.train;

import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.SkipGram;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.corpus.CountedVocabulary;
import java.util.Arrays;
import java.util.Optional;

/**
 * How many times training touches each row for one word of the text, on average.
 *
 * @param input by input row
 * @param output by output row
 */
record Heat(double[] input, double[] output) {

  /** Estimates it from the words' counts. */
  static Heat of(
      CountedVocabulary words,
      TrainingSettings settings,
      Optional<HuffmanTree> tree,
      Optional<GramRows> grams) {
    long[] counts = words.counts();
    double[] kept = kept(counts, words.total(), settings.subsample());
    double window = settings.window() + 1.0; // both sides, as far as sentences reach
    double[] input =
        grams.map(g -> parts(kept, g)).orElseGet(() -> times(kept, window));
    double[] output =
        switch (settings.output()) {
          case HierarchicalSoftmax() -> nodes(kept, tree.orElseThrow());
          case NegativeSampling(int drawn, double power, Sharing sharing) -> {
            double draws =
                switch (settings.objective()) {
                  case SkipGram() -> sharing == Sharing.PAIR ? window : 1;
                  case Cbow _ -> 1;
                };
            yield targets(kept, shares(counts, power), drawn, draws);
          }
        };
    return new Heat(input, output);
  }

  private static double[] kept(long[] counts, long total, double threshold) {
    return Arrays.stream(counts)
        .mapToDouble(c -> c == 0 ? 0 : Formulas.keepShare(c, total, threshold) * c / total)
        .toArray();
  }

  private static double[] shares(long[] counts, double power) {
    double[] weights =
        Arrays.stream(counts).mapToDouble(c -> c == 0 ? 0 : Math.pow((double) c, power)).toArray();
    return times(weights, 1 / Arrays.stream(weights).sum());
  }

  private static double[] times(double[] values, double factor) {
    return Arrays.stream(values).map(x -> x * factor).toArray();
  }

  private static double[] parts(double[] kept, GramRows grams) {
    double[] heat = new double[grams.rows()];
    for (int w = 0; w < kept.length; w++) {
      for (int i = 0; i < grams.parts(w); i++) {
        heat[grams.row(w, i)] += kept[w];
      }
    }
    return heat;
  }

  private static double[] nodes(double[] kept, HuffmanTree tree) {
    double[] heat = new double[kept.length - 1];
    for (int w = 0; w < kept.length; w++) {
      for (int at = tree.start(w); at < tree.start(w + 1); at++) {
        heat[tree.node(at)] += kept[w];
      }
    }
    return heat;
  }

  private static double[] targets(double[] kept, double[] drawn, int negatives, double draws) {
    double all = negatives * Arrays.stream(kept).sum();
    double[] heat = new double[kept.length];
    for (int w = 0; w < heat.length; w++) {
      heat[w] = draws * (kept[w] + all * drawn[w]);
    }
    return heat;
  }
}

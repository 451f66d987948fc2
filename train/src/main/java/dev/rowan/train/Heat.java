package dev.rowan.train;

import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.SkipGram;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.corpus.CountedVocabulary;
import java.util.Arrays;
import java.util.Optional;

/** How many times training touches each row for one word of the text, on average. */
final class Heat {
  private Heat() {}

  /** Estimates it for input rows from the words' counts. */
  static double[] ofInputs(
      CountedVocabulary words, TrainingSettings settings, Optional<GramRows> grams) {
    double[] kept = kept(words.counts(), words.total(), settings.subsample());
    return grams.map(g -> parts(kept, g)).orElseGet(() -> times(kept, windowWords(settings)));
  }

  /** Estimates it for output rows from the words' counts. */
  static double[] ofOutputs(
      CountedVocabulary words, TrainingSettings settings, Optional<HuffmanTree> tree) {
    double[] kept = kept(words.counts(), words.total(), settings.subsample());
    return switch (settings.output()) {
      case HierarchicalSoftmax() -> nodes(kept, tree.orElseThrow());
      case NegativeSampling(int drawn, double power, Sharing sharing) -> {
        double draws =
            switch (settings.objective()) {
              case SkipGram() -> sharing == Sharing.PAIR ? windowWords(settings) : 1;
              case Cbow _ -> 1;
            };
        yield targets(kept, shares(words.counts(), power), drawn, draws);
      }
    };
  }

  /** Both sides of a window, as far as sentences reach. */
  private static double windowWords(TrainingSettings settings) {
    return settings.window() + 1.0;
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

package dev.rowan.train;

import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/** What all threads of a training share and none changes, but for the weights. */
final class Lesson {
  private final EncodedCorpus corpus;
  private final TrainingSettings settings;
  private final Weights weights;
  private final long[] keep;
  private final AliasTable[] negatives;
  private final Optional<HuffmanTree> tree;
  private final Optional<GramRows> grams;
  private final BitSet frozen;

  private Lesson(
      EncodedCorpus corpus,
      TrainingSettings settings,
      Weights weights,
      Optional<HuffmanTree> tree,
      Optional<GramRows> grams,
      BitSet frozen) {
    CountedVocabulary words = corpus.vocabulary();
    this.corpus = corpus;
    this.settings = settings;
    this.weights = weights;
    this.keep = keep(words.counts(), words.total(), settings.subsample());
    this.negatives = negatives(settings, words.counts());
    this.tree = tree;
    this.grams = grams;
    this.frozen = frozen;
  }

  /** Prepares a training; the weights are zeros. */
  static Lesson of(EncodedCorpus corpus, TrainingSettings settings, BitSet frozen, int threads) {
    CountedVocabulary words = corpus.vocabulary();
    Optional<GramRows> grams = settings.grams().map(g -> GramRows.of(g, words.vocabulary()));
    Optional<HuffmanTree> tree =
        settings.output() instanceof HierarchicalSoftmax
            ? Optional.of(HuffmanTree.of(words.counts()))
            : Optional.empty();
    int spare = frozen.isEmpty() ? 0 : threads * 2 * settings.window();
    Weights weights =
        Weights.zeros(
            settings.width(),
            grams.map(GramRows::rows).orElse(words.size()),
            spare,
            tree.isPresent() ? words.size() - 1 : words.size());
    return new Lesson(corpus, settings, weights, tree, grams, frozen);
  }

  /** Returns the text. */
  EncodedCorpus corpus() {
    return corpus;
  }

  /** Returns how to learn. */
  TrainingSettings settings() {
    return settings;
  }

  /** Returns the rows. */
  Weights weights() {
    return weights;
  }

  /** Returns by word how many of 2^32 of its occurrences are kept by subsampling. */
  long[] keep() {
    return keep;
  }

  /** Returns what draws output rows of a block of them; only for negative sampling. */
  AliasTable negatives(int block) {
    return negatives[block];
  }

  /** Returns the paths of hierarchical softmax. */
  Optional<HuffmanTree> tree() {
    return tree;
  }

  /** Returns the n-grams of words, where they have any. */
  Optional<GramRows> grams() {
    return grams;
  }

  /** Returns words whose input rows stay as they are. */
  BitSet frozen() {
    return frozen;
  }

  private static long[] keep(long[] counts, long total, double threshold) {
    long[] keep = new long[counts.length];
    Arrays.setAll(
        keep,
        w ->
            counts[w] == 0
                ? 1L << 32
                : (long) (Formulas.keepShare(counts[w], total, threshold) * 0x1p32));
    return keep;
  }

  private static AliasTable[] negatives(TrainingSettings settings, long[] counts) {
    if (!(settings.output() instanceof NegativeSampling sampling)) {
      return new AliasTable[0];
    }
    int blocks = settings.threading() instanceof Threading.Blocks(int count) ? count : 1;
    if (counts.length < 2 * blocks) {
      throw new IllegalArgumentException(
          "%,d words are too few for %d blocks; use fewer".formatted(counts.length, blocks));
    }
    AliasTable[] tables = new AliasTable[blocks];
    for (int b = 0; b < blocks; b++) {
      double[] weights = new double[Dealing.rows(counts.length, blocks, b)];
      for (int i = 0; i < weights.length; i++) {
        long count = counts[i * blocks + b];
        weights[i] = count == 0 ? 0 : Math.pow((double) count, sampling.power());
      }
      tables[b] = new AliasTable(weights);
    }
    return tables;
  }

  /** Returns the most targets of a window, in whole groups. */
  int mostTargets() {
    int targets =
        switch (settings.output()) {
          case NegativeSampling(int drawn, _, _) -> 1 + drawn;
          case HierarchicalSoftmax() -> tree.orElseThrow().longest();
        };
    return Math.max(1, Math.ceilDiv(targets, WindowKernels.GROUP)) * WindowKernels.GROUP;
  }

  /** Returns all words of all epochs. */
  long totalWords() {
    return Math.multiplyExact(corpus.words(), (long) settings.epochs());
  }
}

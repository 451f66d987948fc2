package dev.rowan.train;

import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.WindowKernels;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * What all threads of a training share and none changes, but for the weights.
 *
 * @param corpus the text
 * @param settings how to learn
 * @param weights the rows
 * @param keep by word: of 2^32, how many of its occurrences are kept by subsampling
 * @param negatives draws output rows, one table for each block of them; empty with hierarchical
 *     softmax
 * @param tree the paths of hierarchical softmax
 * @param grams the n-grams of words, where they have any
 * @param frozen words whose input rows stay as they are
 */
record Lesson(
    EncodedCorpus corpus,
    TrainingSettings settings,
    Weights weights,
    long[] keep,
    AliasTable[] negatives,
    Optional<HuffmanTree> tree,
    Optional<GramRows> grams,
    BitSet frozen) {

  /** Prepares a training; the weights are zeros. */
  static Lesson of(EncodedCorpus corpus, TrainingSettings settings, BitSet frozen, int threads) {
    CountedVocabulary words = corpus.vocabulary();
    long[] counts = words.counts();
    Optional<GramRows> grams = settings.grams().map(g -> GramRows.of(g, words.vocabulary()));
    Optional<HuffmanTree> tree =
        settings.output() instanceof HierarchicalSoftmax
            ? Optional.of(HuffmanTree.of(counts))
            : Optional.empty();
    int spare = frozen.isEmpty() ? 0 : threads * 2 * settings.window();
    Weights weights =
        Weights.zeros(
            settings.width(),
            grams.map(GramRows::rows).orElse(words.size()),
            spare,
            tree.isPresent() ? words.size() - 1 : words.size());
    return new Lesson(
        corpus,
        settings,
        weights,
        keep(counts, words.total(), settings.subsample()),
        negatives(settings, counts),
        tree,
        grams,
        frozen);
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
        weights[i] = count == 0 ? 0 : Math.pow(count, sampling.power());
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

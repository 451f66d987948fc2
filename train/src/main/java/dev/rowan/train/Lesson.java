package dev.rowan.train;

import dev.rowan.core.Counted;
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
  /** What replicas may take however small the table is. */
  private static final long REPLICA_BYTES = 256 << 20;

  private final EncodedCorpus corpus;
  private final TrainingSettings settings;
  private final Weights weights;
  private final long[] keep;
  private final AliasTable[] negatives;
  private final Optional<HuffmanTree> tree;
  private final Optional<GramRows> grams;
  private final BitSet frozen;
  private final HotRows hotInputs;
  private final HotRows hotOutputs;
  private final int copies;

  private Lesson(EncodedCorpus corpus, TrainingSettings settings, BitSet frozen, int threads) {
    CountedVocabulary words = corpus.vocabulary();
    this.corpus = corpus;
    this.settings = settings;
    this.frozen = frozen;
    this.keep = keep(words.counts(), words.total(), settings.subsample());
    this.negatives = negatives(settings, words.counts());
    this.grams = settings.grams().map(g -> GramRows.of(g, words.vocabulary()));
    this.tree =
        settings.output() instanceof HierarchicalSoftmax
            ? Optional.of(HuffmanTree.of(words.counts()))
            : Optional.empty();
    int inputRows = grams.map(GramRows::rows).orElse(words.size());
    int outputRows = tree.isPresent() ? words.size() - 1 : words.size();
    Weights.check(settings.width(), inputRows, outputRows); // before anything grows with rows
    if (threads > 1 && settings.threading() instanceof Threading.Shared) {
      double pause = (double) totalWords() / Trainer.LOOKS / threads;
      long room = Weights.room(settings.width(), inputRows, outputRows, REPLICA_BYTES);
      int most = (int) (room / (4L * threads)); // of either kind: each and what it was
      double rate = settings.rate();
      this.hotInputs =
          HotRows.of(Heat.ofInputs(words, settings, grams), threads, rate, pause, most);
      this.hotOutputs =
          HotRows.of(Heat.ofOutputs(words, settings, tree), threads, rate, pause, most);
    } else {
      this.hotInputs = HotRows.NONE;
      this.hotOutputs = HotRows.NONE;
    }
    this.copies = frozen.isEmpty() ? 0 : 2 * settings.window();
    this.weights =
        Weights.zeros(
            settings.width(),
            inputRows,
            threads * spareInputs(),
            outputRows,
            threads * hotOutputs.size());
  }

  /** Prepares a training; the weights are zeros. */
  static Lesson of(EncodedCorpus corpus, TrainingSettings settings, BitSet frozen, int threads) {
    return new Lesson(corpus, settings, frozen, threads);
  }

  /** Returns the input rows that each thread has replicas of. */
  HotRows hotInputs() {
    return hotInputs;
  }

  /** Returns the output rows that each thread has replicas of. */
  HotRows hotOutputs() {
    return hotOutputs;
  }

  /** Returns a thread's spare input rows: replicas, then copies of the frozen rows of a window. */
  int spareInputs() {
    return hotInputs.size() + copies;
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
          "%s too few for %s; use fewer"
              .formatted(
                  Counted.of(counts.length, "word is", "words are"), Counted.of(blocks, "block")));
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

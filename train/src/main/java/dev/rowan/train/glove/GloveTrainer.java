package dev.rowan.train.glove;

import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.LossSums;
import dev.rowan.train.TableTrainer;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.Trainer.Ending;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingListener;
import dev.rowan.train.TrainingView;
import dev.rowan.train.corpus.Cooccurrences;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.kernel.PairKernels;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Trains rows by weighted least squares on co-occurrences.
 *
 * <p>Threads take buckets of pairs in turn and change the same rows without locks; with one thread
 * the same seed gives the same bytes. In each epoch the pairs of a bucket come in another order.
 * One thread runs it; {@link #stop} may be called from any. Close it to give the pairs' memory
 * back.
 */
public final class GloveTrainer implements TableTrainer {
  /** Looks at equal steps, beside the one at the start. */
  private static final int LOOKS = 20;

  private final CountedVocabulary vocabulary;
  private final Learned learned;
  private final long corpusWords;
  private final GloveSettings settings;
  private final Workers workers;
  private final Cooccurrences pairs;
  private final GloveRows rows;
  private int epoch; // whole epochs done
  private int bucket; // buckets done in the epoch that runs
  private long looked = -1; // after how many buckets rows were last looked at
  private LossSums losses = new LossSums();
  private volatile boolean stopped;

  private GloveTrainer(
      EncodedCorpus corpus, GloveSettings settings, Cooccurrences pairs, Workers workers) {
    this.vocabulary = corpus.vocabulary();
    this.learned = Learned.of(corpus);
    this.corpusWords = corpus.words();
    this.settings = settings;
    this.workers = workers;
    this.pairs = pairs;
    this.rows = GloveRows.of(settings, vocabulary.size(), PairKernels.best());
  }

  /**
   * Counts what comes near what, and makes rows that have learned nothing.
   *
   * @param corpus may be closed afterwards
   * @throws IllegalArgumentException if the rows do not fit the memory, or no two words of the text
   *     come near each other
   * @throws IOException if a temporary file cannot be written
   */
  public static GloveTrainer fresh(EncodedCorpus corpus, GloveSettings settings, Workers workers)
      throws IOException {
    Cooccurrences pairs = Cooccurrences.count(corpus, settings.window(), workers);
    try {
      if (pairs.pairs() == 0) {
        throw new IllegalArgumentException(
            "no two words of the text stand in one sentence; a line feed ends a sentence");
      }
      return new GloveTrainer(corpus, settings, pairs, workers);
    } catch (RuntimeException | Error e) {
      pairs.close();
      throw e;
    }
  }

  /**
   * Goes on from a checkpoint of the same text; with one thread to the same bytes.
   *
   * @throws IllegalArgumentException if it is of another text
   */
  public static GloveTrainer resumed(
      EncodedCorpus corpus, GloveCheckpoint checkpoint, Workers workers) throws IOException {
    GloveTrainer trainer = fresh(corpus, checkpoint.settings(), workers);
    try {
      checkpoint.restore(corpus, trainer.pairs, trainer.rows);
    } catch (RuntimeException | Error e) {
      trainer.close();
      throw e;
    }
    GloveCheckpoint.State state = checkpoint.state();
    trainer.epoch = state.epoch();
    trainer.bucket = state.bucket();
    trainer.looked = state.looked();
    trainer.losses = state.losses();
    return trainer;
  }

  @Override
  public void stop() {
    stopped = true;
  }

  @Override
  public Ending run(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    GloveLedger ledger =
        new GloveLedger(
            new GloveLedger.Course(total(), settings.rate(), this::words),
            done(),
            losses,
            listener,
            plan);
    lookIfDue(listener);
    while (epoch < settings.epochs()) {
      int to = (int) Math.min(pairs.buckets(), nextLook() - (long) epoch * pairs.buckets());
      AtomicInteger next = new AtomicInteger(bucket);
      try {
        workers.run(
            to - (long) bucket,
            () ->
                _ -> {
                  // a bucket that was taken is also done, so that those done are the first ones
                  int number = stopped || ledger.pauseIsDue() ? to : next.getAndIncrement();
                  if (number < to) {
                    ledger.add(epoch, learn(number), pairs.pairs(number));
                  }
                });
      } catch (CancellationException e) {
        bucket = Math.min(to, next.get());
        boolean interrupted = Thread.interrupted(); // files cannot be written while it is set
        save(listener, plan);
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        throw e;
      }
      bucket = Math.min(to, next.get());
      ledger.check();
      if (bucket == pairs.buckets()) {
        bucket = 0;
        listener.heard(new TrainingEvent.EpochEnded(++epoch, ledger.endEpoch()));
      }
      lookIfDue(listener); // before it is saved, so that what was seen is saved too
      if (stopped && epoch < settings.epochs()) {
        save(listener, plan);
        return Ending.STOPPED;
      }
      if (ledger.pauseIsDue()) {
        save(listener, plan);
        ledger.saved();
      }
    }
    if (!rows.isFinite()) {
      throw ledger.diverged();
    }
    return Ending.FINISHED;
  }

  /** Learns a bucket in an order that its number, the epoch and the seed decide. */
  private double learn(int number) {
    int[] records = pairs.read(number);
    int count = records.length / Cooccurrences.PLACES;
    SplittableRandom random =
        new SplittableRandom(
            (settings.seed() * 31 + epoch) * 0x9E3779B97F4A7C15L + number * 0xBF58476D1CE4E5B9L);
    double loss = 0;
    for (int left = count; left > 0; left--) {
      int at = Cooccurrences.PLACES * random.nextInt(left);
      int last = Cooccurrences.PLACES * (left - 1);
      loss += rows.learn(records[at], records[at + 1], Float.intBitsToFloat(records[at + 2]));
      records[at] = records[last];
      records[at + 1] = records[last + 1];
      records[at + 2] = records[last + 2];
    }
    return loss;
  }

  private long nextLook() {
    long all = (long) pairs.buckets() * settings.epochs();
    return looked < 0 ? 0 : Math.ceilDiv((looked * LOOKS / all + 1) * all, LOOKS);
  }

  private void lookIfDue(TrainingListener listener) {
    int buckets = pairs.buckets();
    long here = epoch * (long) buckets + bucket;
    if (here >= nextLook()) {
      double before =
          looked < 0 ? -1 : share(done((int) (looked / buckets), (int) (looked % buckets)));
      looked = here;
      listener.heard(new TrainingEvent.Look(share(done()), before, new View()));
    }
  }

  private double share(long pairsDone) {
    return (double) pairsDone / total();
  }

  private void save(TrainingListener listener, Optional<CheckpointPlan> plan) throws IOException {
    if (plan.isPresent()) {
      save(plan.get());
      listener.heard(new TrainingEvent.Saved(plan.get().file()));
    }
  }

  @Override
  public void save(CheckpointPlan plan) throws IOException {
    GloveCheckpoint.save(
        plan,
        new GloveCheckpoint.Text(settings, learned, pairs.pairs()),
        new GloveCheckpoint.State(epoch, bucket, looked, losses),
        rows);
  }

  /** Returns how many pairs have been learned, over all epochs. */
  private long done() {
    return done(epoch, bucket);
  }

  private long done(int epochs, int buckets) {
    long inEpoch = 0;
    for (int b = 0; b < buckets; b++) {
      inEpoch += pairs.pairs(b);
    }
    return epochs * pairs.pairs() + inEpoch;
  }

  private long total() {
    return Math.multiplyExact(pairs.pairs(), (long) settings.epochs());
  }

  /** Returns how many pairs of words come near each other, each counted from both sides. */
  public long pairs() {
    return pairs.pairs();
  }

  @Override
  public long wordsDone() {
    return words(done());
  }

  /** An epoch goes through all pairs, which stand for all words of the text. */
  private long words(long pairsDone) {
    return Math.round((double) pairsDone / pairs.pairs() * corpusWords);
  }

  @Override
  public Map<String, String> settingsAsText() {
    return settings.asText();
  }

  /** The rows of contexts are the output. */
  @Override
  public TrainedTable finish() {
    return new TrainedTable(
        vocabulary,
        rows.table(),
        Optional.of(rows.contexts()),
        Optional.empty(),
        settings.asText());
  }

  /** Gives the memory of the pairs, and the temporary file if there is one, back. */
  @Override
  public void close() throws IOException {
    pairs.close();
  }

  private final class View implements TrainingView {
    @Override
    public CountedVocabulary vocabulary() {
      return vocabulary;
    }

    @Override
    public Table rows() {
      return rows.table();
    }

    @Override
    public float[] initialRow(int word) {
      return rows.initialRow(word);
    }
  }
}

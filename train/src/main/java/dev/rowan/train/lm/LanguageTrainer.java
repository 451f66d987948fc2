package dev.rowan.train.lm;

import dev.rowan.core.OutOfRange;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.train.CheckpointPlan;
import dev.rowan.train.CheckpointWriter.Learned;
import dev.rowan.train.LossSums;
import dev.rowan.train.TrainingDivergedException;
import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingView;
import dev.rowan.train.corpus.CountedVocabulary;
import dev.rowan.train.corpus.EncodedCorpus;
import dev.rowan.train.lm.LanguageModel.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/**
 * Trains a language model on a text and measures it on sentences held back.
 *
 * <p>The same seed gives the same bytes, for any number of threads. {@link #stop} may be called
 * from any thread; all else is for one.
 */
public final class LanguageTrainer {
  /** Looks at equal steps, beside the one at the start. */
  private static final int LOOKS = 20;

  private final LanguageSettings settings;
  private final CountedVocabulary vocabulary;
  private final Learned learned;
  private final LanguageText training;
  private final LanguageText heldOut;
  private final Baselines baselines;
  private final LanguageModel model;
  private final List<LanguageReport.Epoch> epochs = new ArrayList<>();
  private volatile boolean stopping;
  private int epoch;
  private int batchesDone;
  private long looked = -1; // after how many batches rows were last looked at
  private double epochLoss;
  private LossSums losses = new LossSums();

  private LanguageTrainer(EncodedCorpus corpus, LanguageSettings settings, Workers workers) {
    this.settings = settings;
    this.vocabulary = corpus.vocabulary();
    this.learned = Learned.of(corpus);
    if (settings.sampled() > vocabulary.size()) {
      throw new OutOfRange(
          "sampled",
          settings.sampled(),
          "0 to %,d, the different tokens of the text".formatted(vocabulary.size()));
    }
    LanguageText.Split text = LanguageText.split(corpus, settings.heldOut(), settings.seed());
    this.training = text.training();
    this.heldOut = text.heldOut();
    this.baselines = Baselines.of(training);
    double[] unigrams =
        IntStream.rangeClosed(0, training.marker()).mapToDouble(baselines::unigram).toArray();
    this.model = new LanguageModel(settings, unigrams, workers);
  }

  /**
   * Makes a model that has learned nothing.
   *
   * @throws IllegalArgumentException if the text has too few sentences, or is too large for the
   *     heap
   */
  public static LanguageTrainer fresh(
      EncodedCorpus corpus, LanguageSettings settings, Workers workers) {
    return new LanguageTrainer(corpus, settings, workers);
  }

  /**
   * Goes on from a checkpoint of the same text.
   *
   * @throws IllegalArgumentException if it is of another text
   */
  public static LanguageTrainer resumed(
      EncodedCorpus corpus, LanguageCheckpoint checkpoint, Workers workers) {
    LanguageTrainer trainer = new LanguageTrainer(corpus, checkpoint.settings(), workers);
    checkpoint.restore(corpus, trainer.training.places(), trainer.model);
    LanguageCheckpoint.State state = checkpoint.state();
    trainer.epoch = state.epoch();
    trainer.batchesDone = state.batches();
    trainer.looked = state.looked();
    trainer.epochLoss = state.epochLoss();
    trainer.losses = state.losses();
    trainer.epochs.addAll(state.epochs());
    return trainer;
  }

  /** How a run ended. */
  public enum Ending {
    /** All epochs are done. */
    DONE,
    /** It was asked to stop; a checkpoint was saved if there is a plan for them. */
    STOPPED
  }

  /** Asks a run to stop after the batch it is at. */
  public void stop() {
    stopping = true;
  }

  /**
   * Trains until all epochs are done or {@link #stop} is called.
   *
   * @throws TrainingDivergedException if the loss is no number, or after an epoch worse than that
   *     of a blind guess, and the perplexity of the held-out text worse than its square
   * @throws IOException if a checkpoint cannot be written
   * @throws CancellationException if the thread is interrupted
   */
  public Ending run(LanguageEvent.Listener listener, Optional<CheckpointPlan> checkpoints)
      throws IOException {
    LanguageClock clock = new LanguageClock(System.nanoTime());
    if (epochs.isEmpty()) {
      measured(listener, Double.NaN);
    }
    lookIfDue(listener);
    while (epoch < settings.epochs()) {
      int[] places = shuffled(epoch);
      int batches = batches();
      while (batchesDone < batches) {
        checkInterrupt();
        if (stopping) {
          if (checkpoints.isPresent()) {
            save(checkpoints.get(), listener);
          }
          return Ending.STOPPED;
        }
        batch(places, batches, listener, clock);
        lookIfDue(listener); // before it is saved, so that what was seen is saved too
        if (checkpoints.isPresent() && clock.saveIsDue(checkpoints.get().every())) {
          save(checkpoints.get(), listener);
          clock.saved();
        }
      }
      epoch++;
      measured(listener, epochLoss / training.places());
      batchesDone = 0;
      epochLoss = 0;
    }
    return Ending.DONE;
  }

  private void batch(
      int[] places, int batches, LanguageEvent.Listener listener, LanguageClock clock) {
    int from = batchesDone * settings.batch();
    int count = Math.min(settings.batch(), places.length - from);
    double done = (epoch * (double) batches + batchesDone) / ((double) settings.epochs() * batches);
    double rate = settings.rate() * (1 - 0.9 * done);
    double loss = model.learn(training, places, from, count, new Step(rate, sampleSeed()));
    if (!Double.isFinite(loss)) {
      throw new TrainingDivergedException(
          epoch * (long) places.length + from, loss, rate, settings.lowerRate());
    }
    long before = tokens(epoch, batchesDone);
    batchesDone++;
    epochLoss += loss * count;
    losses.add(loss * count, count);
    long total = settings.epochs() * (long) places.length;
    if (LossSums.partEnds(before, before + count, total)) {
      listener.heard(
          new LanguageEvent.Seen(new TrainingEvent.Loss(before + count, losses.endPart(), rate)));
    }
    clock.add(count, loss * count);
    long now = System.nanoTime();
    if (clock.tellIsDue(now)) {
      listener.heard(clock.tell(now, epoch + 1, before + count, total));
    }
  }

  private int batches() {
    return Math.ceilDiv(training.places(), settings.batch());
  }

  /** Returns how many tokens come before a batch of an epoch, over all epochs. */
  private long tokens(int epochs, int batches) {
    long inEpoch = Math.min(training.places(), (long) batches * settings.batch());
    return epochs * (long) training.places() + inEpoch;
  }

  private void lookIfDue(LanguageEvent.Listener listener) {
    int batches = batches();
    long here = epoch * (long) batches + batchesDone;
    long all = (long) batches * settings.epochs();
    if (looked < 0 || here >= Math.ceilDiv((looked * LOOKS / all + 1) * all, LOOKS)) {
      double before =
          looked < 0 ? -1 : share(tokens((int) (looked / batches), (int) (looked % batches)));
      looked = here;
      listener.heard(
          new LanguageEvent.Seen(
              new TrainingEvent.Look(share(tokens(epoch, batchesDone)), before, view())));
    }
  }

  private double share(long tokens) {
    return tokens / ((double) settings.epochs() * training.places());
  }

  private TrainingView view() {
    long[] counts = Arrays.copyOf(vocabulary.counts(), vocabulary.size() + 1);
    counts[vocabulary.size()] = training.sentences() + heldOut.sentences();
    return new LanguageView(CountedVocabulary.of(TrainedLanguage.vocabulary(this), counts), model);
  }

  /** The same for the same batch, whether training was resumed or not. */
  private long sampleSeed() {
    return settings.seed() * 0x9E3779B97F4A7C15L + ((long) epoch << 32) + batchesDone;
  }

  private void measured(LanguageEvent.Listener listener, double trainingLoss) {
    double perplexity = model.measure(heldOut, LanguageTrainer::checkInterrupt).value();
    LanguageReport.Epoch done = new LanguageReport.Epoch(epoch, trainingLoss, perplexity);
    epochs.add(done);
    listener.heard(new LanguageEvent.Measured(done));
    // single batches may cost more and be made up for; who only learned by heart costs less here
    double guess = training.marker() + 1.0;
    if (Double.isNaN(perplexity)
        || (perplexity > guess * guess && trainingLoss > Math.log(guess))) {
      double rate = settings.rate();
      throw new TrainingDivergedException(
          tokens(epoch, 0), trainingLoss, rate, settings.lowerRate());
    }
  }

  private static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted while training");
    }
  }

  private void save(CheckpointPlan plan, LanguageEvent.Listener listener) throws IOException {
    save(plan);
    listener.heard(new LanguageEvent.Saved(plan.file()));
  }

  /** Saves what was learned, while it does not run. */
  public void save(CheckpointPlan plan) throws IOException {
    LanguageCheckpoint.save(
        plan,
        new LanguageCheckpoint.Text(settings, learned, training.places()),
        new LanguageCheckpoint.State(epoch, batchesDone, looked, epochLoss, losses, epochs),
        model);
  }

  /** Returns all places in the order of an epoch. */
  private int[] shuffled(int number) {
    int[] places = new int[training.places()];
    SplittableRandom random = new SplittableRandom(settings.seed() * 31 + number);
    for (int i = 0; i < places.length; i++) {
      int j = random.nextInt(i + 1);
      places[i] = places[j];
      places[j] = i;
    }
    return places;
  }

  /** Returns how many tokens have been learned from, over all epochs. */
  public long tokensDone() {
    return tokens(epoch, batchesDone);
  }

  /** Returns what was reached so far. */
  public LanguageReport report() {
    long table = model.input().rows() * settings.width();
    return new LanguageReport(
        model.parameters(),
        settings.tying() == LanguageSettings.Tying.TIED ? table : 2 * table,
        training.places(),
        heldOut.places(),
        baselines.unigramOn(heldOut).value(),
        baselines.trigramOn(heldOut).value(),
        epochs);
  }

  /** Returns the words; row i of the tables is word i, and one more row is the marker's. */
  public CountedVocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns the settings. */
  public LanguageSettings settings() {
    return settings;
  }

  /** Returns the input table: a row for each word, then the marker's. */
  public Table input() {
    return model.input().table();
  }

  /** Returns the output table where it is another. */
  public Optional<Table> output() {
    return settings.tying() == LanguageSettings.Tying.TIED
        ? Optional.empty()
        : Optional.of(model.output().table());
  }
}

package dev.rowan.train;

import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Search;
import dev.rowan.core.Table;
import dev.rowan.core.Workers;
import dev.rowan.train.corpus.CountedVocabulary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Keeps what a training shows: the loss, the mean cosine of all pairs of rows, how far rows have
 * moved by how often their words come, and the neighbours of chosen words.
 *
 * <p>A listener for one training; each look costs a copy of the table and a pass over it. Not
 * thread-safe beyond what listeners need.
 */
public final class TrainingReport implements TrainingListener {
  private static final int NEIGHBOURS = 8;
  private static final int CHOSEN = 8;

  /** Least counts of the bands, the first for what comes hardly ever. */
  private static final long[] BANDS = {1, 5, 10, 100, 1_000, 10_000, 100_000};

  private final List<String> words;
  private final Workers workers;
  private final List<LossPoint> losses = new ArrayList<>();
  private final List<Double> epochLosses = new ArrayList<>();
  private final List<Snapshot> snapshots = new ArrayList<>();

  /**
   * Makes an empty report.
   *
   * @param words whose neighbours are kept; if empty, frequent words of eight steps of rarity
   * @param workers who computes at each look
   */
  public TrainingReport(List<String> words, Workers workers) {
    this(words, workers, TrainingHistory.NONE);
  }

  /**
   * Makes a report that goes on.
   *
   * @param words as above, and as before
   * @param before what was seen before an interruption
   */
  public TrainingReport(List<String> words, Workers workers, TrainingHistory before) {
    this.words = new ArrayList<>(words);
    this.workers = workers;
    losses.addAll(before.losses());
    epochLosses.addAll(before.epochLosses());
    snapshots.addAll(before.snapshots());
  }

  /** Returns what was seen so far. */
  public synchronized TrainingHistory history() {
    return new TrainingHistory(losses, epochLosses, snapshots);
  }

  /**
   * The loss at a time.
   *
   * @param words words so far
   * @param loss in nats a prediction
   * @param rate the learning rate
   */
  public record LossPoint(long words, double loss, double rate) {}

  /**
   * Rows of words that come about equally often.
   *
   * @param least the least count of the band
   * @param rows how many there are
   * @param moved the mean distance from where they began
   * @param norm their mean norm
   */
  public record Band(long least, long rows, double moved, double norm) {}

  /** A word and its neighbours, by cosine. */
  public record Neighbourhood(String word, List<Neighbour> neighbours) {
    /** Copies the neighbours. */
    public Neighbourhood {
      neighbours = List.copyOf(neighbours);
    }
  }

  /** A neighbour and its cosine. */
  public record Neighbour(String word, double cosine) {}

  /**
   * The rows at a time.
   *
   * @param share of the training that is done
   * @param meanCosine the baseline: the mean over all pairs of rows
   * @param bands rows by how often their words come, empty bands left out
   * @param near the neighbours of the chosen words
   */
  public record Snapshot(
      double share, double meanCosine, List<Band> bands, List<Neighbourhood> near) {
    /** Copies the lists. */
    public Snapshot {
      bands = List.copyOf(bands);
      near = List.copyOf(near);
    }
  }

  @Override
  public synchronized void heard(TrainingEvent event) {
    switch (event) {
      case TrainingEvent.Loss(long words, double loss, double rate) ->
          losses.add(new LossPoint(words, loss, rate));
      case TrainingEvent.Look(double share, _, TrainingView view) -> look(share, view);
      case TrainingEvent.EpochEnded(_, double loss) -> epochLosses.add(loss);
      case TrainingEvent.Progress _, TrainingEvent.Saved _ -> {}
    }
  }

  private void look(double share, TrainingView view) {
    Table rows = view.rows();
    CountedVocabulary vocabulary = view.vocabulary();
    if (words.isEmpty()) {
      choose(vocabulary);
    }
    snapshots.add(
        new Snapshot(
            share,
            rows.statistics(workers).meanCosine(),
            bands(rows, view),
            near(rows, vocabulary)));
  }

  /** Chooses words at equal steps of the logarithm of rank, from the hundredth on. */
  private void choose(CountedVocabulary vocabulary) {
    double first = Math.min(100, vocabulary.size() / 10.0);
    double last = Math.max(first, vocabulary.size() / 4.0);
    for (int i = 0; i < CHOSEN; i++) {
      int id = (int) (first * Math.pow(last / Math.max(1, first), i / (CHOSEN - 1.0)));
      if (id < vocabulary.size() && vocabulary.vocabulary().has(id)) {
        String word = vocabulary.vocabulary().text(id);
        if (!words.contains(word)) {
          words.add(word);
        }
      }
    }
  }

  private List<Band> bands(Table rows, TrainingView view) {
    int words = view.vocabulary().size();
    double[] moved = new double[BANDS.length];
    double[] norms = new double[BANDS.length];
    long[] count = new long[BANDS.length];
    float[] row = new float[rows.width()];
    for (int w = 0; w < words; w++) {
      int band = band(view.vocabulary().count(w));
      if (band >= 0) {
        rows.copyRow(w, row, 0);
        float[] initial = view.initialRow(w);
        double distance = 0;
        double norm = 0;
        for (int k = 0; k < row.length; k++) {
          double step = row[k] - (double) initial[k];
          distance += step * step;
          norm += row[k] * (double) row[k];
        }
        moved[band] += Math.sqrt(distance);
        norms[band] += Math.sqrt(norm);
        count[band]++;
      }
    }
    List<Band> bands = new ArrayList<>();
    for (int b = 0; b < BANDS.length; b++) {
      if (count[b] > 0) {
        bands.add(new Band(BANDS[b], count[b], moved[b] / count[b], norms[b] / count[b]));
      }
    }
    return bands;
  }

  private static int band(long count) {
    int at = Arrays.binarySearch(BANDS, count);
    return at >= 0 ? at : -at - 2;
  }

  private List<Neighbourhood> near(Table rows, CountedVocabulary vocabulary) {
    List<String> known = new ArrayList<>();
    List<Query> queries = new ArrayList<>();
    for (String word : words) {
      OptionalInt id = vocabulary.vocabulary().id(word);
      if (id.isPresent()) {
        known.add(word);
        queries.add(Query.row(rows, id.getAsInt()));
      }
    }
    List<List<Hit>> found = Search.over(rows, workers).nearest(queries, Metric.COSINE, NEIGHBOURS);
    List<Neighbourhood> near = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      near.add(
          new Neighbourhood(
              known.get(i),
              found.get(i).stream()
                  .map(hit -> new Neighbour(vocabulary.vocabulary().text(hit.id()), hit.score()))
                  .toList()));
    }
    return near;
  }

  /** Returns the loss over time. */
  public synchronized List<LossPoint> losses() {
    return List.copyOf(losses);
  }

  /** Returns the mean loss of each epoch; NaN for one of which no window was sampled. */
  public synchronized List<Double> epochLosses() {
    return List.copyOf(epochLosses);
  }

  /**
   * Returns the rows at equal steps, the first before and the last after training; of a training
   * that went on from a checkpoint without a history, the first from there.
   */
  public synchronized List<Snapshot> snapshots() {
    return List.copyOf(snapshots);
  }
}

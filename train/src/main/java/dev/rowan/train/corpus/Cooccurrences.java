package dev.rowan.train.corpus;

import dev.rowan.core.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much words come near each other: for words i and j, the sum of 1/distance over all places of
 * a sentence where they are at most a window apart, on either side (Pennington et al. 2014, section
 * 4.2). Both (i, j) and (j, i) are there.
 *
 * <p>The pairs lie shuffled in buckets, 12 bytes a pair, on the heap as far as a quarter of it goes
 * and in a temporary file beyond. Counting takes bounded memory: rows of words are counted in
 * parts, and the text, which is ids by now, is gone through once a part. The same bytes for any
 * number of threads and any memory. Safe for any number of threads until {@link #close}.
 */
public final class Cooccurrences implements Closeable {
  /** What a pair takes in an array: row, column, the bits of the float. */
  public static final int PLACES = 3;

  /** Pairs of a bucket, about: small beside a cache and large beside the cost of a bucket. */
  private static final int BUCKET_PAIRS = 1 << 16;

  private static final int MOST_BUCKETS = 2048;

  /** Pairs that are put away together. */
  private static final int RUN_PAIRS = 1 << 10;

  private static final long MIX = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio

  private final IdStore store;
  private final List<List<IdStore.Run>> buckets = new ArrayList<>();
  private final int[][] open;
  private final int[] filled;
  private long pairs;

  private Cooccurrences(IdStore store, int count) {
    this.store = store;
    this.open = new int[count][PLACES * RUN_PAIRS];
    this.filled = new int[count];
    for (int b = 0; b < count; b++) {
      buckets.add(new ArrayList<>());
    }
  }

  /**
   * Counts.
   *
   * @param window the most words between two that count, plus one; 1 or more
   * @throws IOException if the temporary file cannot be written
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Cooccurrences count(EncodedCorpus corpus, int window, Workers workers)
      throws IOException {
    long places = Runtime.getRuntime().maxMemory() / 8 / 12 / workers.threads();
    return count(corpus, window, workers, (int) Math.min(1 << 28, places));
  }

  /** As above, with so many places for sums in each thread, or those of one row if it has more. */
  static Cooccurrences count(EncodedCorpus corpus, int window, Workers workers, int places)
      throws IOException {
    NearCounts.Plan plan = NearCounts.Plan.of(corpus, window, workers, places);
    int count = Math.clamp(plan.mostPairs() / BUCKET_PAIRS, 1, MOST_BUCKETS);
    IdStore store = new IdStore(Runtime.getRuntime().maxMemory() / 4);
    Cooccurrences all = new Cooccurrences(store, count);
    Turns turns = new Turns();
    try {
      workers.run(
          plan.parts(),
          () ->
              part -> {
                try {
                  NearCounts counts = NearCounts.of(corpus, plan, (int) part);
                  if (turns.await(part)) {
                    counts.forEach(all::add);
                    turns.next();
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  turns.leave(part);
                }
              });
      all.putAway();
      return all;
    } catch (UncheckedIOException e) {
      store.close();
      throw e.getCause();
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** Lets parts hand their pairs over in their own order. */
  private static final class Turns {
    private long now;
    private boolean broken;

    /** Waits for the turn of a part; returns whether it came. */
    synchronized boolean await(long part) {
      while (now < part && !broken) {
        try {
          wait();
        } catch (InterruptedException e) {
          broken = true;
          Thread.currentThread().interrupt();
        }
      }
      return !broken;
    }

    synchronized void next() {
      now++;
      notifyAll();
    }

    /** Wakes all others if a part goes without having had its turn. */
    synchronized void leave(long part) {
      if (now <= part) {
        broken = true;
        notifyAll();
      }
    }
  }

  private void add(int row, int column, float sum) throws IOException {
    long mixed = (PairCounts.key(row, column) + 1) * MIX;
    long upper = (mixed ^ (mixed >>> 32)) & 0xFFFFFFFFL;
    int bucket = (int) ((upper * open.length) >>> 32);
    int[] target = open[bucket];
    int at = filled[bucket];
    target[at] = row;
    target[at + 1] = column;
    target[at + 2] = Float.floatToRawIntBits(sum);
    filled[bucket] = at + PLACES;
    pairs++;
    if (filled[bucket] == target.length) {
      buckets.get(bucket).add(store.put(target.clone()));
      filled[bucket] = 0;
    }
  }

  private void putAway() throws IOException {
    for (int b = 0; b < open.length; b++) {
      buckets.get(b).add(store.put(Arrays.copyOf(open[b], filled[b])));
      open[b] = new int[0];
    }
  }

  /** Returns how many pairs there are. */
  public long pairs() {
    return pairs;
  }

  /** Returns how many buckets there are. */
  public int buckets() {
    return buckets.size();
  }

  /** Returns how many pairs a bucket has. */
  public int pairs(int bucket) {
    int places = 0;
    for (IdStore.Run run : buckets.get(bucket)) {
      places = Math.addExact(places, run.length());
    }
    return places / PLACES;
  }

  /**
   * Reads a bucket: {@value #PLACES} places a pair, its row, its column and the bits of the sum.
   *
   * @return the pairs of the bucket
   * @throws UncheckedIOException if the temporary file cannot be read
   */
  public int[] read(int bucket) {
    int[] target = new int[PLACES * pairs(bucket)];
    int at = 0;
    int[] piece = new int[PLACES * RUN_PAIRS];
    try {
      for (IdStore.Run run : buckets.get(bucket)) {
        run.read(0, run.length(), piece);
        System.arraycopy(piece, 0, target, at, run.length());
        at += run.length();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return target;
  }

  /** Gives the memory, and the temporary file if there is one, back. */
  @Override
  public void close() throws IOException {
    store.close();
  }
}

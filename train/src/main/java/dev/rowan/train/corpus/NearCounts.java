package dev.rowan.train.corpus;

import dev.rowan.core.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What comes near the words of some rows. Each row has a table of its own, so that all sums of a
 * place in the text lie together: every column's where it could have nearly all of them, else by
 * open addressing with room for the most it can have, so that no table ever grows.
 */
final class NearCounts {
  private final Plan plan;
  private final int first;
  private final int last;
  private final int[] starts;
  private final int[] keys; // column + 1; 0 is free
  private final double[] sums;

  private NearCounts(Plan plan, int part) {
    this.plan = plan;
    this.first = plan.firsts[part];
    this.last = plan.firsts[part + 1];
    this.starts = new int[last - first + 1];
    for (int row = first; row < last; row++) {
      starts[row - first + 1] = starts[row - first] + plan.places(row);
    }
    this.keys = new int[starts[last - first]];
    this.sums = new double[keys.length];
  }

  /** Takes a pair. */
  interface Taker {
    void take(int row, int column, float sum) throws IOException;
  }

  /** Which rows are counted together. */
  static final class Plan {
    private final int window;
    private final int columns;
    private final long[] occurrences;
    private int[] firsts = {0};
    private long mostPairs;

    private Plan(int window, long[] occurrences) {
      this.window = window;
      this.columns = occurrences.length;
      this.occurrences = occurrences;
    }

    /** Cuts rows into parts of about the same work, none of which needs more places. */
    static Plan of(EncodedCorpus corpus, int window, Workers workers, int places) {
      Plan plan = new Plan(window, occurrences(corpus));
      long work = Math.max(1, corpus.words() / (8L * workers.threads()));
      List<Integer> firsts = new ArrayList<>(List.of(0));
      long sums = 0;
      long words = 0;
      for (int row = 0; row < plan.columns; row++) {
        int own = plan.places(row);
        boolean begun = row > firsts.getLast();
        if (begun && (sums + own > places || words + plan.occurrences[row] > work)) {
          firsts.add(row);
          sums = 0;
          words = 0;
        }
        sums += own;
        words += plan.occurrences[row];
        plan.mostPairs += plan.most(row);
      }
      firsts.add(plan.columns);
      plan.firsts = firsts.stream().mapToInt(Integer::intValue).toArray();
      return plan;
    }

    private static long[] occurrences(EncodedCorpus corpus) {
      long[] occurrences = new long[corpus.vocabulary().size()];
      int[] ids = new int[corpus.mostIds()];
      for (int unit = 0; unit < corpus.units(); unit++) {
        int count = corpus.read(unit, ids);
        for (int i = 0; i < count; i++) {
          if (ids[i] >= 0) {
            occurrences[ids[i]]++;
          }
        }
      }
      return occurrences;
    }

    int parts() {
      return firsts.length - 1;
    }

    /** Returns how many pairs there can be. */
    long mostPairs() {
      return mostPairs;
    }

    private long most(int row) {
      return Math.min(columns, 2L * window * occurrences[row]);
    }

    private boolean isDense(int row) {
      return 2 * most(row) >= columns;
    }

    private int places(int row) {
      return isDense(row) ? columns : Integer.highestOneBit((int) (2 * most(row)) | 1) << 1;
    }
  }

  /** Counts the pairs of a part. */
  static NearCounts of(EncodedCorpus corpus, Plan plan, int part) {
    NearCounts counts = new NearCounts(plan, part);
    int[] ids = new int[corpus.mostIds()];
    for (int unit = 0; unit < corpus.units(); unit++) {
      int count = corpus.read(unit, ids);
      for (int at = 0; at < count; at++) {
        if (ids[at] >= counts.first && ids[at] < counts.last) {
          counts.around(ids, at, count);
        }
      }
    }
    return counts;
  }

  private void around(int[] ids, int at, int count) {
    int row = ids[at];
    for (int i = at - 1; i >= 0 && at - i <= plan.window && ids[i] >= 0; i--) {
      add(row, ids[i], 1.0 / (at - i));
    }
    for (int i = at + 1; i < count && i - at <= plan.window && ids[i] >= 0; i++) {
      add(row, ids[i], 1.0 / (i - at));
    }
  }

  private void add(int row, int column, double amount) {
    int start = starts[row - first];
    int place;
    if (plan.isDense(row)) {
      place = start + column;
      keys[place] = column + 1;
    } else {
      int mask = starts[row - first + 1] - start - 1;
      int slot = ((column * 0x9E3779B9) >>> 7) & mask;
      while (keys[start + slot] != 0 && keys[start + slot] != column + 1) {
        slot = (slot + 1) & mask;
      }
      place = start + slot;
      keys[place] = column + 1;
    }
    sums[place] += amount;
  }

  /** Hands every pair over, rows and columns in ascending order. */
  void forEach(Taker taker) throws IOException {
    for (int row = first; row < last; row++) {
      int start = starts[row - first];
      int end = starts[row - first + 1];
      long[] found = new long[end - start];
      int count = 0;
      for (int place = start; place < end; place++) {
        if (keys[place] != 0) {
          found[count++] = (long) keys[place] << 32 | place;
        }
      }
      Arrays.sort(found, 0, count);
      for (int i = 0; i < count; i++) {
        int column = (int) (found[i] >>> 32) - 1;
        taker.take(row, column, (float) sums[(int) found[i]]);
      }
    }
  }
}

package dev.rowan.core;

import java.util.Arrays;

/** Which rows a search may answer with. */
public sealed interface Scope {

  /** Every row. */
  record All() implements Scope {}

  /**
   * Consecutive rows, such as the most frequent ones of a vocabulary in frequency order.
   *
   * @param from the first id, 0 or more
   * @param to the id after the last, at least {@code from}
   */
  record Range(long from, long to) implements Scope {
    /** Checks the bounds. */
    public Range {
      if (from < 0 || to < from) {
        throw new IllegalArgumentException(
            "rows [%d, %d) are no range; it takes 0 <= from <= to".formatted(from, to));
      }
    }
  }

  /**
   * The given rows. Only they are read.
   *
   * @param ids the rows, in any order; duplicates count once
   */
  @SuppressWarnings("ArrayRecordComponent") // copied on the way in, read inside this package only
  record Of(long... ids) implements Scope {
    /** Sorts the ids and drops duplicates. */
    public Of {
      ids = Arrays.stream(ids).sorted().distinct().toArray();
    }
  }

  /** Returns every row. */
  static Scope all() {
    return new All();
  }

  /** Returns rows [from, to). */
  static Scope range(long from, long to) {
    return new Range(from, to);
  }

  /** Returns the given rows. */
  static Scope of(long... ids) {
    return new Of(ids);
  }
}

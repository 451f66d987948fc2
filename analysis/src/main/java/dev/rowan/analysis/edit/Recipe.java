package dev.rowan.analysis.edit;

import java.util.List;

/** How a row that is not an old one is made from the old ones. */
sealed interface Recipe {
  /** Returns the recipe in words, for people. */
  String description();

  /** Zeros. */
  record Zeros() implements Recipe {
    @Override
    public String description() {
      return "zeros";
    }
  }

  /** The mean of all finite rows. */
  record Mean() implements Recipe {
    @Override
    public String description() {
      return "the mean of all rows";
    }
  }

  /** Drawn around the mean. */
  record Draw(long seed) implements Recipe {
    @Override
    public String description() {
      return "drawn around the mean, 1e-9 of the covariance, seed " + seed;
    }
  }

  /** A weighted sum of rows. */
  record Weighted(List<Term> terms, String description) implements Recipe {
    /** Copies the terms. */
    public Weighted {
      terms = List.copyOf(terms);
    }

    /** A row and its weight. */
    record Term(long id, double weight) {}

    static Weighted meanOf(long[] ids, String description) {
      double weight = 1.0 / ids.length;
      return new Weighted(
          java.util.Arrays.stream(ids).mapToObj(id -> new Term(id, weight)).toList(), description);
    }
  }
}

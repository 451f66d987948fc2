package dev.rowan.analysis.edit;

import dev.rowan.core.OutOfRange;

/** What new rows start as. Every figure is over the rows as they were before the edit. */
public sealed interface Initialisation {

  /** The mean of all rows that are finite. */
  record Mean() implements Initialisation {}

  /**
   * Drawn from the normal distribution with the mean of all rows and 1e-9 times their covariance (÷
   * V), as Hewitt proposed in 2021 and transformers does: the model gives the new tokens
   * probabilities close to those of a typical one.
   *
   * @param seed the same seed gives the same rows, for any number of threads
   */
  record MeanAndCovariance(long seed) implements Initialisation {}

  /**
   * The mean of the rows of the pieces into which the model's own tokenizer splits the new token's
   * text; the mean of all rows where there is no text or no piece.
   */
  record Pieces() implements Initialisation {}

  /**
   * Where a tokenizer is transplanted from another model: the mean of the rows of those shared
   * tokens that are nearest to the new one in that model's table, weighted by cosine.
   *
   * @param count how many, 1 or more
   */
  record Neighbours(int count) implements Initialisation {
    /** Checks the count. */
    public Neighbours {
      OutOfRange.atLeast("neighbours", count, 1);
    }
  }

  /** Zeros: such a row has no direction and its token the logit 0. */
  record Zeros() implements Initialisation {}

  /**
   * The row of another token.
   *
   * @param id its id
   */
  record CopyOf(long id) implements Initialisation {}
}

package dev.rowan.layer;

/**
 * How a bag of rows becomes one row. r are the rows of the bag without padding, w their weights (1
 * without weights). An empty bag is a row of zeros, and so is a bag whose divisor is 0.
 */
public enum Pooling {
  /** Σ w·r. */
  SUM,
  /** Σ w·r / Σ w. */
  MEAN,
  /** The largest of each column; a NaN wins; takes no weights. The first of equals is the one. */
  MAX,
  /** Σ w·r / √(Σ w²): TensorFlow's {@code sqrtn}. */
  SQRTN
}

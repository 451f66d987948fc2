package dev.rowan.core;

/** How two vectors are compared. Larger is closer, for each. */
public enum Metric {
  /** The cosine of the angle, in [−1, 1]; 0 where either vector is zero. */
  COSINE,
  /** The dot product. */
  DOT,
  /** The Euclidean distance with its sign turned, so 0 is closest. */
  EUCLIDEAN
}

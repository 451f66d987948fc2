package dev.rowan.analysis.audit;

import java.util.Locale;

/**
 * What a token is suspected by; the lower, the more (Land and Bartolo 2024, "Fishing for Magikarp",
 * section 3). u is the mean of rows known to be unused.
 */
public enum Indicator {
  /** The norm of the input row; for models whose two tables are apart. Needs no reference. */
  NORM("norm of the row"),
  /** 1 − cosine of the output row and u. */
  COSINE("cosine distance to the unused rows"),
  /** The same after the mean row is subtracted from all. */
  CENTRED("cosine distance to the unused rows, centred"),
  /** The same after the first principal component is removed from all. */
  COMPONENT_REMOVED("cosine distance to the unused rows, first component removed"),
  /** The Euclidean distance of the output row and u. */
  DISTANCE("distance to the unused rows");

  private final String title;

  Indicator(String title) {
    this.title = title;
  }

  /** Returns what it measures, for people. */
  public String title() {
    return title;
  }

  /** Returns the name for users, such as {@code component-removed}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether it needs rows that are known to be unused. */
  public boolean needsReference() {
    return this != NORM;
  }
}

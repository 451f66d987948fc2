package dev.rowan.core;

/** How a model's output table relates to its input table. */
public enum Tie {
  /** The input table is used again at the output. */
  TIED,
  /** Both tables are stored and hold the same bytes. */
  TIED_STORED_TWICE,
  /** The output has a table of its own. */
  UNTIED,
  /** The file has no output table and says that the input table does not stand in for it. */
  NO_OUTPUT,
  /** The file does not say. */
  UNKNOWN;

  /** Returns whether the same numbers serve at both ends. */
  public boolean isTied() {
    return this == TIED || this == TIED_STORED_TWICE;
  }
}

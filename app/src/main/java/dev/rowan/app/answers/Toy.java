package dev.rowan.app.answers;

import dev.rowan.core.Table;
import java.util.List;

/** A table small enough to write out: five tokens of width four. */
public final class Toy {
  /** Its tokens, by id. */
  public static final List<String> TOKENS = List.of("the", "cat", "sat", "dog", "mat");

  /** The row that examples look up. */
  public static final int ID = 3;

  private Toy() {}

  /** Returns the table. */
  public static Table table() {
    return Table.of(
        4, 0.25f, -0.50f, 0.75f, 0.10f, // the
        0.90f, 0.30f, -0.20f, 0.60f, // cat
        -0.40f, 0.80f, 0.50f, -0.70f, // sat
        0.85f, 0.35f, -0.10f, 0.55f, // dog
        0.60f, -0.15f, 0.45f, 0.20f); // mat
  }
}

package dev.rowan.analysis.edit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where each row of the edited tables comes from: an old row as it is, or a recipe over old rows.
 * It is the same for every table of a model, so that they stay in step. Not for several threads
 * while it changes.
 */
final class RowLayout {
  private final long oldRows;
  private long[] sources; // the old id, or −1 − the place of a recipe
  private final List<Recipe> recipes = new ArrayList<>();
  private final Map<Recipe, Integer> placeOf = new HashMap<>();

  RowLayout(long oldRows) {
    this.oldRows = oldRows;
    this.sources = new long[length(oldRows)];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = i;
    }
  }

  /** Checks how many rows there will be. */
  static int length(long rows) {
    if (rows < 1 || rows > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the table would have %,d rows; it takes 1 to 2^31 − 9".formatted(rows));
    }
    return (int) rows;
  }

  long oldRows() {
    return oldRows;
  }

  long rows() {
    return sources.length;
  }

  /** Returns the old row that this one is; −1 if it is made anew. */
  long source(long row) {
    return Math.max(-1, sources[(int) row]);
  }

  /** Returns how a row is made; empty if it is an old one. */
  Optional<Recipe> recipe(long row) {
    long source = sources[(int) row];
    return source >= 0 ? Optional.empty() : Optional.of(recipes.get((int) (-1 - source)));
  }

  /** Returns all recipes. */
  List<Recipe> recipes() {
    return List.copyOf(recipes);
  }

  /** Returns whether every row is where it was. */
  boolean isUnchanged() {
    for (int i = 0; i < sources.length; i++) {
      if (sources[i] != i) {
        return false;
      }
    }
    return sources.length == oldRows;
  }

  void append(long count, Recipe recipe) {
    int before = sources.length;
    sources = Arrays.copyOf(sources, length(Math.addExact(before, count)));
    Arrays.fill(sources, before, sources.length, add(recipe));
  }

  void set(long row, Recipe recipe) {
    sources[(int) row] = add(recipe);
  }

  /** Makes a row an old one. */
  void set(long row, long oldId) {
    sources[(int) row] = oldId;
  }

  void swap(long a, long b) {
    long kept = sources[(int) a];
    sources[(int) a] = sources[(int) b];
    sources[(int) b] = kept;
  }

  /** Begins anew with so many rows, each of which is to be set. */
  void restart(long rows) {
    sources = new long[length(rows)];
    Arrays.fill(sources, add(new Recipe.Zeros()));
  }

  /** Keeps these rows, in this order. */
  void keep(long[] rows) {
    long[] kept = new long[length(rows.length)];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = sources[(int) rows[i]];
    }
    sources = kept;
  }

  private long add(Recipe recipe) {
    Integer known = placeOf.get(recipe);
    if (known != null) {
      return -1L - known;
    }
    placeOf.put(recipe, recipes.size());
    recipes.add(recipe);
    return -(long) recipes.size();
  }
}

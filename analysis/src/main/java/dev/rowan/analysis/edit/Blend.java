package dev.rowan.analysis.edit;

import dev.rowan.core.Table;

/** A table mixed with others of its shape, number by number. */
sealed interface Blend {

  /** Reads a row of the mixture. */
  interface Reader {
    void read(long row, float[] target);
  }

  /** Returns what is done in words, for people. */
  String description();

  /** Returns a reader with its own scratch memory. */
  Reader reader(Table table);

  /** (1 − weight) · table + weight · other. */
  record Mean(Table other, double weight) implements Blend {
    @Override
    public String description() {
      return "%s × itself + %s × the other model's".formatted(1 - weight, weight);
    }

    @Override
    public Reader reader(Table table) {
      float[] theirs = new float[table.width()];
      return (row, target) -> {
        table.copyRow(row, target, 0);
        other.copyRow(row, theirs, 0);
        for (int i = 0; i < target.length; i++) {
          target[i] = (float) ((1 - weight) * target[i] + weight * theirs[i]);
        }
      };
    }
  }

  /** table + weight · (tuned − base). */
  record Difference(Table tuned, Table base, double weight) implements Blend {
    @Override
    public String description() {
      return "plus %s × (tuned − base)".formatted(weight);
    }

    @Override
    public Reader reader(Table table) {
      float[] after = new float[table.width()];
      float[] before = new float[table.width()];
      return (row, target) -> {
        table.copyRow(row, target, 0);
        tuned.copyRow(row, after, 0);
        base.copyRow(row, before, 0);
        for (int i = 0; i < target.length; i++) {
          target[i] = (float) (target[i] + weight * ((double) after[i] - before[i]));
        }
      };
    }
  }
}

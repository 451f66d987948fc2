package dev.rowan.analysis.audit;

import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Tables with rows whose faults are known because the test put them there. */
final class Planted {
  static final int ROWS = 600;
  static final int WIDTH = 48;
  static final long SEED = 20240511;

  final float[] values = new float[ROWS * WIDTH];
  final List<@Nullable String> words = new ArrayList<>();
  final Random random = new Random(SEED);

  /**
   * Rows 0 to 39 are unused: one vector with a little noise. The others are trained: far from it.
   */
  Planted() {
    float[] unused = noise(0.02);
    for (int id = 0; id < ROWS; id++) {
      boolean used = id >= 40;
      words.add(used ? "w" + id : "[unused" + id + "]");
      set(id, used ? noise(0.1 + 0.02 * random.nextDouble()) : plus(unused, noise(0.001)));
    }
  }

  float[] noise(double sd) {
    float[] row = new float[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      row[i] = (float) (sd * random.nextGaussian());
    }
    return row;
  }

  static float[] plus(float[] a, float[] b) {
    float[] sum = a.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += b[i];
    }
    return sum;
  }

  Planted set(int id, float... row) {
    System.arraycopy(row, 0, values, id * WIDTH, WIDTH);
    return this;
  }

  float[] row(int id) {
    return java.util.Arrays.copyOfRange(values, id * WIDTH, (id + 1) * WIDTH);
  }

  Table table() {
    return Table.of(WIDTH, values);
  }

  Vocabulary vocabulary() {
    return Vocabulary.of(Spelling.WORDPIECE, words, new BitSet());
  }

  Audit audit(Tie tie, AuditOptions options) {
    Table table = table();
    try (Workers workers = Workers.of(2)) {
      return Audit.of(
          new Audit.Subject(table, table, tie, Optional.of(vocabulary()), Optional.empty()),
          options,
          workers);
    }
  }

  Audit audit() {
    return audit(Tie.TIED, AuditOptions.DEFAULT);
  }

  static List<Long> ids(Audit audit, Rule rule) {
    return audit.found(rule).stream().map(Finding::id).toList();
  }
}

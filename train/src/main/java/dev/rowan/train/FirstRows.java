package dev.rowan.train;

import dev.rowan.core.Table;
import java.util.OptionalInt;

/**
 * The rows that a training begins with: random, or those of another table.
 *
 * @param start which
 * @param dealing where rows lie
 */
record FirstRows(Lesson lesson, Start start, Dealing dealing) {

  /** Returns the row that a word begins with. */
  float[] of(int word) {
    float[] row = new float[lesson.settings().width()];
    Draw draw = new Draw();
    if (lesson.grams().isEmpty()) {
      initial(word, draw, row, 0);
      return row;
    }
    GramRows grams = lesson.grams().get();
    int count = grams.parts(word);
    float[] part = new float[row.length];
    for (int i = 0; i < count; i++) {
      lesson.weights().initial(grams.row(word, i), draw, lesson.settings().seed(), part, 0);
      for (int k = 0; k < row.length; k++) {
        row[k] += part[k] / count;
      }
    }
    return row;
  }

  /** Fills all rows of a training that begins. */
  void fill() {
    Weights weights = lesson.weights();
    Draw draw = new Draw();
    long seed = lesson.settings().seed();
    int words = lesson.corpus().vocabulary().size();
    for (int row = words; row < weights.inputRows(); row++) {
      weights.fill(row, draw, seed);
    }
    for (int word = 0; word < words; word++) {
      int at = weights.offset(dealing.row(word));
      initial(word, draw, weights.input(), at);
      takeOverOutput(word, weights, weights.offset(dealing.row(word)));
    }
  }

  private void initial(int word, Draw draw, float[] target, int at) {
    OptionalInt known = start.rowIn(lesson.corpus().vocabulary().vocabulary(), word);
    if (known.isEmpty()) {
      lesson.weights().initial(word, draw, lesson.settings().seed(), target, at);
      return;
    }
    Table from = start.from().orElseThrow().input().table();
    checkWidth(from);
    from.copyRow(known.getAsInt(), target, at);
  }

  private void takeOverOutput(int word, Weights weights, int at) {
    if (start.from().isEmpty()
        || start.from().get().output().isEmpty()
        || lesson.tree().isPresent()) {
      return; // output rows begin as zeros; those of a tree belong to no word
    }
    Table from = start.from().get().output().get().table();
    OptionalInt known = start.rowIn(lesson.corpus().vocabulary().vocabulary(), word);
    if (known.isPresent() && known.getAsInt() < from.rows()) {
      checkWidth(from);
      from.copyRow(known.getAsInt(), weights.output(), at);
    }
  }

  private void checkWidth(Table from) {
    if (from.width() != lesson.settings().width()) {
      throw new IllegalArgumentException(
          "the table to go on from has width %d but %d is asked for; give that width"
              .formatted(from.width(), lesson.settings().width()));
    }
  }
}

package dev.rowan.app.answers;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Query;
import dev.rowan.core.SubwordVectors;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Turns typed words into rows of one table, or into vectors that the model composes for words
 * without a row, as fastText does. A word that is neither is an IllegalArgumentException.
 */
public final class Asking {
  private static final Pattern IS_WORD =
      Pattern.compile("(?!#\\d+$)[^\\s]+", Pattern.UNICODE_CHARACTER_CLASS);

  private final OpenModel model;
  private final NamedTable table;
  private final Asked asked;

  public Asking(OpenModel model, NamedTable table) throws IOException {
    this.model = model;
    this.table = table;
    this.asked = model.asked();
  }

  /**
   * A place to search from.
   *
   * @param ids the row, or the rows whose mean it is; none for a word that has no row
   * @param tokens their tokens, as plain text
   * @param title its name for people
   * @param remark which spelling a word was taken for, where there was a choice, or that the word
   *     has no row
   * @param respelled how, if its row is that of another case or of no accents
   * @param ngrams how many n-grams the vector of a word without a row is the mean of; 0 otherwise
   */
  public record Point(
      Query query,
      List<Long> ids,
      List<String> tokens,
      String title,
      Optional<String> remark,
      Optional<String> respelled,
      int ngrams) {
    /** Copies the lists. */
    public Point {
      ids = List.copyOf(ids);
      tokens = List.copyOf(tokens);
    }

    /** Returns the vector of a word that has no row, as the float32 numbers that it was made of. */
    public float[] values() {
      double[] vector = query.vector();
      float[] values = new float[vector.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) vector[i];
      }
      return values;
    }

    /** Returns the id of a single row; empty for a mean and for a word that has no row. */
    public OptionalLong id() {
      return ids.size() == 1 ? OptionalLong.of(ids.getFirst()) : OptionalLong.empty();
    }
  }

  /**
   * A row and how the word was taken.
   *
   * @param remark which spelling the word was taken for, and which others there are
   * @param choice the first half of that, where the word was not taken as typed
   * @param respelled how, if the row is that of another case or of no accents
   */
  public record Named(
      long id, Optional<String> remark, Optional<String> choice, Optional<String> respelled) {}

  /** Returns the row that a word means, whatever numbers it holds. */
  public Named named(String typed) throws IOException {
    Resolution resolution = model.resolve(typed, table);
    Optional<Point> composed = composed(resolution);
    if (composed.isPresent()) {
      throw new IllegalArgumentException(
          "%s; rows alone can be asked for here (near, row, similar, score and analogy take such a vector)"
              .formatted(composed.get().remark().orElseThrow()));
    }
    return named(resolution);
  }

  /** Returns the vector of a word that has no row; empty if it has one, or no vector either. */
  public Optional<Point> composed(String typed) throws IOException {
    return composed(model.resolve(typed, table));
  }

  private Optional<Point> composed(Resolution resolution) throws IOException {
    Lexicon lexicon = model.lexicon();
    String word = resolution.typed();
    if (resolution instanceof Single
        || !IS_WORD.matcher(word).matches()
        || lexicon.subwords().isEmpty()
        || !table.tensor().equals(lexicon.input().tensor())) {
      return Optional.empty();
    }
    SubwordVectors subwords = lexicon.subwords().get();
    int count = subwords.partsOf(word);
    return subwords
        .vectorOf(word)
        .map(vector ->
            new Point(
                placed(word, vector, lexicon.input()),
                List.of(),
                List.of(word),
                "%s (mean of %,d n-grams)".formatted(Shown.token(word), count),
                Optional.of(
                    "%s has no row; its vector is the mean of %,d n-grams"
                        .formatted(Shown.quoted(word), count)),
                Optional.empty(),
                count));
  }

  /** Moves a vector as the rows of the table were moved, if they were: see {@link Centring}. */
  private Query placed(String word, float[] vector, NamedTable input) {
    float[] placed = vector.clone();
    if (table.table() != input.table()) {
      double[] mean = Centring.mean(input.table(), model.workers());
      for (int i = 0; i < placed.length; i++) {
        placed[i] = (float) (placed[i] - mean[i]);
      }
    }
    checkFinite(placed, Shown.quoted(word));
    return Query.of(placed);
  }

  private Named named(Resolution resolution) {
    long id = asked.single(resolution).id();
    return resolution instanceof Single single
        ? new Named(id, asked.remark(single), asked.choice(single), asked.respelled(single))
        : new Named(id, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the row that a word means, or the vector of one that has none, as a place to search
   * from; its numbers must be finite.
   */
  public Point point(String typed) throws IOException {
    return point(model.resolve(typed, table));
  }

  /** Returns the row that a word means as a place to search from; its numbers must be finite. */
  public Point rowPoint(String typed) throws IOException {
    return point(named(typed));
  }

  private Point point(Resolution resolution) throws IOException {
    Optional<Point> composed = composed(resolution);
    return composed.isPresent() ? composed.get() : point(named(resolution));
  }

  private Point point(Named named) {
    return new Point(
        query(named.id()),
        List.of(named.id()),
        List.of(asked.text(named.id())),
        "%s #%d".formatted(asked.name(named.id()), named.id()),
        named.remark(),
        named.respelled(),
        0);
  }

  private Query query(long id) {
    checkFinite(id);
    return Query.row(table.table(), id);
  }

  /** Says which number of which token is in the way, if one is. */
  void checkFinite(long id) {
    checkFinite(table.table().row(id), "%s #%d".formatted(asked.name(id), id));
  }

  private static void checkFinite(float[] row, String name) {
    for (int i = 0; i < row.length; i++) {
      if (!Float.isFinite(row[i])) {
        throw new IllegalArgumentException(
            "%s holds %s at column %d, so nothing can be compared with it; \"rowan audit\" lists such rows, \"rowan edit --reset\" starts one anew"
                .formatted(name, Float.isNaN(row[i]) ? "NaN" : "an infinity", i));
      }
    }
  }

  /** Returns the row that a word means, or the mean of the rows of its pieces. */
  public Point pointOrMean(String typed) throws IOException {
    Resolution resolution = model.resolve(typed, table);
    if (!(resolution instanceof Several several)) {
      return point(resolution);
    }
    long[] ids = several.pieces().stream().mapToLong(Long::longValue).toArray();
    double[] mean = new double[table.table().width()];
    for (long id : ids) {
      double[] row = query(id).vector();
      for (int i = 0; i < mean.length; i++) {
        mean[i] += row[i] / ids.length;
      }
    }
    return new Point(
        Query.of(mean).excluding(ids),
        several.pieces(),
        several.pieces().stream().map(asked::text).toList(),
        "mean of "
            + several.pieces().stream()
                .map(id -> asked.name(id) + " #" + id)
                .collect(Collectors.joining(" and ")),
        Optional.empty(),
        Optional.empty(),
        0);
  }
}

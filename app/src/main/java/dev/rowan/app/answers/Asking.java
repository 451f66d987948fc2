package dev.rowan.app.answers;

import dev.rowan.core.NamedTable;
import dev.rowan.core.Query;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Several;
import dev.rowan.text.Resolution.Single;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Turns typed words into rows of one table. A word that is no row is an IllegalArgumentException.
 */
public final class Asking {
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
   * @param ids the row, or the rows whose mean it is
   * @param tokens their tokens, as plain text
   * @param title its name for people
   * @param remark which spelling a word was taken for, where there was a choice
   */
  public record Point(
      Query query, List<Long> ids, List<String> tokens, String title, Optional<String> remark) {
    /** Copies the lists. */
    public Point {
      ids = List.copyOf(ids);
      tokens = List.copyOf(tokens);
    }

    /** Returns the id of a single row. */
    public long id() {
      return ids.getFirst();
    }
  }

  /**
   * A row and how the word was taken.
   *
   * @param remark which spelling the word was taken for, and which others there are
   * @param choice the first half of that, where the word was not taken as typed
   */
  public record Named(long id, Optional<String> remark, Optional<String> choice) {}

  /** Returns the row that a word means, whatever numbers it holds. */
  public Named named(String typed) throws IOException {
    return named(model.resolve(typed, table));
  }

  private Named named(Resolution resolution) {
    long id = asked.single(resolution).id();
    return resolution instanceof Single single
        ? new Named(id, asked.remark(single), asked.choice(single))
        : new Named(id, Optional.empty(), Optional.empty());
  }

  /** Returns the row that a word means as a place to search from; its numbers must be finite. */
  public Point point(String typed) throws IOException {
    return point(named(typed));
  }

  private Point point(Named named) {
    return new Point(
        query(named.id()),
        List.of(named.id()),
        List.of(asked.text(named.id())),
        "%s #%d".formatted(asked.name(named.id()), named.id()),
        named.remark());
  }

  private Query query(long id) {
    checkFinite(id);
    return Query.row(table.table(), id);
  }

  /** Says which number of which token is in the way, if one is. */
  void checkFinite(long id) {
    float[] row = table.table().row(id);
    for (int i = 0; i < row.length; i++) {
      if (!Float.isFinite(row[i])) {
        throw new IllegalArgumentException(
            "%s #%d holds %s at column %d, so nothing can be compared with it; \"rowan audit\" lists such rows, \"rowan edit --reset\" starts one anew"
                .formatted(asked.name(id), id, Float.isNaN(row[i]) ? "NaN" : "an infinity", i));
      }
    }
  }

  /** Returns the row that a word means, or the mean of the rows of its pieces. */
  public Point pointOrMean(String typed) throws IOException {
    Resolution resolution = model.resolve(typed, table);
    if (!(resolution instanceof Several several)) {
      return point(named(resolution));
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
        Optional.empty());
  }
}

package dev.rowan.analysis.audit;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Rows that are known to be unused: no text leads to their tokens.
 *
 * @param kind how that is known
 * @param ids the rows, ascending; at least one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reference(Kind kind, long... ids) {

  /** How rows are known to be unused; the first kind that a table has serves. */
  public enum Kind {
    /** Byte tokens F5 to FF of a byte-level vocabulary: no UTF-8 text holds them. */
    IMPOSSIBLE_BYTES("bytes that no UTF-8 text holds"),
    /** Tokens whose name says so, such as {@code [unused7]}. */
    DECLARED_UNUSED("tokens declared unused"),
    /** Rows beyond the vocabulary. */
    PADDING("rows without a token"),
    /** ASCII byte tokens beside ordinary tokens for the same text, and impossible bytes. */
    SHADOWED_BYTES("byte tokens that ordinary tokens shadow"),
    /** Named by the user. */
    NAMED("rows named by the user");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Returns what the rows are, for people. */
    public String title() {
      return title;
    }
  }

  /** Copies the ids. */
  public Reference {
    ids = ids.clone();
  }

  @Override
  public long[] ids() {
    return ids.clone();
  }

  int[] rows() {
    return Arrays.stream(ids).mapToInt(id -> (int) id).toArray();
  }

  /**
   * Finds rows that are known to be unused. Zero and non-finite rows do not serve: they have no
   * direction.
   */
  static Optional<Reference> find(
      Optional<Vocabulary> vocabulary, TokenClasses classes, RowScan scan) {
    if (vocabulary.isEmpty()) {
      return Optional.empty();
    }
    Vocabulary known = vocabulary.get();
    TokenText texts = new TokenText(known);
    for (Kind kind : Kind.values()) {
      IntPredicate serves =
          switch (kind) {
            case IMPOSSIBLE_BYTES ->
                id ->
                    known.spelling() == Spelling.BYTE_LEVEL
                        && texts.singleByte(id).orElse(0) >= 0xF5;
            case DECLARED_UNUSED -> texts::isDeclaredUnused;
            case PADDING -> id -> !known.has(id);
            case SHADOWED_BYTES -> id -> isShadowed(texts.singleByte(id), classes.of(id));
            case NAMED -> _ -> false;
          };
      boolean tokens = kind != Kind.PADDING;
      long[] ids =
          IntStream.range(0, scan.rows())
              .filter(id -> tokens == known.has(id) && scan.isUsable(id) && serves.test(id))
              .asLongStream()
              .toArray();
      if (ids.length > 0) {
        return Optional.of(new Reference(kind, ids));
      }
    }
    return Optional.empty();
  }

  private static boolean isShadowed(OptionalInt singleByte, TokenClass found) {
    int value = singleByte.orElse(-1);
    return value >= 0xF5 || (value >= 0 && value < 0x80 && found == TokenClass.UNREACHABLE);
  }

  /**
   * Reads ids as users write them: numbers and ranges apart by commas or white space, {@code #} in
   * front or not: {@code 177-187, #200}.
   *
   * @param rows every id must lie below it
   * @throws IllegalArgumentException if an entry cannot be read, or lies beyond the table
   */
  public static Reference parse(String text, long rows) {
    List<Long> ids = new ArrayList<>();
    for (String entry : text.strip().split("[\\s,;]+", -1)) {
      if (entry.isEmpty()) {
        continue;
      }
      String[] ends = entry.replace("#", "").split("[-–]", -1);
      long from = id(ends[0], entry, rows);
      long to = ends.length == 1 ? from : id(ends[1], entry, rows);
      if (ends.length > 2 || to < from) {
        throw new IllegalArgumentException(
            "\"%s\" is no range of ids; write 177-187".formatted(entry));
      }
      for (long id = from; id <= to; id++) {
        ids.add(id);
      }
    }
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("there are no ids; write them as 177-187,200");
    }
    return new Reference(
        Kind.NAMED, ids.stream().mapToLong(Long::longValue).sorted().distinct().toArray());
  }

  private static long id(String word, String entry, long rows) {
    if (!word.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(
          "\"%s\" is no id; write ids and ranges such as 177-187,200".formatted(entry));
    }
    long id = Long.parseLong(word);
    if (id >= rows) {
      throw new IllegalArgumentException(
          "id %d is not in [0, %d), the rows of the table".formatted(id, rows));
    }
    return id;
  }
}

package dev.rowan.formats.columns;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.rowan.core.Counted;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.tensor.OneTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A table of columns as Rowan writes it: {@code id}, {@code token}, {@code d0}, {@code d1} and so
 * on, which the first line names, with commas (RFC 4180) or tabs between.
 *
 * <pre>
 *   id,token,d0,d1
 *   0,"say ""x""",0.0,1.5
 * </pre>
 *
 * <p>Rows are numbered by their place; ids that differ are told in a note. An empty token means
 * that the row has none. Parsed into memory by one thread when the file is opened.
 */
public final class ColumnFile extends OneTable {
  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Vocabulary vocabulary;
  private final List<String> notes = new ArrayList<>();

  private ColumnFile(Path path, int width, MemorySegment data, Rows rows) {
    super(path, "vectors", rows.tokens.size(), width, data);
    this.vocabulary =
        Vocabulary.of(
            Spelling.PLAIN, rows.tokens.toArray(new byte[0][]), rows.absent, new BitSet());
    if (rows.otherIds > 0) {
      notes.add(
          "%s another id than their place, first row %,d with id %,d; here rows go by their place"
              .formatted(
                  Counted.of(rows.otherIds, "row has", "rows have"),
                  rows.firstOther,
                  rows.firstOtherId));
    }
  }

  /** What the lines say beside numbers. */
  private static final class Rows {
    final List<byte[]> tokens = new ArrayList<>();
    final BitSet absent = new BitSet();
    long otherIds;
    long firstOther;
    long firstOtherId;

    void add(long id, byte[] token) {
      int row = tokens.size();
      if (token.length == 0) {
        absent.set(row);
      }
      tokens.add(token);
      if (id != row && otherIds++ == 0) {
        firstOther = row;
        firstOtherId = id;
      }
    }
  }

  /**
   * Opens a file.
   *
   * @throws FormatException if its first line is not that of such a table, or a line is wrong
   */
  public static ColumnFile open(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      ColumnLines lines = new ColumnLines(path, file.bytes());
      int width = lines.width();
      // a row takes an id, and two bytes for each number
      long most = Math.min(lines.mostRows(), file.size() / (2L * width + 2) + 1);
      if (most > Integer.MAX_VALUE) {
        throw new FormatException(path, "has more than 2^31 rows");
      }
      MemorySegment data = Arena.ofAuto().allocate(Math.multiplyExact(4L * width, most), 64);
      Rows rows = new Rows();
      float[] numbers = new float[width];
      while (lines.next(numbers)) {
        MemorySegment.copy(numbers, 0, data, FLOAT, 4L * width * rows.tokens.size(), width);
        rows.add(lines.id(), lines.token());
      }
      if (rows.tokens.isEmpty()) {
        throw new FormatException(path, "has no rows behind its first line");
      }
      MemorySegment used = data.asSlice(0, 4L * width * rows.tokens.size()).asReadOnly();
      return new ColumnFile(path, width, used, rows);
    }
  }

  @Override
  public String format() {
    return "columns";
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return vocabulary.tokens() == 0 ? Optional.empty() : Optional.of(() -> vocabulary);
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    // all is in memory
  }
}

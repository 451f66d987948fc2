package dev.rowan.formats.columns;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.TextStart;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tensor.OneTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
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
 * <p>Rows may stand in any order; each goes to its id. An empty token means that the row has none.
 * Parsed into memory by one thread when the file is opened.
 */
public final class ColumnFile extends OneTable {
  private static final ValueLayout.OfFloat FLOAT =
      JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Vocabulary vocabulary;

  private ColumnFile(Path path, int width, MemorySegment data, Rows rows) {
    super(path, "vectors", rows.tokens.size(), width, data);
    this.vocabulary =
        Words.noteBroken(
            Vocabulary.of(
                Spelling.PLAIN, rows.tokens.toArray(new byte[0][]), rows.absent, new BitSet()));
  }

  /** What the lines say beside numbers. */
  private static final class Rows {
    List<byte[]> tokens = new ArrayList<>();
    final BitSet absent = new BitSet();
    private long[] ids = new long[64];
    private boolean inOrder = true;

    void add(long id, byte[] token) {
      int place = tokens.size();
      if (place == ids.length) {
        ids = Arrays.copyOf(ids, (int) Math.min(2L * place, Integer.MAX_VALUE - 8));
      }
      ids[place] = id;
      inOrder &= id == place;
      tokens.add(token);
    }

    /**
     * Puts each row where its id says.
     *
     * @throws FormatException if the ids are not 0, 1, 2 and so on, each once
     */
    MemorySegment ordered(Path path, MemorySegment data) {
      checkIds(path);
      MemorySegment ordered = data;
      if (!inOrder) {
        List<byte[]> inFile = tokens;
        tokens = new ArrayList<>(Collections.nCopies(inFile.size(), new byte[0]));
        ordered = Arena.ofAuto().allocate(data.byteSize(), 64);
        long rowBytes = data.byteSize() / inFile.size();
        for (int place = 0; place < inFile.size(); place++) {
          tokens.set((int) ids[place], inFile.get(place));
          MemorySegment.copy(data, place * rowBytes, ordered, ids[place] * rowBytes, rowBytes);
        }
      }
      for (int id = 0; id < tokens.size(); id++) {
        absent.set(id, tokens.get(id).length == 0);
      }
      return ordered.asReadOnly();
    }

    private void checkIds(Path path) {
      BitSet seen = new BitSet();
      for (int place = 0; place < tokens.size() && !inOrder; place++) {
        long id = ids[place];
        boolean outside = id >= tokens.size();
        if (outside || seen.get((int) id)) {
          throw new FormatException(
              path,
              "row %,d has id %,d, %s; the ids of %,d rows should be 0 to %,d, each once, in any order: number the column id anew"
                  .formatted(
                      place,
                      id,
                      outside ? "which is too high" : "which another row has",
                      tokens.size(),
                      tokens.size() - 1));
        }
        seen.set((int) id);
      }
    }
  }

  /**
   * Opens a file.
   *
   * @throws FormatException if its first line is not that of such a table, a line is wrong, or ids
   *     are missing or repeated
   */
  public static ColumnFile open(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      ColumnLines lines = new ColumnLines(path, TextStart.after(file.bytes()));
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
      MemorySegment used = data.asSlice(0, 4L * width * rows.tokens.size());
      return new ColumnFile(path, width, rows.ordered(path, used), rows);
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
    return List.of();
  }

  @Override
  public void close() {
    // all is in memory
  }
}

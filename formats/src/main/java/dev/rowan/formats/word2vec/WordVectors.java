package dev.rowan.formats.word2vec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.TextStart;
import dev.rowan.formats.lines.LineTable;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Word vectors in one of four dresses, told apart by content:
 *
 * <pre>
 *   word2vec text    "count width\n", then a line a row: word " " number {" " number} "\n"
 *   fastText .vec    the same with a space at the end of each line
 *   GloVe            the same without the first line
 *   word2vec binary  "count width\n", then a row: word " " float32[width] ["\n"]
 * </pre>
 *
 * <p>In text the last d fields of a line are its numbers and the rest is the word, which may hold
 * spaces; fields are split at the ASCII space alone. d is what the header says, or what most lines
 * have. Words are bytes; see {@link Words}.
 *
 * <p>Opening text counts its lines; the numbers are parsed into memory, by several threads, when
 * {@link #data} is first called: 4 × V × d bytes. Rows keep the order of the file, repeated words
 * included.
 */
public final class WordVectors implements TensorFile {
  /** Control characters stand in binary numbers within the first few, hardly ever in text. */
  private static final long CONTROL_SEARCH = 1 << 16;

  private static final Dtype F32 = Dtype.rows("F32", 32, FloatFormat.F32);

  private final MappedFile file;
  private final String format;
  private final TensorInfo tensor;
  private final Words words;
  private final Loader loader;
  private final Optional<Workers> workers;
  private final Arena arena;
  private @Nullable Loaded loaded;

  /**
   * What was read.
   *
   * @param values the rows, V × d float32
   * @param spellings the bytes that the places of the words are in
   */
  record Loaded(MemorySegment values, MemorySegment spellings) {}

  /** Reads rows and the places of their words. */
  private interface Loader {
    Loaded load(Arena arena, Words words, Workers workers);
  }

  private WordVectors(
      MappedFile file,
      String format,
      int rows,
      int width,
      Loader loader,
      Optional<Workers> workers) {
    this.file = file;
    this.format = format;
    this.words = new Words(rows);
    this.loader = loader;
    this.workers = workers;
    this.tensor =
        new TensorInfo(
            "vectors", F32, List.of((long) rows, (long) width), file.path(), 0, 4L * rows * width);
    @SuppressWarnings("MustBeClosedChecker") // this object owns it and closes it
    Arena owned = Arena.ofShared();
    this.arena = owned;
  }

  /**
   * Opens a file of word vectors.
   *
   * @param workers who parses; if empty, one thread per processor while that is done
   * @throws FormatException if the header disagrees with the file, or the file has no rows
   */
  public static WordVectors open(Path path, Optional<Workers> workers) throws IOException {
    MappedFile file = MappedFile.open(path);
    try {
      Optional<Header> header = Header.read(file.bytes());
      if (header.isPresent() && isBinary(file, header.get())) {
        return binary(file, header.get(), workers);
      }
      return text(file, workers);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static WordVectors binary(MappedFile file, Header header, Optional<Workers> workers) {
    BinaryRows rows = BinaryRows.of(file, header);
    refuseEmpty(file, rows.rows());
    return new WordVectors(
        file,
        "word2vec-binary",
        rows.rows(),
        rows.width(),
        (arena, words, used) -> {
          Loaded read = rows.read(arena, words, used);
          refuseShifted(file.path(), read, words, rows.width());
          return read;
        },
        workers);
  }

  /**
   * Refuses rows that a word with a space has shifted: the rest of the word is read as numbers,
   * huge ones, and the last numbers as part of the next word.
   */
  private static void refuseShifted(Path path, Loaded read, Words words, int width) {
    if (Words.isAscii(read.spellings())) {
      return;
    }
    for (int row = 1; row < words.count(); row++) {
      if (!Words.isUtf8(words.bytes(read.spellings(), row))
          && hasHuge(read.values(), row - 1, width)) {
        throw new FormatException(
            path,
            "row %,d, \"%s\", holds numbers beyond 1e15 and the next word is no UTF-8: most likely its word has a space in it, which ends a word in this format; write such words with another character, or as text"
                .formatted(
                    row - 1,
                    new String(words.bytes(read.spellings(), row - 1), StandardCharsets.UTF_8)));
      }
    }
  }

  private static boolean hasHuge(MemorySegment values, long row, int width) {
    float[] numbers = new float[width];
    FloatFormat.F32.decode(values, 4 * row * width, width, numbers, 0);
    for (float number : numbers) {
      if (Math.abs(number) > 1e15f) {
        return true;
      }
    }
    return false;
  }

  private static WordVectors text(MappedFile file, Optional<Workers> workers) {
    MemorySegment text = TextStart.after(file.bytes());
    TextLayout layout = TextLayout.of(file.path(), text);
    LineTable table =
        with(workers, used -> LineTable.over(file.path(), text, layout.lines(), used));
    if (layout.header().isPresent() && layout.header().get().rows() != table.rows()) {
      throw new FormatException(
          file.path(),
          "the header says %,d rows but the file has %,d; %s"
              .formatted(
                  layout.header().get().rows(),
                  table.rows(),
                  layout.header().get().rows() > table.rows()
                      ? "it looks cut off, copy it again"
                      : "the header or the file is wrong"));
    }
    refuseEmpty(file, table.rows());
    return new WordVectors(
        file,
        layout.header().isPresent() ? "word2vec-text" : "glove-text",
        table.rows(),
        layout.lines().width(),
        (arena, words, used) -> new Loaded(table.read(arena, Optional.of(words), used), text),
        workers);
  }

  private static void refuseEmpty(MappedFile file, int rows) {
    if (rows == 0) {
      throw new FormatException(file.path(), "holds no rows; there is nothing to open");
    }
  }

  /** A header stands in front of text and of binary rows alike; what follows tells. */
  private static boolean isBinary(MappedFile file, Header header) {
    MemorySegment bytes = file.bytes();
    long end = Math.min(bytes.byteSize(), header.end() + CONTROL_SEARCH);
    for (long at = header.end(); at < end; at++) {
      byte b = bytes.get(JAVA_BYTE, at);
      if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
        return !endsInNumbers(bytes, header.end());
      }
    }
    TextSample sample = new TextSample(bytes, header.end());
    boolean numbers = !sample.isEmpty() && sample.usualNumbers() > 0;
    if (numbers || header.rows() > bytes.byteSize() || header.width() > bytes.byteSize()) {
      return false;
    }
    // few rows may lack control characters; then they fit the file to the byte
    long least = header.rows() * (4 * header.width() + 1);
    return header.rows() > 0
        && header.width() > 0
        && least <= bytes.byteSize() - header.end()
        && BinaryRows.of(file, header).firstRowFits();
  }

  /** A word of a text may hold control characters; the lines still end in numbers. */
  private static boolean endsInNumbers(MemorySegment bytes, long from) {
    return TextSample.numbersOfLine(bytes, from) > 0
        && new TextSample(bytes, from).usualNumbers() > 0;
  }

  private interface Task<T> {
    T run(Workers workers);
  }

  private static <T> T with(Optional<Workers> workers, Task<T> task) {
    if (workers.isPresent()) {
      return task.run(workers.get());
    }
    try (Workers own = Workers.perProcessor()) {
      return task.run(own);
    }
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String format() {
    return format;
  }

  @Override
  public List<TensorInfo> tensors() {
    return List.of(tensor);
  }

  @Override
  public Optional<TensorInfo> table() {
    return Optional.of(tensor);
  }

  @Override
  public ModelConfig config() {
    return ModelConfig.INPUT_ONLY;
  }

  @Override
  public MemorySegment data(TensorInfo asked) {
    if (!asked.equals(tensor)) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(asked.name(), path()));
    }
    return loaded().values();
  }

  private synchronized Loaded loaded() {
    Loaded known = loaded;
    if (known == null) {
      known = with(workers, used -> loader.load(arena, words, used));
      loaded = known;
    }
    return known;
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return Optional.of(() -> words.vocabulary(loaded().spellings()));
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public void close() {
    arena.close();
    file.close();
  }
}

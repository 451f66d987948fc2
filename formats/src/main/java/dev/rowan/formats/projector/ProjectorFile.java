package dev.rowan.formats.projector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.TextStart;
import dev.rowan.formats.lines.LineFormat;
import dev.rowan.formats.lines.LineTable;
import dev.rowan.formats.tensor.OneTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A table of the TensorBoard projector.
 *
 * <pre>
 *   numbers    text: a line a row, tabs between         or raw float32, little-endian, row-major
 *   metadata   the tokens, see {@link Metadata}
 *   config     names both, see {@link ProjectorConfig}
 * </pre>
 *
 * <p>Text without a config is taken with {@code NAME_metadata.tsv}, {@code metadata.tsv} or {@code
 * meta.tsv} beside it. Raw numbers need a config, which alone says how wide they are. Text is
 * parsed into memory when the file is opened; raw numbers are read in place.
 */
public final class ProjectorFile extends OneTable {
  private static final int LOOK = 4096;
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?|[-+]?(?i:nan|inf|infinity)");

  private final MappedFile file;
  private final Arena arena;
  private final long rows;
  private final Optional<Path> metadata;
  private final List<String> notes;

  private ProjectorFile(
      MappedFile file,
      Arena arena,
      ProjectorConfig.Entry entry,
      int width,
      MemorySegment data,
      Optional<Path> metadata,
      List<String> notes) {
    long rows = data.byteSize() / (4L * width);
    super(file.path(), entry.name(), rows, width, data);
    this.file = file;
    this.arena = arena;
    this.rows = rows;
    this.metadata = metadata;
    this.notes = notes;
  }

  /**
   * Opens a text of numbers, with the metadata beside it if there is one.
   *
   * @param workers who parses; if empty, one thread per processor while that is done
   */
  public static ProjectorFile openTable(Path path, Optional<Workers> workers) throws IOException {
    return open(
        path,
        new ProjectorConfig.Entry("vectors", List.of(), path.toString(), Optional.empty()),
        beside(path),
        List.of(),
        workers);
  }

  /**
   * Opens the first table that a config names.
   *
   * @param workers who parses; if empty, one thread per processor while that is done
   * @throws FormatException if the config names files that are missing or lie outside its folder,
   *     or they do not fit it
   */
  public static ProjectorFile openConfig(Path config, Optional<Workers> workers)
      throws IOException {
    List<ProjectorConfig.Entry> entries = ProjectorConfig.read(config);
    ProjectorConfig.Entry entry = entries.getFirst();
    Path numbers = Neighbouring.find(config, entry.numbers());
    Optional<Path> metadata = Optional.empty();
    if (entry.metadata().isPresent()) {
      metadata = Optional.of(Neighbouring.find(config, entry.metadata().get()));
    }
    List<String> notes =
        entries.size() == 1
            ? List.of()
            : List.of(
                "the config names %,d tables; the first, \"%s\", was opened"
                    .formatted(entries.size(), entry.name()));
    return open(numbers, entry, metadata, notes, workers);
  }

  private static Optional<Path> beside(Path path) {
    String name = String.valueOf(path.getFileName());
    String stem = name.endsWith(".tsv") ? name.substring(0, name.length() - 4) : name;
    for (String candidate : List.of(stem + "_metadata.tsv", "metadata.tsv", "meta.tsv")) {
      Path place = path.resolveSibling(candidate);
      if (Files.isRegularFile(place) && !candidate.equals(name)) {
        return Optional.of(place);
      }
    }
    return Optional.empty();
  }

  private static ProjectorFile open(
      Path path,
      ProjectorConfig.Entry entry,
      Optional<Path> metadata,
      List<String> notes,
      Optional<Workers> workers)
      throws IOException {
    MappedFile file = MappedFile.open(path);
    @SuppressWarnings("MustBeClosedChecker") // the opened file owns it and closes it
    Arena arena = Arena.ofShared();
    try {
      boolean text = isText(file);
      return text
          ? text(file, arena, entry, metadata, notes, workers)
          : raw(file, arena, entry, metadata, notes);
    } catch (RuntimeException | Error e) {
      arena.close();
      file.close();
      throw e;
    }
  }

  /**
   * Numbers of four bytes hold others than digits within the first few, but a column of text may
   * take four bytes a row: {@code 7.5} and a line feed.
   */
  private static boolean isText(MappedFile file) {
    if (FileKind.of(file.bytes()) == FileKind.NUMBER_LINES) {
      return true;
    }
    byte[] head = file.bytes().asSlice(0, Math.min(LOOK, file.size())).toArray(JAVA_BYTE);
    String text = new String(head, StandardCharsets.ISO_8859_1);
    int end = file.size() > LOOK ? text.lastIndexOf('\n') : text.length();
    String lines = end < 0 ? "" : text.substring(0, end).stripTrailing();
    return !lines.isEmpty() && lines.lines().allMatch(line -> NUMBER.matcher(line).matches());
  }

  private static ProjectorFile text(
      MappedFile file,
      Arena arena,
      ProjectorConfig.Entry entry,
      Optional<Path> metadata,
      List<String> notes,
      Optional<Workers> workers) {
    MemorySegment bytes = TextStart.after(file.bytes());
    int width = 1;
    for (long at = 0; at < bytes.byteSize() && bytes.get(JAVA_BYTE, at) != '\n'; at++) {
      width += bytes.get(JAVA_BYTE, at) == '\t' ? 1 : 0;
    }
    LineFormat lines = new LineFormat(0, 1, width, (byte) '\t', "the first line has");
    try (Workers own = workers.isPresent() ? Workers.of(1) : Workers.perProcessor()) {
      Workers used = workers.orElse(own);
      LineTable parsed = LineTable.over(file.path(), bytes, lines, used);
      checkShape(file.path(), entry, parsed.rows(), width);
      MemorySegment data = parsed.read(arena, Optional.empty(), used);
      return new ProjectorFile(file, arena, entry, width, data, metadata, notes);
    }
  }

  private static ProjectorFile raw(
      MappedFile file,
      Arena arena,
      ProjectorConfig.Entry entry,
      Optional<Path> metadata,
      List<String> notes) {
    if (entry.shape().isEmpty() || entry.shape().get(1) > Integer.MAX_VALUE) {
      throw new FormatException(
          file.path(),
          "holds raw numbers, and the config does not say their shape; add tensorShape: rows, width");
    }
    int width = Math.toIntExact(entry.shape().get(1));
    long rows = file.size() / (4L * width);
    if (file.size() % (4L * width) != 0) {
      throw new FormatException(
          file.path(),
          "has %,d bytes, which are no whole number of rows of %,d numbers"
              .formatted(file.size(), width));
    }
    checkShape(file.path(), entry, rows, width);
    return new ProjectorFile(file, arena, entry, width, file.bytes(), metadata, notes);
  }

  private static void checkShape(Path path, ProjectorConfig.Entry entry, long rows, int width) {
    if (!entry.shape().isEmpty() && !entry.shape().equals(List.of(rows, (long) width))) {
      throw new FormatException(
          path,
          "has %,d rows of %,d numbers but the config says %,d × %,d"
              .formatted(rows, width, entry.shape().get(0), entry.shape().get(1)));
    }
  }

  @Override
  public String format() {
    return "projector";
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return metadata.map(place ->
        () -> {
          try {
            return Metadata.read(place, rows);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public void close() {
    arena.close();
    file.close();
  }
}

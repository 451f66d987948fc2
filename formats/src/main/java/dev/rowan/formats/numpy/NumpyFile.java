package dev.rowan.formats.numpy;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Strided;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import dev.rowan.formats.zip.ZipEntry;
import dev.rowan.formats.zip.ZipPart;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Open NumPy arrays: one in a {@code .npy} file, named after it, or those of a {@code .npz}, which
 * is a zip archive of such files. Opening reads headers. Row-major arrays that are stored as they
 * are are views of the mapped file; column-major and deflated ones are copied when they are asked
 * for.
 *
 * <p>Arrays of Python objects are pickles, and never read. See {@link NpyHeader} for the layout.
 */
public final class NumpyFile implements TensorFile {
  /** The line of {@code source} that says how the {@code tokens} of an archive are spelled. */
  public static final String SPELLING = "rowan.spelling";

  private static final String SUFFIX = ".npy";
  private static final int START = 64; // tells a zip archive from an array

  /** The line of {@code source} that says what an empty text in {@code tokens} is. */
  public static final String EMPTY = "rowan.empty";

  /** What it says where an empty text is a token; else it stands for none. */
  public static final String EMPTY_TOKEN = "token";

  private final Stretches file;
  private final Runnable release;
  private final String format;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private record Entry(TensorInfo info, NpyHeader header, Supplier<MemorySegment> bytes) {}

  private @Nullable ZipArchive archive;

  private NumpyFile(Stretches file, Runnable release, String format) {
    this.file = file;
    this.release = release;
    this.format = format;
  }

  /**
   * Opens a {@code .npy} file.
   *
   * @throws FormatException if its header is wrong or does not fit the file
   * @throws UnsupportedFormatException if it holds Python objects or fields
   */
  public static NumpyFile open(Path path) throws IOException {
    MappedFile mapped = MappedFile.open(path);
    try {
      NumpyFile file = new NumpyFile(mapped, mapped::close, "npy");
      file.readSingle();
      return file;
    } catch (RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  /**
   * Opens a {@code .npz} file.
   *
   * @throws FormatException if the archive or the header of an array is wrong
   */
  public static NumpyFile openArchive(Path path) throws IOException {
    MappedFile mapped = MappedFile.open(path);
    try {
      NumpyFile file = new NumpyFile(mapped, mapped::close, "npz");
      file.readArchive(ZipArchive.of(mapped));
      return file;
    } catch (RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  /**
   * Reads a file that may be far away: of a {@code .npz} its directory and the header of each array
   * are looked at, of a {@code .npy} its header. {@link #data} looks at all of an array.
   *
   * @throws FormatException if the header of an array, or the archive, is wrong
   * @throws UnsupportedFormatException if a {@code .npy} holds Python objects or fields
   */
  public static NumpyFile ofListed(Stretches file) {
    boolean archive = FileKind.of(file.stretch(0, Math.min(file.size(), START))) == FileKind.ZIP;
    NumpyFile arrays = new NumpyFile(file, () -> {}, archive ? "npz" : "npy");
    if (archive) {
      arrays.readArchive(ZipArchive.listed(file));
    } else {
      arrays.readSingle();
    }
    return arrays;
  }

  /**
   * Returns what makes an archive of some arrays of this one, and of those that give the tokens.
   *
   * @param tables the arrays
   * @return empty for a {@code .npy}
   */
  public Optional<ZipPart> part(List<TensorInfo> tables) {
    Set<String> names = new HashSet<>(List.of(NpzTexts.SOURCE + SUFFIX));
    tables.forEach(table -> names.add(table.name() + SUFFIX));
    new NpzTexts(this).tokens().ifPresent(tokens -> names.add(tokens.name() + SUFFIX));
    return Optional.ofNullable(archive).map(all -> all.part(names));
  }

  /** Returns whether a zip archive holds arrays. */
  public static boolean isArchive(ZipArchive archive) {
    return archive.entries().keySet().stream().anyMatch(name -> name.endsWith(SUFFIX));
  }

  private void readSingle() {
    MemorySegment start = file.stretch(0, Math.min(file.size(), NpyHeader.MOST_BYTES));
    NpyHeader header = NpyHeader.read(path(), "the array", start, 0);
    if (header.dtype().bits() == 0) {
      throw new UnsupportedFormatException(
          path(),
          "is an array of Python objects, which is a pickle and not read; save numbers alone, numpy.save(file, array.astype(\"float32\"))");
    }
    Path fileName = path().getFileName();
    String name = fileName == null ? "array" : fileName.toString();
    if (name.endsWith(SUFFIX)) {
      name = name.substring(0, name.length() - SUFFIX.length());
    }
    long size = file.size();
    TensorInfo info =
        add(name, "the array", header, new Span(0, size), () -> file.stretch(0, size));
    long end = header.dataStart() + info.bytes();
    if (end < file.size()) {
      notes.add(
          Counted.of(
              file.size() - end,
              "byte follows the array and is not read",
              "bytes follow the array and are not read"));
    }
  }

  private void readArchive(ZipArchive all) {
    archive = all;
    for (ZipEntry entry : all.entries().values()) {
      if (!entry.name().endsWith(SUFFIX)) {
        notes.add("\"%s\" in the archive is no array and left out".formatted(entry.name()));
        continue;
      }
      String name = entry.name().substring(0, entry.name().length() - SUFFIX.length());
      String what = "array \"%s\"".formatted(name);
      long start = entry.deflated() ? 0 : all.offset(entry);
      MemorySegment first = all.start(entry, NpyHeader.MOST_BYTES);
      NpyHeader header = NpyHeader.read(path(), what, first, start);
      add(name, what, header, new Span(start, entry.size()), () -> all.bytes(entry));
    }
    notes.addAll(new NpzTexts(this).notes());
  }

  /** Where a whole array lies: the byte of the file, 0 if it is deflated, and its bytes. */
  private record Span(long start, long size) {}

  private TensorInfo add(
      String name, String what, NpyHeader header, Span span, Supplier<MemorySegment> bytes) {
    long needed;
    try {
      long elements = 1;
      for (long dimension : header.shape()) {
        elements = Math.multiplyExact(elements, dimension);
      }
      needed = Math.multiplyExact(elements, header.dtype().bits() / 8);
    } catch (ArithmeticException e) {
      FormatException wrong =
          new FormatException(
              path(),
              span.start(),
              "%s has the impossible shape %s".formatted(what, header.shape()));
      wrong.initCause(e);
      throw wrong;
    }
    long room = span.size() - header.dataStart();
    if (needed > room) {
      throw new FormatException(
          path(),
          span.start(),
          "%s of shape %s takes %,d bytes but only %,d are there; the file looks cut off, copy it again"
              .formatted(what, header.shape(), needed, room));
    }
    // an array that is copied has no place of its own in the file
    boolean inFile = (file.size() == span.size() || span.start() > 0) && isRowMajor(header);
    long offset = inFile ? span.start() + header.dataStart() : 0;
    TensorInfo info = new TensorInfo(name, header.dtype(), header.shape(), path(), offset, needed);
    entries.put(name, new Entry(info, header, bytes));
    return info;
  }

  private static boolean isRowMajor(NpyHeader header) {
    return !header.fortranOrder()
        || header.shape().stream().filter(dimension -> dimension != 1).count() < 2;
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
    return entries.values().stream().map(Entry::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::info);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UnsupportedFormatException if the tensor is column-major and not of two dimensions, or
   *     its archive looks like a zip bomb
   */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    Entry entry = entries.get(tensor.name());
    if (entry == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path()));
    }
    NpyHeader header = entry.header();
    MemorySegment numbers = entry.bytes().get().asSlice(header.dataStart(), tensor.bytes());
    if (tensor.bytes() == 0 || isRowMajor(header)) {
      return numbers;
    }
    int bytes = header.dtype().bits() / 8;
    if (header.shape().size() != 2 || header.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          path(),
          "array \"%s\" of shape %s is column-major; such arrays are read only as tables of numbers"
              .formatted(tensor.name(), tensor.shapeText()));
    }
    return new Strided(0, header.shape(), List.of(1L, header.shape().getFirst()))
        .copy(numbers, bytes);
  }

  /**
   * {@inheritDoc}
   *
   * <p>That of an archive's {@code tokens}, {@code words} or {@code vocab}: a text for each row.
   * Where several are empty they stand for none, one alone is a token; what Rowan notes goes first.
   */
  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    NpzTexts texts = new NpzTexts(this);
    return texts.tokens().map(tokens -> () -> texts.vocabulary(tokens));
  }

  /** An array says nothing of the model that it is from, unless Rowan noted it. */
  @Override
  public ModelConfig config() {
    return ModelConfig.OPEN.withTie(
        new NpzTexts(this).source(TieSetting.NOTE).map(TieSetting::noted).orElse(TieSetting.OPEN));
  }

  @Override
  public Map<String, String> texts() {
    return new NpzTexts(this).said();
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    release.run();
  }
}

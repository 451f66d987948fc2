package dev.rowan.formats.numpy;

import dev.rowan.core.Counted;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tensor.Strided;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipArchive;
import dev.rowan.formats.zip.ZipEntry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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

  /** The line of {@code source} that says what an empty text in {@code tokens} is. */
  public static final String EMPTY = "rowan.empty";

  /** What it says where an empty text is a token; else it stands for none. */
  public static final String EMPTY_TOKEN = "token";

  private static final List<String> TOKENS = List.of("tokens", "words", "vocab");

  private final MappedFile file;
  private final String format;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private record Entry(TensorInfo info, NpyHeader header, Supplier<MemorySegment> bytes) {}

  private NumpyFile(MappedFile file, String format) {
    this.file = file;
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
      NumpyFile file = new NumpyFile(mapped, "npy");
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
      NumpyFile file = new NumpyFile(mapped, "npz");
      file.readArchive();
      return file;
    } catch (RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  /** Returns whether a zip archive holds arrays. */
  public static boolean isArchive(ZipArchive archive) {
    return archive.entries().keySet().stream().anyMatch(name -> name.endsWith(SUFFIX));
  }

  private void readSingle() {
    NpyHeader header = NpyHeader.read(path(), "the array", file.bytes(), 0);
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
    TensorInfo info = add(name, "the array", header, new Span(0, file.size()), file::bytes);
    long end = header.dataStart() + info.bytes();
    if (end < file.size()) {
      notes.add(
          Counted.of(
              file.size() - end,
              "byte follows the array and is not read",
              "bytes follow the array and are not read"));
    }
  }

  private void readArchive() {
    ZipArchive archive = ZipArchive.of(file);
    for (ZipEntry entry : archive.entries().values()) {
      if (!entry.name().endsWith(SUFFIX)) {
        notes.add("\"%s\" in the archive is no array and left out".formatted(entry.name()));
        continue;
      }
      String name = entry.name().substring(0, entry.name().length() - SUFFIX.length());
      String what = "array \"%s\"".formatted(name);
      long start = entry.deflated() ? 0 : archive.offset(entry);
      MemorySegment first = archive.start(entry, NpyHeader.MOST_BYTES);
      NpyHeader header = NpyHeader.read(path(), what, first, start);
      add(name, what, header, new Span(start, entry.size()), () -> archive.bytes(entry));
    }
    if (tokens().isEmpty()) {
      noteObjects();
      entries.keySet().stream()
          .filter(name -> !name.equals("source") && texts(name, 1).isPresent())
          .findFirst()
          .ifPresent(name ->
              notes.add(
                  "\"%s\" holds %,d texts, which are not read as tokens: an array of tokens is called %s and has as many as a table has rows"
                      .formatted(
                          name,
                          texts(name, 1).orElseThrow().info().shape().getFirst(),
                          String.join(" or ", TOKENS))));
    }
  }

  /** Words in an array that numpy.array made of Python texts of dtype object. */
  private void noteObjects() {
    entries.values().stream()
        .map(Entry::info)
        .filter(info -> info.dtype().bits() == 0 && info.shape().size() == 1)
        .filter(info -> TOKENS.contains(info.name()) || isAsLongAsATable(info))
        .forEach(info ->
            notes.add(
                "\"%s\" is an array of Python objects, which is a pickle and not read; if these are the tokens, save them as texts, %s.astype(str)"
                    .formatted(info.name(), info.name())));
  }

  private boolean isAsLongAsATable(TensorInfo list) {
    return entries.values().stream()
        .map(Entry::info)
        .anyMatch(
            table -> table.hasRows() && table.shape().getFirst().equals(list.shape().getFirst()));
  }

  /** Returns the texts that are the tokens of a table. */
  private Optional<Entry> tokens() {
    return TOKENS.stream()
        .flatMap(name -> texts(name, 1).stream())
        .filter(texts -> isAsLongAsATable(texts.info()))
        .findFirst();
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
    return tokens().map(tokens -> () -> read(tokens));
  }

  private Vocabulary read(Entry tokens) {
    MemorySegment texts = data(tokens.info());
    int count = Math.toIntExact(tokens.info().shape().getFirst());
    byte[][] spellings = new byte[count][];
    BitSet absent = new BitSet();
    for (int id = 0; id < count; id++) {
      spellings[id] = NpyTexts.utf8(texts, tokens.info().dtype().label(), id);
      absent.set(id, spellings[id].length == 0);
    }
    boolean ours = source(SPELLING).isPresent();
    if (ours ? source(EMPTY).equals(Optional.of(EMPTY_TOKEN)) : absent.cardinality() == 1) {
      absent.clear();
    }
    Spelling spelling =
        source(SPELLING)
            .flatMap(name ->
                Arrays.stream(Spelling.values())
                    .filter(s -> s.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst())
            .orElse(Spelling.PLAIN);
    return Words.noteBroken(Vocabulary.of(spelling, spellings, absent, new BitSet()));
  }

  /** Returns an array of texts that has some rank. */
  private Optional<Entry> texts(String name, int rank) {
    return Optional.ofNullable(entries.get(name))
        .filter(entry -> entry.info().shape().size() == rank)
        .filter(entry -> NpyTexts.is(entry.info().dtype().label()));
  }

  /** Returns what Rowan noted of the source under a key. */
  private Optional<String> source(String key) {
    return texts("source", 0)
        .map(e -> NpyTexts.utf8(data(e.info()), e.info().dtype().label(), 0))
        .flatMap(utf8 ->
            new String(utf8, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(key + " = "))
                .map(line -> line.substring(key.length() + 3))
                .findFirst());
  }

  /** An array says nothing of the model that it is from, unless Rowan noted it. */
  @Override
  public ModelConfig config() {
    return ModelConfig.OPEN.withTie(
        source(TieSetting.NOTE).map(TieSetting::noted).orElse(TieSetting.OPEN));
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    file.close();
  }
}

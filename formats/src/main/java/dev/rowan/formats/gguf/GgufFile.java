package dev.rowan.formats.gguf;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tokenizer.TokenizerModel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An open GGUF file, or the parts of one that was split. Opening reads the headers; tokens are read
 * when they are first asked for. See {@link GgufHeader} for the layout and the checks.
 */
public final class GgufFile implements TensorFile {
  /** How llama.cpp names the parts of a file that was split. */
  private static final Pattern PART = Pattern.compile("(.*)-(\\d{5})-of-(\\d{5})\\.gguf");

  private static final int MOST_PARTS = 1024;

  private final Path path;
  private final Map<Path, MappedFile> files;
  private final Map<String, TensorInfo> tensors;
  private final GgufMetadata metadata;
  private final Optional<Supplier<Vocabulary>> vocabulary;
  private final ModelConfig config;
  private final List<String> notes;

  private GgufFile(
      Path path,
      Map<Path, MappedFile> files,
      Map<String, TensorInfo> tensors,
      GgufMetadata metadata) {
    GgufSettings settings = new GgufSettings(metadata);
    this.path = path;
    this.files = files;
    this.tensors = tensors;
    this.metadata = metadata;
    this.vocabulary = GgufTokens.of(metadata);
    this.config = settings.config();
    this.notes = List.copyOf(settings.notes());
  }

  /**
   * Opens a file; if it is one of the parts of a split file, the others too.
   *
   * @throws FormatException if a header is wrong or does not fit its file, or a part is missing
   * @throws UnsupportedFormatException if the version is not 2 or 3
   */
  public static GgufFile open(Path path) throws IOException {
    Map<Path, MappedFile> files = new LinkedHashMap<>();
    try {
      GgufHeader header = header(path, files);
      GgufMetadata metadata = header.metadata();
      Map<String, TensorInfo> tensors = new LinkedHashMap<>();
      List<Path> parts = parts(path, metadata);
      for (int i = 0; i < parts.size(); i++) {
        GgufHeader part = parts.get(i).equals(path) ? header : header(parts.get(i), files);
        if (i == 0) {
          metadata = part.metadata(); // the settings and the tokens are in the first part
        }
        add(tensors, part);
      }
      return new GgufFile(path, files, tensors, metadata);
    } catch (IOException | RuntimeException | Error e) {
      files.values().forEach(MappedFile::close);
      throw e;
    }
  }

  /**
   * The beginning of a file.
   *
   * @param path the file, for messages and for the tensors
   * @param bytes the file's first bytes: the whole header, or more
   * @param size how many bytes the file has
   */
  public record Head(Path path, MemorySegment bytes, long size) {}

  /**
   * Reads the headers of files of which only the beginnings are at hand. The tensors have places
   * but no bytes; the tokens are there.
   *
   * @param heads the file; or all parts of a split file, the first one first
   * @throws FormatException if a header is wrong or does not fit its file, or parts are missing
   * @throws UnsupportedFormatException if the version is not 2 or 3
   */
  public static GgufFile ofHeads(List<Head> heads) {
    Head first = heads.getFirst();
    GgufHeader header = GgufHeader.read(first.path(), first.bytes(), first.size());
    long parts = header.metadata().whole("split.count").orElse(1);
    if (parts > 1 && parts != heads.size()) {
      throw new FormatException(
          first.path(),
          "is one of %,d parts (split.count), but %,d are there; name the first of them all"
              .formatted(parts, heads.size()));
    }
    Map<String, TensorInfo> tensors = new LinkedHashMap<>();
    add(tensors, header);
    for (Head head : heads.subList(1, heads.size())) {
      add(tensors, GgufHeader.read(head.path(), head.bytes(), head.size()));
    }
    return new GgufFile(first.path(), Map.of(), tensors, header.metadata());
  }

  private static void add(Map<String, TensorInfo> tensors, GgufHeader part) {
    for (TensorInfo tensor : part.tensors()) {
      TensorInfo other = tensors.putIfAbsent(tensor.name(), tensor);
      if (other != null) {
        throw new FormatException(
            tensor.file(),
            "duplicate name: tensor \"%s\" is also in %s"
                .formatted(tensor.name(), other.file().getFileName()));
      }
    }
  }

  private static GgufHeader header(Path path, Map<Path, MappedFile> files) throws IOException {
    MappedFile file = MappedFile.open(path);
    files.put(path, file);
    return GgufHeader.read(path, file.bytes());
  }

  /** Returns the files that the model was split into, the first one first. */
  private static List<Path> parts(Path path, GgufMetadata metadata) throws IOException {
    OptionalLong count = metadata.whole("split.count");
    if (count.isEmpty() || count.getAsLong() <= 1) {
      return List.of(path);
    }
    Path name = path.getFileName();
    Matcher matcher = PART.matcher(name == null ? "" : name.toString());
    if (!matcher.matches()
        || count.getAsLong() > MOST_PARTS
        || Integer.parseInt(matcher.group(3)) != count.getAsLong()) {
      throw new FormatException(
          path,
          "is one of %,d parts (split.count) but is not named like one; name it like model-00001-of-%05d.gguf, beside the others"
              .formatted(count.getAsLong(), count.getAsLong()));
    }
    List<Path> parts = new ArrayList<>();
    for (int i = 1; i <= count.getAsLong(); i++) {
      String part =
          String.format(Locale.ROOT, "%s-%05d-of-%s.gguf", matcher.group(1), i, matcher.group(3));
      boolean self = i == Integer.parseInt(matcher.group(2));
      parts.add(self ? path : Neighbouring.find(path, part));
    }
    return parts;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "gguf";
  }

  @Override
  public List<TensorInfo> tensors() {
    return List.copyOf(tensors.values());
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(tensors.get(name));
  }

  /** Returns a tensor's bytes; of a big-endian file they are big-endian, as their dtype knows. */
  @Override
  public MemorySegment data(TensorInfo tensor) {
    MappedFile file = files.get(tensor.file());
    if (file == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    return file.bytes().asSlice(tensor.offset(), tensor.bytes());
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return vocabulary;
  }

  @Override
  public Optional<Supplier<TokenizerModel>> tokenizer() {
    return vocabulary.map(tokens -> () -> GgufTokenizer.read(path, metadata, tokens.get()));
  }

  @Override
  public ModelConfig config() {
    return config;
  }

  @Override
  public Map<String, String> texts() {
    return GgufTexts.of(metadata);
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public void close() {
    files.values().forEach(MappedFile::close);
  }
}

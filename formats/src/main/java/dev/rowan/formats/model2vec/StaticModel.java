package dev.rowan.formats.model2vec;

import dev.rowan.core.Counted;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.ByteRows;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A static embedding model in an open tensor file: a table, and nothing but what belongs to it.
 *
 * <pre>
 *   embeddings        rows × d, floats or int8         Model2Vec
 *   embedding.weight  rows × d                         StaticEmbedding of sentence-transformers
 *   mapping           the row of each token            optional: tokens share rows
 *   weights           the weight of each token         optional
 * </pre>
 *
 * <p>The row of token t is {@code weights[t] × embeddings[mapping[t]]}; what is absent counts as 1
 * and t. The table is not copied: a mapping becomes 16 bytes a token, see {@link WeightedRows}.
 * Int8 tables carry no scale, so their rows tell directions, not lengths.
 *
 * <p>Follows MinishLab/model2vec 0.8 and sentence-transformers' StaticEmbedding.
 */
public final class StaticModel implements TensorFile {
  /** The folder in which sentence-transformers keeps one. */
  public static final String FOLDER = "0_StaticEmbedding";

  /** Files that say that the weights beside them are one. */
  public static final List<String> SAYING =
      List.of("modules.json", "config_sentence_transformers.json");

  static final String MAPPING = "mapping";
  static final String WEIGHTS = "weights";
  static final String DIRECTIONS =
      "the rows are int8 without a scale: they tell directions, not lengths";

  private final TensorFile file;
  private final Arena arena;
  private final TensorInfo table;
  private final MemorySegment data;
  private final List<String> notes;

  private StaticModel(
      TensorFile file, Arena arena, TensorInfo table, MemorySegment data, List<String> notes) {
    this.file = file;
    this.arena = arena;
    this.table = table;
    this.data = data;
    this.notes = notes;
  }

  /**
   * Returns the static model in a file; the file itself if it holds anything else. The result owns
   * the file.
   *
   * @throws FormatException if mapping or weights do not fit the table; the file is closed then
   */
  public static TensorFile over(TensorFile file) throws IOException {
    Optional<TensorInfo> stored =
        stored(file.tensors()).filter(table -> tells(file, table) || isSaidAround(file.path()));
    if (stored.isEmpty()) {
      return file;
    }
    @SuppressWarnings("MustBeClosedChecker") // the model owns it and closes it
    Arena arena = Arena.ofShared();
    try {
      return of(file, withRows(stored.get()), arena);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      file.close();
      throw e;
    }
  }

  /**
   * Returns the static model in a file of which only the header is here; empty if it holds anything
   * else.
   *
   * @param said whether files around it say that it is one
   */
  public static Optional<TensorFile> ofHeads(TensorFile file, boolean said) {
    return stored(file.tensors())
        .filter(table -> said || tells(file, table))
        .map(table -> StaticHeads.of(file, withRows(table)));
  }

  private static Optional<TensorInfo> stored(List<TensorInfo> tensors) {
    TensorInfo stored = null;
    for (TensorInfo tensor : tensors) {
      switch (tensor.name()) {
        case MAPPING, WEIGHTS -> {}
        case "embeddings", "embedding.weight" -> {
          if (stored != null || !tensor.hasRows() || tensor.shape().get(1) > Integer.MAX_VALUE) {
            return Optional.empty();
          }
          stored = tensor;
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.ofNullable(stored);
  }

  /** {@code embedding.weight} alone is any module's; what lies around it tells whose it is. */
  private static boolean tells(TensorFile file, TensorInfo stored) {
    return stored.name().equals("embeddings") || file.tensors().size() > 1;
  }

  private static boolean isSaidAround(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder != null
        && (folder.endsWith(FOLDER)
            || SAYING.stream().anyMatch(name -> Files.exists(folder.resolve(name))));
  }

  private static TensorInfo withRows(TensorInfo tensor) {
    Dtype dtype = tensor.dtype();
    boolean bytes = dtype.rows().isEmpty() && dtype.label().equals("I8");
    return bytes
        ? new TensorInfo(
            tensor.name(),
            new Dtype("I8", 8, Dtype.Kind.INTEGER, Optional.of(ByteRows.I8)),
            tensor.shape(),
            tensor.file(),
            tensor.offset(),
            tensor.bytes())
        : tensor;
  }

  private static StaticModel of(TensorFile file, TensorInfo stored, Arena arena)
      throws IOException {
    List<String> notes = new ArrayList<>(file.notes());
    if (stored.dtype().label().equals("I8")) {
      notes.add(DIRECTIONS);
    }
    MemorySegment rows = file.data(stored);
    Optional<TensorInfo> mapping = file.find(MAPPING);
    Optional<TensorInfo> weights = file.find(WEIGHTS);
    if ((mapping.isEmpty() && weights.isEmpty()) || stored.dtype().rows().isEmpty()) {
      return new StaticModel(file, arena, stored, rows, List.copyOf(notes));
    }
    long count = stored.shape().getFirst();
    long tokens = mapping.isPresent() ? mapping.get().elements() : count;
    if (mapping.isPresent()) {
      Vectors.checkLength(file, mapping.get(), tokens, "tokens");
    }
    if (weights.isPresent()) {
      Vectors.checkLength(
          file, weights.get(), tokens, mapping.isPresent() ? "tokens in \"mapping\"" : "rows");
    }
    MemorySegment data =
        arena.allocate(Math.multiplyExact(tokens, WeightedRows.BYTES), WeightedRows.BYTES);
    BitSet used = point(file, data, tokens, count);
    if (used.cardinality() < tokens) {
      notes.add(
          "%,d tokens share %s: tokens of one row are the same up to their weights"
              .formatted(tokens, Counted.of(used.cardinality(), "row")));
    }
    WeightedRows format = new WeightedRows(rows, stored.dtype().rows().orElseThrow(), count);
    TensorInfo table = format.tableOver(stored, tokens);
    return new StaticModel(file, arena, table, data, List.copyOf(notes));
  }

  private static BitSet point(TensorFile file, MemorySegment data, long tokens, long rows)
      throws IOException {
    Optional<TensorInfo> mapping = file.find(MAPPING);
    Optional<TensorInfo> weights = file.find(WEIGHTS);
    Vectors.Wholes rowOf =
        mapping.isPresent() ? Vectors.wholes(file, mapping.get()) : token -> token;
    Vectors.Numbers weightOf =
        weights.isPresent() ? Vectors.numbers(file, weights.get()) : token -> 1;
    BitSet used = new BitSet();
    for (long token = 0; token < tokens; token++) {
      long row = rowOf.at(token);
      if (row < 0 || row >= rows) {
        throw new FormatException(
            file.path(),
            "\"mapping\" sends token %d to row %d; the table has rows 0 to %d"
                .formatted(token, row, rows - 1));
      }
      WeightedRows.set(data, token, row, weightOf.at(token));
      used.set(Math.toIntExact(row));
    }
    return used;
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String format() {
    return format(table);
  }

  static String format(TensorInfo table) {
    return table.name().equals("embeddings") ? "model2vec" : "static-embedding";
  }

  @Override
  public List<TensorInfo> tensors() {
    return file.tensors();
  }

  @Override
  public Optional<TensorInfo> table() {
    return Optional.of(table);
  }

  @Override
  public MemorySegment data(TensorInfo tensor) throws IOException {
    return tensor.equals(table) ? data.asReadOnly() : file.data(tensor);
  }

  @Override
  public Optional<Supplier<Vocabulary>> vocabulary() {
    return file.vocabulary();
  }

  @Override
  public ModelConfig config() {
    return config(table);
  }

  static ModelConfig config(TensorInfo table) {
    return new ModelConfig(
        Optional.of(format(table)),
        List.of(),
        OptionalLong.empty(),
        OptionalLong.of(table.shape().getLast()),
        TieSetting.INPUT_ONLY);
  }

  @Override
  public Map<String, String> texts() {
    return file.texts();
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

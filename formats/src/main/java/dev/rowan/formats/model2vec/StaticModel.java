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
  private static final String MAPPING = "mapping";
  private static final String WEIGHTS = "weights";

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
    Optional<TensorInfo> stored = stored(file);
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

  private static Optional<TensorInfo> stored(TensorFile file) {
    TensorInfo stored = null;
    for (TensorInfo tensor : file.tensors()) {
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
    return Optional.ofNullable(stored).filter(table -> isStatic(file, table));
  }

  /** {@code embedding.weight} alone is any module's; what lies around it tells whose it is. */
  private static boolean isStatic(TensorFile file, TensorInfo stored) {
    if (stored.name().equals("embeddings") || file.tensors().size() > 1) {
      return true;
    }
    Path folder = file.path().toAbsolutePath().getParent();
    return folder != null
        && (folder.endsWith("0_StaticEmbedding")
            || Files.exists(folder.resolve("modules.json"))
            || Files.exists(folder.resolve("config_sentence_transformers.json")));
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
      notes.add("the rows are int8 without a scale: they tell directions, not lengths");
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
    Dtype dtype =
        new Dtype(stored.dtype().label() + "+mapping", 0, Dtype.Kind.OTHER, Optional.of(format));
    TensorInfo table =
        new TensorInfo(
            stored.name(),
            dtype,
            List.of(tokens, stored.shape().getLast()),
            stored.file(),
            stored.offset(),
            data.byteSize());
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
    return new ModelConfig(
        Optional.of(format()),
        List.of(),
        OptionalLong.empty(),
        OptionalLong.of(table.shape().getLast()),
        TieSetting.INPUT_ONLY);
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

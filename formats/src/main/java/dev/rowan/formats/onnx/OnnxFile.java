package dev.rowan.formats.onnx;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tensor.TensorUses;
import dev.rowan.formats.tensor.TensorUses.Factor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The initialisers and constants of an ONNX model, read in place: the file is walked from field to
 * field, and only what describes a tensor or a node is looked at. Numbers kept in another file
 * ("external data") are mapped when asked for; that file must lie in the model's folder, see {@link
 * Neighbouring}.
 *
 * <pre>
 *   ModelProto   7 graph
 *   GraphProto   1 node (repeated)   5 initializer (repeated)   11 input, 12 output (both
 *                repeated; 1 name)
 * </pre>
 *
 * <p>A node of the kind Constant counts as a tensor if it is a row or a matrix of floats, or of
 * what quantizers pack them in. What lies inside the graphs of branches and loops is not read. See
 * {@link Initializer} for how numbers are stored.
 */
public final class OnnxFile implements TensorFile {
  private static final int MOST_NAMED = 6;
  private static final int START = 4096;
  private static final int MODEL_GRAPH = 7;
  private static final int GRAPH_NODE = 1;
  private static final int GRAPH_INITIALIZER = 5;
  private static final int GRAPH_INPUT = 11;
  private static final int GRAPH_OUTPUT = 12;

  private final Path path;
  private final Stretches file;
  private final Runnable release;
  private final Map<String, Initializer> initializers = new LinkedHashMap<>();
  private final Graph graph = new Graph();
  private final Map<String, MappedFile> externals = new HashMap<>();

  private OnnxFile(Stretches file, Runnable release) {
    this.path = file.path();
    this.file = file;
    this.release = release;
  }

  /**
   * Opens a model. Reads the description of the graph, no numbers.
   *
   * @throws FormatException if the file is not a valid model, or names external data outside its
   *     folder
   */
  public static OnnxFile open(Path path) throws IOException {
    MappedFile file = MappedFile.open(path);
    try {
      return over(file, file::close);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Reads the graph of a model that may be far away: what lies between the descriptions of tensors
   * and nodes is not looked at.
   *
   * @throws FormatException if the file is not a valid model, or names external data outside its
   *     folder
   */
  public static OnnxFile ofListed(Stretches file) {
    return over(file, () -> {});
  }

  /** Reads a model from a file that {@code release} closes. */
  static OnnxFile over(Stretches file, Runnable release) {
    OnnxFile model = new OnnxFile(file, release);
    model.readModel();
    return model;
  }

  private void readModel() {
    MemorySegment start = file.stretch(0, Math.min(file.size(), START));
    if (FileKind.of(start) == FileKind.GIT_LFS_POINTER) {
      throw new FormatException(
          path,
          "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the weights;"
              + " fetch the real file with git lfs pull");
    }
    Wire model = Wire.over("ONNX model", file);
    boolean found = false;
    while (model.next()) {
      if (model.field() == MODEL_GRAPH) {
        readGraph(model.message());
        found = true;
      } else {
        model.skip();
      }
    }
    if (!found) {
      throw new FormatException(
          path, "holds no graph, so it is not an ONNX model; the file may be cut off");
    }
  }

  private void readGraph(Wire message) {
    while (message.next()) {
      switch (message.field()) {
        case GRAPH_NODE -> addNode(Node.read(message.message()));
        case GRAPH_INITIALIZER -> addInitializer(message.message());
        case GRAPH_INPUT -> addNamed(message.message(), graph::addInput);
        case GRAPH_OUTPUT -> addNamed(message.message(), graph::addOutput);
        default -> message.skip();
      }
    }
  }

  private void addInitializer(Wire message) {
    long at = message.position();
    add(at, Initializer.read(path, message));
  }

  private void add(long at, Initializer initializer) {
    String name = initializer.info().name();
    if (initializers.putIfAbsent(name, initializer) != null) {
      throw new FormatException(
          path, at, "duplicate name: initializer \"%s\" occurs twice".formatted(name));
    }
  }

  /** A constant of a graph's own is kept like an initialiser, if it may be a part of the model. */
  private void addNode(Node node) {
    if (!node.op().equals("Constant")) {
      graph.addNode(node);
      return;
    }
    Optional<Wire> value = node.tensor("value");
    if (value.isPresent() && !node.outputs().isEmpty()) {
      long at = value.get().position();
      Initializer constant = Initializer.ofConstant(path, value.get(), node.outputs().getFirst());
      if (isParameter(constant.info())) {
        add(at, constant);
      }
    }
  }

  /** Graphs are full of single numbers, sizes, places and masks, which they compute with. */
  private static boolean isParameter(TensorInfo tensor) {
    int dimensions = tensor.shape().size();
    boolean packed = tensor.dtype().kind() == Dtype.Kind.INTEGER && tensor.dtype().bits() <= 8;
    return tensor.dtype().kind() == Dtype.Kind.FLOAT
        ? dimensions <= 2 && tensor.elements() > 1
        : packed && dimensions >= 2;
  }

  private static void addNamed(Wire value, Consumer<String> names) {
    while (value.next()) {
      if (value.field() == 1) {
        names.accept(value.text());
      } else {
        value.skip();
      }
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String format() {
    return "onnx";
  }

  @Override
  public List<TensorInfo> tensors() {
    return initializers.values().stream().map(Initializer::info).toList();
  }

  @Override
  public Optional<TensorInfo> find(String name) {
    return Optional.ofNullable(initializers.get(name)).map(Initializer::info);
  }

  @Override
  public Optional<TensorInfo> lookedUp() {
    List<TensorInfo> tables = tables();
    if (tables.size() < 2) {
      return tables.stream().findFirst(); // the graph need not be walked
    }
    // of several with most rows the first, but for a decoder's, which serves at the output
    List<String> last =
        uses().stream().flatMap(use -> use.last().stream()).map(Factor::tensor).toList();
    return tables.stream()
        .max(
            Comparator.<TensorInfo>comparingLong(table -> table.shape().getFirst())
                .thenComparing(table -> !last.contains(table.name())));
  }

  /** Returns what rows are looked up in by inputs that may be tokens, in the graph's order. */
  private List<TensorInfo> tables() {
    return graph.lookedUp().stream()
        .flatMap(name -> find(name).stream())
        .filter(TensorInfo::hasRows)
        .toList();
  }

  @Override
  public Optional<TensorUses> uses() {
    return Optional.of(graph.uses(initializers::containsKey));
  }

  @Override
  public boolean storesFactorsTransposed() {
    return true;
  }

  @Override
  public MemorySegment data(TensorInfo tensor) throws IOException {
    Initializer initializer = initializers.get(tensor.name());
    if (initializer == null) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path));
    }
    if (initializer.data().isPresent()) {
      return initializer.data().get().rest();
    }
    if (initializer.external().isPresent()) {
      return external(tensor, initializer.external().get());
    }
    return new ScatteredNumbers(file, tensor, initializer.scattered().orElseThrow()).gather();
  }

  private MemorySegment external(TensorInfo tensor, String location) throws IOException {
    MappedFile other;
    synchronized (externals) {
      other = externals.get(location);
      if (other == null) {
        other = MappedFile.open(Neighbouring.find(path, location));
        externals.put(location, other);
      }
    }
    if (tensor.bytes() > other.size() - tensor.offset()) {
      throw new FormatException(
          other.path(),
          other.size(),
          "tensor \"%s\" of %s should end at byte %d but the file has %d; it looks cut off"
              .formatted(
                  tensor.name(),
                  path.getFileName(),
                  tensor.offset() + tensor.bytes(),
                  other.size()));
    }
    return other.bytes().asSlice(tensor.offset(), tensor.bytes());
  }

  @Override
  public List<String> notes() {
    List<TensorInfo> tables = tables();
    return tables.size() < 2
        ? List.of()
        : List.of(
            "several inputs are looked up in tables, of which the one with the most rows counts as that of the tokens: %s%s; any can be chosen by name"
                .formatted(
                    tables.stream()
                        .limit(MOST_NAMED)
                        .map(table -> "\"%s\" [%s]".formatted(table.name(), table.shapeText()))
                        .collect(Collectors.joining(", ")),
                    tables.size() > MOST_NAMED ? ", …" : ""));
  }

  @Override
  public void close() {
    release.run();
    synchronized (externals) {
      externals.values().forEach(MappedFile::close);
      externals.clear();
    }
  }
}

package dev.rowan.formats.onnx;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.file.Stretches;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The initialisers of an ONNX model, read in place: the file is walked from field to field, and
 * only what describes a tensor or a node is looked at. Numbers kept in another file ("external
 * data") are mapped when asked for; that file must lie in the model's folder, see {@link
 * Neighbouring}.
 *
 * <pre>
 *   ModelProto   7 graph
 *   GraphProto   1 node (repeated)   5 initializer (repeated)   11 input (repeated; 1 name)
 * </pre>
 *
 * <p>Initialisers inside the graphs of branches and loops are not read. See {@link Initializer} for
 * how numbers are stored.
 */
public final class OnnxFile implements TensorFile {
  private static final int START = 4096;
  private static final int MODEL_GRAPH = 7;
  private static final int GRAPH_NODE = 1;
  private static final int GRAPH_INITIALIZER = 5;
  private static final int GRAPH_INPUT = 11;

  private static final ValueLayout.OfShort SHORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

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
        case GRAPH_NODE -> graph.addNode(message.message());
        case GRAPH_INITIALIZER -> addInitializer(message.message());
        case GRAPH_INPUT -> addInput(message.message());
        default -> message.skip();
      }
    }
  }

  private void addInitializer(Wire message) {
    long at = message.position();
    Initializer initializer = Initializer.read(path, message);
    String name = initializer.info().name();
    if (initializers.putIfAbsent(name, initializer) != null) {
      throw new FormatException(
          path, at, "duplicate name: initializer \"%s\" occurs twice".formatted(name));
    }
  }

  private void addInput(Wire value) {
    while (value.next()) {
      if (value.field() == 1) {
        graph.addInput(value.text());
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
    return graph.lookedUp().flatMap(this::find);
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
    return gather(tensor, initializer.scattered().orElseThrow());
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

  /** Copies numbers that are stored one by one; they are counted before memory is taken. */
  private MemorySegment gather(TensorInfo tensor, Initializer.Span span) {
    if (tensor.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          path,
          "initializer \"%s\" has dtype %s, whose numbers cannot be read"
              .formatted(tensor.name(), tensor.dtype().label()));
    }
    List<Wire> runs = runs(tensor, span);
    long count = 0;
    for (Wire run : runs) {
      count += count(run, tensor);
    }
    if (count != tensor.elements()) {
      throw new FormatException(
          path,
          span.start(),
          "initializer \"%s\" has %,d numbers but shape %s takes %,d"
              .formatted(tensor.name(), count, tensor.shapeText(), tensor.elements()));
    }
    MemorySegment target = Arena.ofAuto().allocate(tensor.bytes());
    long at = 0;
    for (Wire run : runs(tensor, span)) {
      while (!run.atEnd()) {
        switch (tensor.dtype().bits()) {
          case 16 -> target.set(SHORT, at, (short) run.varint());
          case 32 -> target.set(INT, at, (int) run.fixed(4));
          default -> target.set(LONG, at, run.fixed(8));
        }
        at += tensor.dtype().bits() / 8;
      }
    }
    return target.asReadOnly();
  }

  private static long count(Wire run, TensorInfo tensor) {
    long count = 0;
    while (!run.atEnd()) {
      if (tensor.dtype().bits() == 16) {
        run.varint();
      } else {
        run.advance(tensor.dtype().bits() / 8);
      }
      count++;
    }
    return count;
  }

  /** Returns the stretches of the message that hold the numbers. */
  private List<Wire> runs(TensorInfo tensor, Initializer.Span span) {
    int field =
        switch (tensor.dtype().bits()) {
          case 16 -> Initializer.INT32_DATA;
          case 32 -> Initializer.FLOAT_DATA;
          default -> Initializer.DOUBLE_DATA;
        };
    List<Wire> runs = new ArrayList<>();
    Wire message = Wire.over("ONNX model", file).over(span.start(), span.end());
    while (message.next()) {
      if (message.field() == field) {
        runs.add(message.value());
      } else {
        message.skip();
      }
    }
    return runs;
  }

  @Override
  public List<String> notes() {
    return List.of();
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

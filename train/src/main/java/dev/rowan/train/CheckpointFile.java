package dev.rowan.train;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The file of a training that was interrupted, whatever it learns: words, arrays of numbers as they
 * lie in memory, and texts by name, in a safetensors file.
 *
 * <p>Open until {@link #close}; not for several threads at once.
 */
public final class CheckpointFile implements AutoCloseable {
  private static final String VERSION = "1";

  private final Path path;
  private final Safetensors file;

  private CheckpointFile(Path path, Safetensors file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens a file and reads what stands in its header.
   *
   * @param prefix of the name of its version
   * @param kind of training, for messages
   * @param reader makes a checkpoint of the file, which is closed if that fails
   * @throws FormatException if it is no such file, or the reader throws an {@link
   *     IllegalArgumentException}
   */
  public static <T> T open(
      Path path, String prefix, String kind, Function<CheckpointFile, T> reader)
      throws IOException {
    Safetensors file = Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT);
    try {
      CheckpointFile opened = new CheckpointFile(path, file);
      opened.check(file.metadata().get(prefix + "version"), kind);
      return reader.apply(opened);
    } catch (IllegalArgumentException e) {
      file.close();
      throw new FormatException(path, "the header is damaged: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private void check(@Nullable String version, String kind) {
    if (version == null) {
      throw new FormatException(
          path,
          "is no checkpoint of %s; type the objective it was made with, or give the file that training left beside its output"
              .formatted(kind));
    }
    if (!version.equals(VERSION)) {
      throw new FormatException(
          path,
          "is a checkpoint of version %s; this program reads version %s"
              .formatted(version, VERSION));
    }
  }

  /**
   * Writes a file.
   *
   * @param prefix of the name of its version
   * @throws IOException if that fails; an older file is untouched then
   */
  public static void write(
      Path path, String prefix, Vocabulary words, List<Tensor> numbers, Map<String, String> texts)
      throws IOException {
    List<Tensor> tensors = new ArrayList<>(StoredTokens.tensors(words));
    tensors.addAll(numbers);
    Map<String, String> all = new LinkedHashMap<>(texts);
    all.put(prefix + "version", VERSION);
    SafetensorsWriter.write(path, tensors, all);
  }

  /** Returns f32 numbers as a tensor, their count to be a multiple of {@code width}. */
  public static Tensor floats(String name, MemorySegment numbers, long width) {
    long count = numbers.byteSize() / Float.BYTES;
    List<Long> shape = width == 1 ? List.of(count) : List.of(count / width, width);
    return new Tensor(name, TrainedTable.dtype("F32"), shape, numbers);
  }

  /** Returns where the file is. */
  public Path path() {
    return path;
  }

  /** Returns the texts whose names begin with a prefix, by the rest of their names. */
  public Map<String, String> texts(String prefix) {
    Map<String, String> texts = new LinkedHashMap<>();
    file.metadata()
        .forEach((name, value) -> {
          if (name.startsWith(prefix)) {
            texts.put(name.substring(prefix.length()), value);
          }
        });
    return texts;
  }

  /**
   * Returns a text.
   *
   * @throws FormatException if there is none of that name
   */
  public String text(String name) {
    String value = file.metadata().get(name);
    if (value == null) {
      throw new FormatException(path, "the header has no \"" + name + "\"");
    }
    return value;
  }

  /** Returns the words; empty where they are missing. */
  public Optional<Vocabulary> words() {
    return StoredTokens.of(file);
  }

  /** Returns whether the words are those of a vocabulary, in the same order. */
  public boolean hasWords(Vocabulary now) {
    Optional<Vocabulary> then = words();
    boolean same = then.isPresent() && then.get().size() == now.size();
    for (int id = 0; same && id < now.size(); id++) {
      same = now.stored(id).equals(then.orElseThrow().stored(id));
    }
    return same;
  }

  /**
   * Returns the bytes of an array, valid until {@link #close}.
   *
   * @throws FormatException if it is not there, or has another size
   */
  public MemorySegment data(String name, long bytes) {
    TensorInfo tensor =
        file.find(name)
            .orElseThrow(() -> new FormatException(path, "holds no tensor \"" + name + "\""));
    MemorySegment stored = file.data(tensor);
    if (stored.byteSize() != bytes) {
      throw new FormatException(
          path,
          "tensor \"%s\" has %,d bytes; these settings need %,d"
              .formatted(name, stored.byteSize(), bytes));
    }
    return stored;
  }

  @Override
  public void close() {
    file.close();
  }
}

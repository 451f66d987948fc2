package dev.rowan.formats.tensor;

import dev.rowan.core.SubwordVectors;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.tokenizer.TokenizerModel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An open model file, or several that belong together.
 *
 * <p>Safe for any number of threads until {@link #close}; after that no bytes may be used.
 */
public interface TensorFile extends AutoCloseable {

  /** Returns the file that was opened; of several the one that names the others. */
  Path path();

  /** Returns the short name of the format, such as {@code safetensors}. */
  String format();

  /** Returns all tensors, in the order of the file. */
  List<TensorInfo> tensors();

  /**
   * Returns a tensor's bytes, row-major and packed, of any alignment, in the byte order that the
   * dtype's rows read (all but {@link BigEndianRows}: little-endian); mapped from the file where
   * the file stores them that way.
   *
   * @param tensor one of {@link #tensors}
   * @throws dev.rowan.formats.file.FormatException if the bytes lie in another file that is missing
   *     or too short
   */
  MemorySegment data(TensorInfo tensor) throws IOException;

  /**
   * Returns a reader of the tokens that the file itself holds, if it does. Called at most once;
   * what it throws is what the file's reader throws.
   */
  default Optional<Supplier<Vocabulary>> vocabulary() {
    return Optional.empty();
  }

  /**
   * Returns a reader of the tokenizer that the file itself holds, if it does. It throws what the
   * file's reader throws; what it returns may be used after the file is closed.
   */
  default Optional<Supplier<TokenizerModel>> tokenizer() {
    return Optional.empty();
  }

  /** Returns what the file itself says of the model, where no {@code config.json} does. */
  default ModelConfig config() {
    return ModelConfig.SILENT;
  }

  /**
   * Returns what the file says of itself, by name: texts that its maker left in it, but none that
   * tell how it is to be read.
   */
  default Map<String, String> texts() {
    return Map.of();
  }

  /** Returns one sentence each on anything a user should know about the file. */
  List<String> notes();

  /** Returns the tensor of a name. */
  default Optional<TensorInfo> find(String name) {
    return tensors().stream().filter(tensor -> tensor.name().equals(name)).findFirst();
  }

  /** Returns the tensor that the model looks ids up in, where the file shows what it computes. */
  default Optional<TensorInfo> lookedUp() {
    return Optional.empty();
  }

  /** Returns what the model does with its tensors, where the file shows what it computes. */
  default Optional<TensorUses> uses() {
    return Optional.empty();
  }

  /**
   * Returns the input table where the kind of file leaves no doubt, whatever names say. It need not
   * be one of {@link #tensors}: a file may make its rows from several of them.
   */
  default Optional<TensorInfo> table() {
    return Optional.empty();
  }

  /** Returns how the file makes vectors for words that have no row, if it can. */
  default Optional<SubwordVectors> subwords() {
    return Optional.empty();
  }

  /** Returns whether matrices that rows are multiplied by may be stored as width × rows. */
  default boolean storesFactorsTransposed() {
    return false;
  }

  /** Unmaps the file. */
  @Override
  void close();
}

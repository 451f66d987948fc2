package dev.rowan.formats;

import dev.rowan.formats.tensor.TensorInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a model's files hold, read from their headers.
 *
 * @param path the file or folder that was opened
 * @param format the file format, such as {@code safetensors}
 * @param architecture what the model's config calls itself
 * @param tensors all tensors, in the order of the files
 * @param storedParameters how many parameters they hold, a table stored twice counted twice; empty
 *     if they are packed in a way that does not tell
 * @param notes one sentence each on anything a user should know about the files
 */
public record Inventory(
    Path path,
    String format,
    Optional<String> architecture,
    List<TensorInfo> tensors,
    OptionalLong storedParameters,
    List<String> notes) {

  /** Copies the lists. */
  public Inventory {
    tensors = List.copyOf(tensors);
    notes = List.copyOf(notes);
  }
}

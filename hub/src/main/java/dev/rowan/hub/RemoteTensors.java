package dev.rowan.hub;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The tensors of a remote model, of which only the headers are here. Each tensor's file is the name
 * of a file of the model.
 *
 * @param path the model, for messages
 * @param format the file format
 * @param tensors all of them
 * @param config what the weights files say of the model
 * @param notes on the files
 * @param texts what the files say of themselves
 */
record RemoteTensors(
    Path path,
    String format,
    List<TensorInfo> tensors,
    ModelConfig config,
    List<String> notes,
    Map<String, String> texts)
    implements TensorFile {

  RemoteTensors {
    tensors = List.copyOf(tensors);
    notes = List.copyOf(notes);
  }

  /** Makes them of files that say nothing of themselves. */
  RemoteTensors(
      Path path, String format, List<TensorInfo> tensors, ModelConfig config, List<String> notes) {
    this(path, format, tensors, config, notes, Map.of());
  }

  @Override
  public MemorySegment data(TensorInfo tensor) {
    throw new IllegalStateException(
        "the numbers of tensor \"%s\" are not here, only its header is".formatted(tensor.name()));
  }

  @Override
  public void close() {
    // nothing is open
  }
}

package dev.rowan.hub;

import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tensor.TensorUses;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The tensors of a remote ONNX model, of which only the graph is here.
 *
 * @param all the tensors
 * @param looked the name of the one that the graph looks ids up in
 * @param uses what it does with them
 */
record RemoteOnnx(RemoteTensors all, Optional<String> looked, Optional<TensorUses> uses)
    implements TensorFile {
  @Override
  public Path path() {
    return all.path();
  }

  @Override
  public String format() {
    return all.format();
  }

  @Override
  public List<TensorInfo> tensors() {
    return all.tensors();
  }

  @Override
  public MemorySegment data(TensorInfo tensor) {
    return all.data(tensor);
  }

  @Override
  public Optional<TensorInfo> lookedUp() {
    return looked.flatMap(this::find);
  }

  @Override
  public boolean storesFactorsTransposed() {
    return true;
  }

  @Override
  public List<String> notes() {
    return all.notes();
  }

  @Override
  public void close() {
    // nothing is open
  }
}

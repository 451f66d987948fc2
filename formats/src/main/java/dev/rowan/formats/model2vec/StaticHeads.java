package dev.rowan.formats.model2vec;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A static embedding model of which only the header is here.
 *
 * @param heads the file
 * @param lookup its table: as many rows as tokens, whose numbers cannot be read
 */
record StaticHeads(TensorFile heads, TensorInfo lookup) implements TensorFile {

  static StaticHeads of(TensorFile heads, TensorInfo stored) {
    Optional<TensorInfo> mapping = heads.find(StaticModel.MAPPING);
    boolean plain = mapping.isEmpty() && heads.find(StaticModel.WEIGHTS).isEmpty();
    if (plain || stored.dtype().rows().isEmpty()) {
      return new StaticHeads(heads, stored);
    }
    long rows = stored.shape().getFirst();
    WeightedRows format = new WeightedRows(MemorySegment.NULL, stored.dtype().rows().get(), rows);
    return new StaticHeads(
        heads, format.tableOver(stored, mapping.map(TensorInfo::elements).orElse(rows)));
  }

  @Override
  public Path path() {
    return heads.path();
  }

  @Override
  public String format() {
    return StaticModel.format(lookup);
  }

  @Override
  public List<TensorInfo> tensors() {
    return heads.tensors();
  }

  @Override
  public Optional<TensorInfo> table() {
    return Optional.of(lookup);
  }

  @Override
  public MemorySegment data(TensorInfo tensor) throws IOException {
    return heads.data(tensor);
  }

  @Override
  public ModelConfig config() {
    return StaticModel.config(lookup);
  }

  @Override
  public Map<String, String> texts() {
    return heads.texts();
  }

  @Override
  public List<String> notes() {
    boolean scaled = !lookup.dtype().label().startsWith("I8");
    return scaled
        ? heads.notes()
        : Stream.concat(heads.notes().stream(), Stream.of(StaticModel.DIRECTIONS)).toList();
  }

  @Override
  public void close() {
    heads.close();
  }
}

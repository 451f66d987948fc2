package dev.rowan.formats.tensor;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.config.ModelConfig;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file of one table of float32 and nothing else. */
public abstract class OneTable implements TensorFile {
  private static final Dtype F32 = Dtype.rows("F32", 32, FloatFormat.F32);

  private final TensorInfo table;
  private final MemorySegment data;

  /**
   * Names the table.
   *
   * @param path the file of its numbers
   * @param data rows × width float32, little-endian
   */
  protected OneTable(Path path, String name, long rows, int width, MemorySegment data) {
    this.table = new TensorInfo(name, F32, List.of(rows, (long) width), path, 0, 4L * rows * width);
    this.data = data;
  }

  @Override
  public final Path path() {
    return table.file();
  }

  @Override
  public final List<TensorInfo> tensors() {
    return List.of(table);
  }

  @Override
  public final Optional<TensorInfo> table() {
    return Optional.of(table);
  }

  @Override
  public final MemorySegment data(TensorInfo tensor) {
    if (!tensor.equals(table)) {
      throw new IllegalArgumentException(
          "tensor \"%s\" is not one of %s".formatted(tensor.name(), path()));
    }
    return data;
  }

  @Override
  public final ModelConfig config() {
    return ModelConfig.INPUT_ONLY;
  }
}

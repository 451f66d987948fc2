package dev.rowan.analysis.edit;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * One open file of weights.
 *
 * @param file where it is
 * @param relative its place in the model's folder
 * @param mapped its bytes
 * @param header its header, checked
 */
record Shard(Path file, Path relative, MappedFile mapped, SafetensorsHeader header)
    implements AutoCloseable {

  static Shard open(Path folder, Path file) throws IOException {
    MappedFile mapped = MappedFile.open(file);
    try {
      SafetensorsHeader header =
          SafetensorsHeader.read(file, mapped.bytes(), SafetensorsHeader.DEFAULT_LIMIT);
      return new Shard(file, folder.relativize(file), mapped, header);
    } catch (RuntimeException | Error e) {
      mapped.close();
      throw e;
    }
  }

  MemorySegment data(TensorInfo tensor) {
    return mapped.bytes().asSlice(tensor.offset(), tensor.bytes());
  }

  @Override
  public void close() {
    mapped.close();
  }
}

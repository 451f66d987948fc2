package dev.rowan.train;

import dev.rowan.core.Table;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file that {@link TrainedTable#save} wrote. Its rows are mapped and may be read, by any number
 * of threads, until {@link #close}.
 */
public final class TrainedFile implements AutoCloseable {
  private static final ValueLayout.OfLong COUNT =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final Safetensors file;

  private TrainedFile(Path path, Safetensors file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens a file. Cost: the header.
   *
   * @throws FormatException if it is no safetensors file, or damaged
   */
  public static TrainedFile open(Path path) throws IOException {
    return new TrainedFile(path, Safetensors.open(path, SafetensorsHeader.DEFAULT_LIMIT));
  }

  /**
   * Returns what was saved; the settings include the notes.
   *
   * @throws FormatException if the file holds no table that was trained
   */
  public TrainedTable table() {
    Map<String, String> settings = new LinkedHashMap<>();
    file.metadata()
        .forEach((name, value) -> {
          if (name.startsWith(TrainedTable.SETTING)) {
            settings.put(name.substring(TrainedTable.SETTING.length()), value);
          }
        });
    return new TrainedTable(
        vocabulary(),
        table(TrainedTable.INPUT)
            .orElseThrow(
                () -> new FormatException(path, "holds no tensor \"" + TrainedTable.INPUT + "\"")),
        table(TrainedTable.OUTPUT),
        table(TrainedTable.PARTS),
        settings);
  }

  private CountedVocabulary vocabulary() {
    Optional<TensorInfo> counts = file.find(TrainedTable.COUNTS);
    var words = StoredTokens.of(file);
    if (words.isEmpty()
        || counts.isEmpty()
        || !counts.get().shape().equals(List.of((long) words.get().size()))) {
      throw new FormatException(path, "holds no words with counts, as training writes them");
    }
    return CountedVocabulary.of(words.get(), file.data(counts.get()).toArray(COUNT));
  }

  private Optional<Table> table(String name) {
    return file.find(name)
        .map(tensor -> {
          List<Long> shape = tensor.shape();
          if (!tensor.dtype().equals(TrainedTable.dtype("F32"))
              || shape.size() != 2
              || shape.get(0) < 1
              || shape.get(0) > Integer.MAX_VALUE
              || shape.get(1) < 1
              || shape.get(1) > Integer.MAX_VALUE) {
            throw new FormatException(
                path,
                "tensor \"%s\" is %s of %s; a table of F32 was expected"
                    .formatted(name, shape, tensor.dtype().label()));
          }
          return Table.over(
              file.data(tensor), shape.get(0), Math.toIntExact(shape.get(1)), FloatFormat.F32);
        });
  }

  @Override
  public void close() {
    file.close();
  }
}

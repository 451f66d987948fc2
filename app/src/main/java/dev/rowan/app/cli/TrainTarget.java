package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Workers;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.ConvertOptions;
import dev.rowan.formats.write.Converter;
import dev.rowan.train.TrainedTable;
import dev.rowan.train.TrainedTable.OutputRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a trained table goes, and in which format; known, and found fit, before training begins.
 *
 * @param path the file or folder
 * @param other the format if it is another than one safetensors file
 */
record TrainTarget(Path path, ConvertCommand.@Nullable Name other) {

  /** Returns the target; its format follows from its ending unless it was asked for. */
  static TrainTarget of(Path path, @Nullable String asked) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new NotDirectoryException(String.valueOf(parent));
    }
    boolean file = path.toString().endsWith(".safetensors");
    if (file && (asked == null || asked.equals("safetensors"))) {
      return new TrainTarget(path, null);
    }
    return new TrainTarget(path, ConvertCommand.name(asked, path));
  }

  /** Returns where checkpoints go. */
  Path checkpoint() {
    return path.resolveSibling(path.getFileName() + ".checkpoint");
  }

  /** Returns what to call the format. */
  String format() {
    return other == null ? "safetensors" : other.typed;
  }

  /** Writes the table; returns one sentence each on what the format does not keep. */
  List<String> write(
      TrainedTable table, OutputRows outputRows, Map<String, String> notes, Workers workers)
      throws IOException {
    if (other == null) {
      table.save(path, outputRows, notes);
      return List.of();
    }
    try (Lexicon lexicon = table.lexicon(path, outputRows)) {
      Conversion written =
          Converter.convert(
              lexicon, path, other.format, ConvertOptions.DEFAULT.withWorkers(workers));
      return written.notes();
    }
  }
}

package dev.rowan.hub;

import dev.rowan.core.TieDecision;
import dev.rowan.formats.convention.TieRule;
import dev.rowan.formats.safetensors.Safetensors;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Compares a table with an output table that is stored as width × rows, in full. */
final class TransposedTie {
  private TransposedTie() {}

  /**
   * Returns what reads both tables and decides, where a model has such an output table.
   *
   * @param folder the excerpts with both tables; if it is no folder, its reader knows better
   */
  static Optional<Supplier<TieDecision>> of(RemoteModel model, Path folder) {
    Optional<TensorInfo> output = model.choice().transposedOutput();
    return output.isPresent() && Files.isDirectory(folder)
        ? Optional.of(() -> decide(model, output.get(), folder))
        : Optional.empty();
  }

  private static TieDecision decide(RemoteModel model, TensorInfo output, Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> files =
          entries.filter(file -> file.toString().endsWith(".safetensors")).sorted().toList();
      try (Safetensors tables =
          Safetensors.openShards(folder, files, SafetensorsHeader.DEFAULT_LIMIT)) {
        TensorInfo one = tables.find(model.input().name()).orElseThrow();
        TensorInfo other = tables.find(output.name()).orElseThrow();
        return TieRule.transposed(
            one, tables.data(one), other, tables.data(other), model.config().tie());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.rowan.hub;

import dev.rowan.formats.TableChoice;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.pytorch.PytorchFile;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out where the tables of a remote model lie, where its headers leave that open, and whether
 * they can be fetched alone.
 *
 * @param tensors what the headers say
 * @param weights the files
 */
record Located(TensorFile tensors, Weights weights) {

  /**
   * Returns the tables with the places of their bytes.
   *
   * @throws NotInParts if they are not stored as rows, one after the other
   */
  TableChoice tables(TableChoice choice) throws IOException {
    return switch (weights.kind()) {
      case SAFETENSORS, GGUF, NUMPY, WHOLE -> choice;
      case PYTORCH, TENSORFLOW, ONNX ->
          new TableChoice(
              table(choice.input()),
              table(choice.output()),
              table(choice.transposedOutput()),
              choice.basis(),
              notes(choice));
    };
  }

  private static List<String> notes(TableChoice choice) {
    List<String> notes = new ArrayList<>(choice.notes());
    choice
        .transposedOutput()
        .ifPresent(output ->
            notes.add(
                "the output table \"%s\" is stored transposed, width × rows; it is not opened"
                    .formatted(output.name())));
    return notes;
  }

  private Optional<TensorInfo> table(Optional<TensorInfo> table) throws IOException {
    return table.isPresent() ? Optional.of(table(table.get())) : table;
  }

  private TensorInfo table(TensorInfo tensor) throws IOException {
    Optional<Entry> holder = weights.holder(tensor);
    boolean inPieces =
        tensor.offset() == 0
            && (tensors instanceof PytorchFile
                || weights.index().map(Entry::name).equals(holder.map(Entry::name)));
    if (holder.isEmpty() || inPieces || !Excerpt.canHold(tensor.dtype())) {
      throw new NotInParts("\"%s\" is not stored as plain rows".formatted(tensor.name()));
    }
    TensorInfo located = located(tensor);
    long size = holder.get().size().orElseThrow();
    if (located.offset() > size || located.bytes() > size - located.offset()) {
      throw new FormatException(
          located.file(),
          size,
          "\"%s\" has %,d bytes from byte %,d on but the file has %,d; it looks cut off"
              .formatted(located.name(), located.bytes(), located.offset(), size));
    }
    return located;
  }

  private TensorInfo located(TensorInfo tensor) throws IOException {
    try {
      return tensors instanceof PytorchFile checkpoint ? checkpoint.located(tensor) : tensor;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}

package dev.rowan.formats;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Scoring;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which tensors of a file are its tables.
 *
 * @param input the input table; empty if the file holds only an output table
 * @param output the output table, if the file holds one
 * @param transposedOutput the output table as width × rows, if the file holds no other
 * @param basis what the choice of the input table rests on
 * @param notes one sentence each on how the choice was made, where it was not plain
 */
public record TableChoice(
    Optional<TensorInfo> input,
    Optional<TensorInfo> output,
    Optional<TensorInfo> transposedOutput,
    Basis basis,
    List<String> notes) {

  /** What the choice of the input table rests on. */
  public enum Basis {
    /** Its name, or its use in the graph. */
    CONVENTION,
    /** The user named it, and it has no name that conventions know. */
    USER
  }

  /** Copies the notes. */
  public TableChoice {
    notes = List.copyOf(notes);
  }

  /**
   * Returns how many rows the table should have. The config says so; the tokenizer is only read
   * where that helps, since it costs more than all the rest of opening.
   *
   * @param tokenizer reads the tokens, where a tokenizer was found
   */
  public static OptionalLong expectedRows(
      TensorFile file, ModelConfig config, Optional<Supplier<Vocabulary>> tokenizer) {
    if (file.table().isPresent()) {
      return OptionalLong.empty(); // nothing is to be chosen
    }
    if (config.vocabularySize().isPresent() || tokenizer.isEmpty()) {
      return config.vocabularySize();
    }
    boolean plain =
        TableNames.inputs(file.tensors()).stream().filter(TensorInfo::hasRows).count() == 1;
    return plain || file.lookedUp().isPresent()
        ? OptionalLong.empty()
        : OptionalLong.of(tokenizer.get().get().size());
  }

  /**
   * Chooses.
   *
   * @param named the tensor that the user named
   * @param rows how many rows the table should have, from the config or the tokenizer
   * @param tie what the config says of a table at both ends
   * @throws IllegalArgumentException if the user named a tensor that is not there or has no rows
   * @throws UnsupportedFormatException if the table's numbers cannot be read
   * @throws FormatException if nothing in the file looks like a table
   */
  public static TableChoice of(
      TensorFile file, Optional<String> named, OptionalLong rows, TieSetting tie) {
    List<TensorInfo> tensors = file.tensors();
    Optional<TensorInfo> output = TableNames.bestOutput(tensors, rows);
    if (named.isPresent()) {
      TensorInfo input = named(file, named.get());
      // where the user chose, a decoder's table is not brought in for the output
      boolean known = TableNames.inputs(List.of(input)).size() == 1;
      return known
          ? byConvention(file, Optional.of(input), output, List.of(), TieSetting.INPUT_ONLY)
          : new TableChoice(
              Optional.of(input), Optional.empty(), Optional.empty(), Basis.USER, List.of());
    }
    List<String> notes = new ArrayList<>();
    Optional<TensorInfo> input =
        file.table()
            .or(() -> TableNames.bestInput(tensors, rows))
            .or(() -> file.lookedUp().filter(TensorInfo::hasRows));
    boolean either = // an input table under a name that says nothing may lie beside the output's
        output.stream().anyMatch(o -> !TableNames.unnamedLike(o, tensors).isEmpty());
    if (input.isEmpty() && (output.isEmpty() || either)) {
      input = Optional.of(byShape(file, rows, notes));
    }
    return byConvention(file, input.map(tensor -> readable(file, tensor)), output, notes, tie);
  }

  /**
   * Chooses the output table.
   *
   * @param named the one whose name says that it is
   */
  private static TableChoice byConvention(
      TensorFile file,
      Optional<TensorInfo> input,
      Optional<TensorInfo> named,
      List<String> notes,
      TieSetting tie) {
    if (input.isEmpty()) {
      named.ifPresent(tensor -> readable(file, tensor));
      return new TableChoice(input, named, Optional.empty(), Basis.CONVENTION, notes);
    }
    TensorInfo table = input.get();
    // a table that serves at both ends may go by the name of the output's
    Optional<TensorInfo> output = named.filter(tensor -> !tensor.name().equals(table.name()));
    Optional<Scoring> scoring = output.isPresent() ? Optional.empty() : Scoring.of(file, table);
    if (scoring.isPresent()) {
      return new TableChoice(
          input,
          scoredBy(scoring.get(), Scoring.Place.ROW),
          scoredBy(scoring.get(), Scoring.Place.COLUMN),
          Basis.CONVENTION,
          notes);
    }
    if (named.isEmpty() && !tie.deniesTie()) {
      output = TableNames.ofDecoder(table, file.tensors());
    }
    Optional<TensorInfo> turned = transposedOutput(file, table, output);
    return new TableChoice(
        input, turned.isPresent() ? Optional.empty() : output, turned, Basis.CONVENTION, notes);
  }

  /** Returns the other table that the model scores tokens by, if its numbers can be read. */
  private static Optional<TensorInfo> scoredBy(Scoring scoring, Scoring.Place place) {
    return scoring instanceof Scoring.ByOther(TensorInfo tensor, Scoring.Place at)
            && at == place
            && tensor.hasRows()
            && tensor.dtype().rows().isPresent()
            && tensor.shape().get(1) <= Integer.MAX_VALUE
        ? Optional.of(tensor)
        : Optional.empty();
  }

  /** Graphs multiply by a matrix from the right, so their exporters store it transposed. */
  private static Optional<TensorInfo> transposedOutput(
      TensorFile file, TensorInfo input, Optional<TensorInfo> output) {
    List<Long> turned = input.shape().reversed();
    if (!file.storesFactorsTransposed() || input.shape().equals(turned)) {
      return Optional.empty();
    }
    List<TensorInfo> candidates = output.map(List::of).orElseGet(file::tensors);
    return candidates.stream()
        .filter(tensor -> tensor.shape().equals(turned))
        .filter(tensor -> tensor.dtype().equals(input.dtype()))
        .findFirst();
  }

  private static TensorInfo named(TensorFile file, String name) {
    TensorInfo tensor =
        file.find(name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no tensor \"%s\" in %s; those with rows are: %s"
                        .formatted(name, file.path().getFileName(), withRows(file))));
    if (!tensor.hasRows()) {
      throw new IllegalArgumentException(
          "tensor \"%s\" has shape %s; a table has two dimensions, rows × width, neither of them 0"
              .formatted(name, tensor.shapeText()));
    }
    return readable(file, tensor);
  }

  private static TensorInfo readable(TensorFile file, TensorInfo tensor) {
    if (tensor.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          file.path(),
          "the table \"%s\" is stored as %s, which cannot be read; f32, f16, bf16, f64 and most GGUF blocks can"
              .formatted(tensor.name(), tensor.dtype().label()));
    }
    if (tensor.shape().get(1) > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          file.path(),
          "the table \"%s\" has shape %s; rows wider than 2^31 − 1 are not supported"
              .formatted(tensor.name(), tensor.shapeText()));
    }
    return tensor;
  }

  /** No name helps: a tensor is taken if it is the only one with as many rows as tokens. */
  private static TensorInfo byShape(TensorFile file, OptionalLong rows, List<String> notes) {
    List<TensorInfo> withRows = file.tensors().stream().filter(TensorInfo::hasRows).toList();
    if (withRows.isEmpty()) {
      throw new FormatException(
          file.path(),
          "holds no table, which has two dimensions, rows × width, neither of them 0; it holds %s"
              .formatted(shapes(file)));
    }
    List<TensorInfo> readable =
        withRows.stream().filter(tensor -> tensor.dtype().rows().isPresent()).toList();
    if (readable.isEmpty()) {
      throw new UnsupportedFormatException(
          file.path(),
          "holds no table of numbers that can be read: \"%s\" is stored as %s; f32, f16, bf16, f64 and most GGUF blocks can, so save it as one of these, such as array.astype(\"float32\")"
              .formatted(withRows.getFirst().name(), withRows.getFirst().dtype().label()));
    }
    List<TensorInfo> candidates =
        readable.stream()
            .filter(tensor -> rows.isEmpty() || tensor.shape().getFirst() == rows.getAsLong())
            .toList();
    if (candidates.isEmpty() && rows.isPresent()) {
      throw new FormatException(
          file.path(),
          "no tensor has a name that says it is a token table, and none has as many rows as there are tokens, %,d; those with rows are: %s; give the tokenizer that belongs to one of them, or choose one by name all the same"
              .formatted(rows.getAsLong(), withRows(file)));
    }
    if (candidates.size() != 1) {
      throw new FormatException(
          file.path(),
          "no tensor has a name that says it is a token table; choose one by name, those with rows are: "
              + withRows(file));
    }
    TensorInfo only = candidates.getFirst();
    notes.add(
        "no tensor has a name that says it is a token table; \"%s\" was taken because it alone has %s"
            .formatted(only.name(), rows.isEmpty() ? "rows" : "as many rows as there are tokens"));
    return only;
  }

  private static String shapes(TensorFile file) {
    List<TensorInfo> all = file.tensors();
    String shown =
        all.stream()
            .limit(4)
            .map(tensor -> "\"%s\" (%s)".formatted(tensor.name(), shape(tensor)))
            .collect(Collectors.joining(", "));
    return all.isEmpty()
        ? "nothing"
        : all.size() > 4 ? "%s, and %,d more".formatted(shown, all.size() - 4) : shown;
  }

  private static String shape(TensorInfo tensor) {
    String text = tensor.shapeText();
    return tensor.shape().size() == 1 ? "one dimension, " + text : text;
  }

  /** Lists the largest first, among which a token table mostly is. */
  private static String withRows(TensorFile file) {
    String shown =
        file.tensors().stream()
            .filter(TensorInfo::hasRows)
            .sorted(Comparator.comparingLong(TensorInfo::elements).reversed())
            .limit(12)
            .map(tensor -> "%s [%s]".formatted(tensor.name(), tensor.shapeText()))
            .collect(Collectors.joining(", "));
    long count = file.tensors().stream().filter(TensorInfo::hasRows).count();
    if (count == 0) {
      return "none";
    }
    return count > 12 ? "%s, and %,d more".formatted(shown, count - 12) : shown;
  }
}

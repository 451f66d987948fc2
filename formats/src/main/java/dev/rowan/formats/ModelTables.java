package dev.rowan.formats;

import dev.rowan.core.NamedTable;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.convention.SameNumbers;
import dev.rowan.formats.convention.TieRule;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The tables of an open file, and how to find out whether they are one.
 *
 * @param tie may read both tables
 * @param notes one sentence each on what a user should know about them
 */
record ModelTables(
    NamedTable input, Optional<NamedTable> output, Supplier<TieDecision> tie, List<String> notes) {

  static ModelTables of(TensorFile file, TableChoice choice, ModelConfig config)
      throws IOException {
    if (choice.input().isEmpty()) {
      return onlyOutput(file, choice.output().orElseThrow(), config);
    }
    TensorInfo inputTensor = choice.input().get();
    NamedTable input = table(file, inputTensor);
    if (choice.basis() == TableChoice.Basis.USER) {
      String evidence =
          "the table \"%s\" was chosen by name, so its part in the model is not known"
              .formatted(input.tensor());
      return withoutOutput(input, () -> new TieDecision(Tie.UNKNOWN, evidence));
    }
    if (choice.output().isPresent()) {
      return both(file, inputTensor, input, choice.output().get(), config.tie());
    }
    Optional<TensorInfo> transposed = choice.transposedOutput();
    if (transposed.isPresent()) {
      return transposed(file, inputTensor, input, transposed.get(), config.tie());
    }
    return withoutOutput(input, () -> TieRule.onlyInput(config, inputTensor, file));
  }

  private static ModelTables withoutOutput(NamedTable input, Supplier<TieDecision> tie) {
    return new ModelTables(input, Optional.empty(), tie, List.of());
  }

  private static ModelTables onlyOutput(TensorFile file, TensorInfo output, ModelConfig config)
      throws IOException {
    NamedTable table = table(file, output);
    TieDecision decision = TieRule.onlyOutput(output, config);
    String note =
        "there is no input table in the file; the output table \"%s\" stands in for it"
            .formatted(output.name());
    return new ModelTables(
        table,
        decision.tie().isTied() ? Optional.empty() : Optional.of(table),
        () -> decision,
        List.of(note));
  }

  private static ModelTables both(
      TensorFile file,
      TensorInfo inputTensor,
      NamedTable input,
      TensorInfo outputTensor,
      TieSetting config)
      throws IOException {
    if (inputTensor.isStoredWith(outputTensor)) {
      return withoutOutput(input, () -> TieRule.sameBytes(inputTensor, outputTensor));
    }
    if (!SameNumbers.canBeCompared(inputTensor, outputTensor)) {
      TieDecision untied = TieRule.differentForms(inputTensor, outputTensor);
      if (outputTensor.dtype().rows().isEmpty()) {
        String note =
            "the output table \"%s\" is stored as %s, which cannot be read; it is left out"
                .formatted(outputTensor.name(), outputTensor.dtype().label());
        return new ModelTables(input, Optional.empty(), () -> untied, List.of(note));
      }
      return new ModelTables(
          input, Optional.of(table(file, outputTensor)), () -> untied, List.of());
    }
    NamedTable output = table(file, outputTensor);
    Table one = input.table();
    Table other = output.table();
    return new ModelTables(
        input,
        Optional.of(output),
        () ->
            TieRule.haveOneForm(inputTensor, outputTensor)
                ? TieRule.both(inputTensor, one.data(), outputTensor, other.data(), config)
                : TieRule.inTwoFormats(inputTensor, one, outputTensor, other, config),
        List.of());
  }

  private static ModelTables transposed(
      TensorFile file,
      TensorInfo inputTensor,
      NamedTable input,
      TensorInfo outputTensor,
      TieSetting config)
      throws IOException {
    MemorySegment data = file.data(outputTensor);
    String note =
        "the output table \"%s\" is stored transposed, width × rows; it is not opened"
            .formatted(outputTensor.name());
    return new ModelTables(
        input,
        Optional.empty(),
        () ->
            SameNumbers.canBeComparedTurned(inputTensor, outputTensor)
                ? TieRule.transposed(inputTensor, input.table().data(), outputTensor, data, config)
                : TieRule.differentForms(inputTensor, outputTensor),
        List.of(note));
  }

  private static NamedTable table(TensorFile file, TensorInfo tensor) throws IOException {
    return new NamedTable(
        tensor.name(),
        Table.over(
            file.data(tensor),
            tensor.shape().get(0),
            Math.toIntExact(tensor.shape().get(1)),
            tensor.dtype().rows().orElseThrow()));
  }
}

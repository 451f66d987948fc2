package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tensor.TensorInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the headers of a remote model say.
 *
 * @param source the model, as it can be typed again
 * @param version the commit, or what else names the version
 * @param format the file format
 * @param architecture what the model's config calls itself
 * @param input the input table; its file is that of the model
 * @param output the output table, if the model stores one
 * @param tie how the two relate, as far as headers and a few parts of the tables tell
 * @param vocabulary the tokens, where there is a tokenizer
 * @param storedParameters how many parameters the model stores
 * @param notes one sentence each on anything a user should know
 * @param tensors all tensors of the model; the file of each is that of the model
 */
public record Inspection(
    String source,
    String version,
    String format,
    Optional<String> architecture,
    TensorInfo input,
    Optional<TensorInfo> output,
    TieDecision tie,
    Optional<Vocabulary> vocabulary,
    OptionalLong storedParameters,
    List<String> notes,
    List<TensorInfo> tensors) {

  /** Copies the lists. */
  public Inspection {
    notes = List.copyOf(notes);
    tensors = List.copyOf(tensors);
  }

  /** Returns how many parameters the model has, a table stored twice counted once. */
  public OptionalLong modelParameters() {
    boolean twice = output.isPresent() && tie.tie() == Tie.TIED_STORED_TWICE;
    return storedParameters.isPresent() && twice
        ? OptionalLong.of(storedParameters.getAsLong() - output.get().elements())
        : storedParameters;
  }

  /** Returns how many rows of the input table have no token; 0 if there is no vocabulary. */
  public long rowsWithoutToken() {
    if (vocabulary.isEmpty()) {
      return 0;
    }
    long rows = input.shape().getFirst();
    long with = 0;
    for (int id = 0; id < Math.min(rows, vocabulary.get().size()); id++) {
      if (vocabulary.get().has(id)) {
        with++;
      }
    }
    return rows - with;
  }
}

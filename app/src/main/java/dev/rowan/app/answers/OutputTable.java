package dev.rowan.app.answers;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.Optional;

/**
 * The table that scores vectors, and why it is that one.
 *
 * @param reason a clause for people
 */
public record OutputTable(NamedTable table, String reason) {

  /** Returns the table that scores where the user chose none. */
  public static OutputTable of(OpenModel open) throws IOException {
    Lexicon model = open.lexicon();
    Optional<NamedTable> own = open.ownOutput();
    if (own.isPresent() && !model.tie().isTied()) {
      return new OutputTable(own.get(), "the model's own output table: " + model.tieEvidence());
    }
    return new OutputTable(
        model.input(),
        model.tie().isTied()
            ? "the input table, tied to the output: " + model.tieEvidence()
            : "the input table stands in, since there is no other: " + model.tieEvidence());
  }

  /** Returns what to say of rows that take no part; nothing if there are none. */
  public Optional<String> leftOut(long nonFiniteRows) {
    return nonFiniteRows == 0
        ? Optional.empty()
        : Optional.of(
            "%,d of %,d rows hold a NaN or an infinity: they have no logit, and probabilities are those among the others"
                .formatted(nonFiniteRows, table.table().rows()));
  }
}

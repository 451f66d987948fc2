package dev.rowan.formats.tensor;

import java.util.Optional;

/** What a model scores tokens by at its outputs, as its file shows it; see {@link TensorUses}. */
public sealed interface Scoring {
  /** Returns what a model scores tokens by, if its file shows that; see {@link TensorUses}. */
  static Optional<Scoring> of(TensorFile file, TensorInfo input) {
    return file.uses().flatMap(uses -> uses.scoring(input, file.tensors()));
  }

  /** The table that ids are looked up in. */
  record ByInput() implements Scoring {}

  /**
   * Another tensor.
   *
   * @param tensor of any dtype; its numbers may be packed so that they have no rows
   * @param place whether it has a row for each token, or a column
   */
  record ByOther(TensorInfo tensor, Place place) implements Scoring {}

  /** Nothing: the model scores no tokens. */
  record ByNothing() implements Scoring {}

  /** Where in a matrix the numbers of a token are. */
  enum Place {
    /** In a row: rows × width. */
    ROW,
    /** In a column: width × rows. */
    COLUMN
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.formats.tensor.Dtype;
import java.util.List;
import java.util.Optional;

/**
 * What happens to the numbers of one table.
 *
 * @param blend what it is mixed with first
 * @param shapes what is done to its rows afterwards, in order
 * @param dtype how it is stored
 */
record NumberEdits(Optional<Blend> blend, List<Shape> shapes, Dtype dtype) {
  /** Copies the list. */
  NumberEdits {
    shapes = List.copyOf(shapes);
  }

  /** What is done to all rows. */
  enum Shape {
    /** The mean of all rows is taken from each. */
    CENTRED,
    /** Each is divided by its length. */
    UNIT
  }

  /** Returns whether old rows stay as they are stored. */
  boolean areVerbatim(Dtype stored) {
    return blend.isEmpty() && shapes.isEmpty() && dtype.equals(stored);
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.core.Table;
import dev.rowan.formats.tensor.TensorInfo;

/**
 * A tensor with a row for each token.
 *
 * @param info its name, shape and place
 * @param role what it is for
 * @param table its rows as they are; biases are a table of width 1
 */
record TokenTensor(TensorInfo info, Role role, Table table) {
  /** What a tensor is for. */
  enum Role {
    /** Turns ids into rows. */
    INPUT,
    /** Scores rows. */
    OUTPUT,
    /** A number for each token. */
    BIAS
  }

  /** Returns whether edits of numbers, such as centring, are for it. */
  boolean isIn(EditOptions.Scope scope) {
    return switch (role) {
      case INPUT -> scope != EditOptions.Scope.OUTPUT;
      case OUTPUT -> scope != EditOptions.Scope.INPUT;
      case BIAS -> false;
    };
  }

  /** Returns the tensor's name in quotes and its part. */
  String title() {
    return "%s \"%s\""
        .formatted(
            switch (role) {
              case INPUT -> "input table";
              case OUTPUT -> "output table";
              case BIAS -> "bias";
            },
            info.name());
  }
}

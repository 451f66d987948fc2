package dev.rowan.analysis.edit;

import java.util.Set;

/**
 * How to edit.
 *
 * @param initialisation what new rows start as
 * @param untouched what happens to files that do not change
 * @param scope which tables the edits of numbers are for; edits of the vocabulary are for all
 * @param also tensors with a row for each token that are to be edited as tables, beside those known
 * @param leave tensors that have a dimension of V by chance and stay as they are
 */
public record EditOptions(
    Initialisation initialisation,
    Untouched untouched,
    Scope scope,
    Set<String> also,
    Set<String> leave) {
  /** New rows are drawn around the mean with seed 0, files are copied, both tables edited. */
  public static final EditOptions DEFAULT =
      new EditOptions(
          new Initialisation.MeanAndCovariance(0),
          Untouched.COPIED,
          Scope.EVERY_TABLE,
          Set.of(),
          Set.of());

  /** What happens to files that do not change. */
  public enum Untouched {
    /** Their bytes are copied. */
    COPIED,
    /** The new folder names the same files; whoever later writes into one changes both. */
    LINKED
  }

  /** Which tables. */
  public enum Scope {
    /** All of them. */
    EVERY_TABLE,
    /** The input table and its copies. */
    INPUT,
    /** The output table. */
    OUTPUT
  }

  /** Copies the sets. */
  public EditOptions {
    also = Set.copyOf(also);
    leave = Set.copyOf(leave);
  }

  /** Returns these options with another start of new rows. */
  public EditOptions withInitialisation(Initialisation initialisation) {
    return new EditOptions(initialisation, untouched, scope, also, leave);
  }

  /** Returns these options with another fate of files that do not change. */
  public EditOptions withUntouched(Untouched untouched) {
    return new EditOptions(initialisation, untouched, scope, also, leave);
  }

  /** Returns these options with another choice of tables. */
  public EditOptions withScope(Scope scope) {
    return new EditOptions(initialisation, untouched, scope, also, leave);
  }

  /** Returns these options with other tensors that count as tables. */
  public EditOptions withAlso(Set<String> also) {
    return new EditOptions(initialisation, untouched, scope, also, leave);
  }
}

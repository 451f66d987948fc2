package dev.rowan.analysis.edit;

import java.util.List;

/**
 * What was found out about the result by opening it anew and comparing it with the old model.
 *
 * @param checks each of them was passed, or there would be no result
 */
public record Verification(List<Check> checks) {
  /** Copies the list. */
  public Verification {
    checks = List.copyOf(checks);
  }

  /**
   * A check that was passed.
   *
   * @param claim what is true
   * @param evidence what was compared
   */
  public record Check(String claim, String evidence) {}
}

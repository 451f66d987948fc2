package dev.rowan.analysis.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the audit looks for. The name in lower case with dashes is the name for users. */
public enum Rule {
  /** Every number is 0. */
  ZERO("zero rows"),
  /** All numbers are the same, and not 0. */
  CONSTANT("constant rows"),
  /** A number is NaN or infinite. */
  NON_FINITE("non-finite rows"),
  /**
   * The row holds numbers below the least normal one of float32, 2⁻¹²⁶; in an f16 table, where
   * small numbers are denormal by nature, it holds no other.
   */
  DENORMAL("denormal rows"),
  /** The row has the same stored bytes as an earlier one. */
  DUPLICATE("exact duplicates"),
  /** The row's cosine with an earlier one reaches a limit, directly or through rows between. */
  NEAR_DUPLICATE("near duplicates"),
  /** The row has no token. */
  ROW_WITHOUT_TOKEN("rows without a token"),
  /** The token has no row. */
  TOKEN_WITHOUT_ROW("tokens without a row"),
  /** The robust z-score of the row's norm is beyond a limit. */
  NORM_OUTLIER("norms out of line"),
  /** The row is what initialisation leaves: the mean row, or unstructured noise of its size. */
  INITIALISATION("rows as initialised"),
  /** The token's indicator lies where that of the known-unused rows lies. */
  UNDER_TRAINED("under-trained tokens");

  private final String title;

  Rule(String title) {
    this.title = title;
  }

  /** Returns what the rule finds, in the plural. */
  public String title() {
    return title;
  }

  /** Returns the name that users type, such as {@code non-finite}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the rule that users call by a name. */
  public static Optional<Rule> of(String label) {
    return Arrays.stream(values()).filter(rule -> rule.label().equals(label)).findFirst();
  }

  /** Returns the names of all rules. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(Rule::label).toList();
  }
}

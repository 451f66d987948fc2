package dev.rowan.analysis.audit;

import java.util.Objects;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row that a rule found.
 *
 * @param id the row; for {@link Rule#TOKEN_WITHOUT_ROW} the token
 * @param value the number behind it: the norm, the z-score, the cosine with {@code other}, the
 *     indicator; NaN if there is none
 * @param other the row that it is like; −1 if there is none
 * @param text makes the reason from the value; a rule may find most rows of a large table
 */
public record Finding(Rule rule, long id, double value, long other, DoubleFunction<String> text) {

  Finding(Rule rule, long id, double value, long other, String reason) {
    this(rule, id, value, other, _ -> reason);
  }

  /** Returns one phrase for people. */
  public String reason() {
    return text.apply(value);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof Finding f
        && rule == f.rule
        && id == f.id
        && Double.doubleToLongBits(value) == Double.doubleToLongBits(f.value)
        && other == f.other
        && reason().equals(f.reason());
  }

  @Override
  public int hashCode() {
    return Objects.hash(rule, id, value, other);
  }
}

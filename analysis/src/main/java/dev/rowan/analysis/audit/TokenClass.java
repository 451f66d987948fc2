package dev.rowan.analysis.audit;

import java.util.Locale;

/** What becomes of a token when its text is encoded again (Land and Bartolo 2024, section 2). */
public enum TokenClass {
  /** Encoding its text gives it back, so text can hold it; only these can be candidates. */
  REACHABLE,
  /** A marker such as {@code [CLS]} or {@code <|endoftext|>}. */
  SPECIAL,
  /** Its bytes alone are not UTF-8, so it has no text of its own. */
  UNDECODABLE,
  /** Encoding its text gives other tokens: no text leads to it, as far as can be tried. */
  UNREACHABLE,
  /** It has text, but there is no tokenizer to encode it with. Counts as reachable. */
  UNTESTED,
  /** The row has no token. */
  NONE;

  /** Returns the name for users. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether a token of this class can be a candidate. */
  public boolean isCandidate() {
    return this == REACHABLE || this == UNTESTED;
  }
}

package dev.rowan.analysis.edit;

import java.util.Optional;

/**
 * A token to add.
 *
 * @param text the token, as it stands in text
 * @param kind what it is for
 * @param meaning text that stands for it where its row is made of pieces; the token itself if empty
 */
public record NewToken(String text, Kind kind, Optional<String> meaning) {

  /** What a token is for. */
  public enum Kind {
    /** Text. */
    WORD,
    /** A mark that is left out of decoded text, such as the end of a turn. */
    SPECIAL
  }

  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public NewToken {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a token cannot be empty");
    }
  }
}

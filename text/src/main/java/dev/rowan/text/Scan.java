package dev.rowan.text;

/** Steps that hand-written cutters share. All take well-formed UTF-16. */
final class Scan {
  private Scan() {}

  /** Returns the end of the run of characters that have any of some bits. */
  static int run(char[] text, int from, int to, int bits) {
    int at = from;
    while (at < to && (Characters.bits(text, at) & bits) != 0) {
      at = Characters.next(text, at);
    }
    return at;
  }

  /** Returns the end of at most {@code most} characters that have any of some bits. */
  static int run(char[] text, int from, int to, int bits, int most) {
    int at = from;
    for (int i = 0; i < most && at < to && (Characters.bits(text, at) & bits) != 0; i++) {
      at = Characters.next(text, at);
    }
    return at;
  }

  /** Returns the end of the run of {@code [^\s\p{L}\p{N}]}. */
  static int others(char[] text, int from, int to) {
    int at = from;
    while (at < to && isOther(Characters.bits(text, at))) {
      at = Characters.next(text, at);
    }
    return at;
  }

  static boolean isOther(int bits) {
    return (bits & (Characters.LETTER | Characters.NUMBER | Characters.SPACE)) == 0;
  }

  /**
   * Returns the end of {@code \s+(?!\S)|\s+}: white space up to the last character before what
   * follows, which keeps one space to lead it. There must be one.
   */
  static int spaces(char[] text, int from, int to) {
    int end = run(text, from, to, Characters.SPACE);
    return end == to || end - from == 1 ? end : end - 1; // white space is of the basic plane
  }

  /**
   * Returns the end of {@code \s*[\r\n]+|\s+(?!\S)|\s+}: white space up to its last line end, if it
   * has one.
   */
  static int spacesByLines(char[] text, int from, int to) {
    int end = run(text, from, to, Characters.SPACE);
    for (int at = end; at > from; at--) {
      if (text[at - 1] == '\n' || text[at - 1] == '\r') {
        return at;
      }
    }
    return end == to || end - from == 1 ? end : end - 1;
  }

  /** Returns the end of {@code 's|'t|'re|'ve|'m|'ll|'d}, or {@code from} if there is none. */
  static int contraction(char[] text, int from, int to) {
    if (from + 1 >= to || text[from] != '\'') {
      return from;
    }
    char first = text[from + 1];
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
      return from + 2;
    }
    char second = from + 2 < to ? text[from + 2] : 0;
    boolean two =
        (first == 'r' && second == 'e')
            || (first == 'v' && second == 'e')
            || (first == 'l' && second == 'l');
    return two ? from + 3 : from;
  }

  /** Returns the end of {@link #contraction} in any case, or {@code from} if there is none. */
  static int contractionInAnyCase(char[] text, int from, int to) {
    if (from + 1 >= to || text[from] != '\'') {
      return from;
    }
    char first = folded(text[from + 1]);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
      return from + 2;
    }
    char second = from + 2 < to ? folded(text[from + 2]) : 0;
    boolean two =
        (first == 'r' && second == 'e')
            || (first == 'v' && second == 'e')
            || (first == 'l' && second == 'l');
    return two ? from + 3 : from;
  }

  private static char folded(char c) {
    if (c >= 'A' && c <= 'Z') {
      return (char) (c + 32);
    }
    return c == '\u017F' ? 's' : c; // the long s is an s to case-insensitive expressions
  }
}

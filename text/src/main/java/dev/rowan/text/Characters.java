package dev.rowan.text;

/**
 * What pre-tokenizers ask of a character: bits for letters, numbers, white space and so on, by code
 * point (Unicode as this JDK knows it). One table of 64 KB for the basic plane.
 */
final class Characters {
  /** {@code \p{L}}. */
  static final int LETTER = 1;

  /** {@code \p{N}}. */
  static final int NUMBER = 2;

  /** White_Space, {@code \s} in the expressions of tokenizers. */
  static final int SPACE = 4;

  /** Carriage return and line feed. */
  static final int LINE_END = 8;

  /** {@code [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]}. */
  static final int HIGH = 16;

  /** {@code [\p{Ll}\p{Lm}\p{Lo}\p{M}]}. */
  static final int LOW = 32;

  private static final byte[] BASIC = new byte[1 << 16];

  static {
    for (int c = 0; c < BASIC.length; c++) {
      BASIC[c] = (byte) compute(c);
    }
  }

  private Characters() {}

  /** Returns the bits of the code point that starts at a place of well-formed UTF-16. */
  static int bits(char[] text, int at) {
    char c = text[at];
    return Character.isHighSurrogate(c)
        ? compute(Character.toCodePoint(c, text[at + 1]))
        : BASIC[c];
  }

  /** Returns where the code point that starts at a place of well-formed UTF-16 ends. */
  static int next(char[] text, int at) {
    return Character.isHighSurrogate(text[at]) ? at + 2 : at + 1;
  }

  /** Returns whether Python's {@code str.strip} takes a character away. */
  static boolean isPythonSpace(char c) {
    return isSpace(c) || (c >= 0x1C && c <= 0x1F);
  }

  /** Returns whether a code point has the property White_Space. */
  static boolean isSpace(int codePoint) {
    return (codePoint >= 9 && codePoint <= 13)
        || codePoint == 0x20
        || codePoint == 0x85
        || codePoint == 0xA0
        || codePoint == 0x1680
        || (codePoint >= 0x2000 && codePoint <= 0x200A)
        || codePoint == 0x2028
        || codePoint == 0x2029
        || codePoint == 0x202F
        || codePoint == 0x205F
        || codePoint == 0x3000;
  }

  /** Returns text as UTF-16 with each lone surrogate replaced by U+FFFD. */
  static char[] wellFormed(String text) {
    char[] characters = text.toCharArray();
    for (int i = 0; i < characters.length; i++) {
      if (Character.isHighSurrogate(characters[i])
          && i + 1 < characters.length
          && Character.isLowSurrogate(characters[i + 1])) {
        i++;
      } else if (Character.isSurrogate(characters[i])) {
        characters[i] = '\uFFFD';
      }
    }
    return characters;
  }

  private static int compute(int codePoint) {
    int bits = isSpace(codePoint) ? SPACE : 0;
    bits |= codePoint == '\r' || codePoint == '\n' ? LINE_END : 0;
    return bits
        | switch (Character.getType(codePoint)) {
          case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> LETTER | HIGH;
          case Character.LOWERCASE_LETTER -> LETTER | LOW;
          case Character.MODIFIER_LETTER, Character.OTHER_LETTER -> LETTER | HIGH | LOW;
          case Character.NON_SPACING_MARK,
              Character.COMBINING_SPACING_MARK,
              Character.ENCLOSING_MARK ->
              HIGH | LOW;
          case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER ->
              NUMBER;
          default -> 0;
        };
  }
}

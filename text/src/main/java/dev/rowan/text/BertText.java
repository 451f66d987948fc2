package dev.rowan.text;

import java.text.Normalizer;
import java.util.Arrays;

/**
 * BERT's words: control characters go, Chinese characters stand alone, letters become small and
 * lose their accents if asked, and what remains is cut at white space and around each mark of
 * punctuation. Immutable.
 */
final class BertText {

  /** Takes words. */
  interface Words {
    /** Takes one: the first {@code length} bytes, UTF-8, valid during the call only. */
    void word(byte[] bytes, int length);
  }

  private final boolean lowered;

  BertText(boolean lowered) {
    this.lowered = lowered;
  }

  /** Hands out the words of a stretch of well-formed UTF-16, in order. */
  void words(char[] text, int from, int to, Words words) {
    char[] source = text;
    int at = from;
    int end = to;
    if (lowered && !isAscii(text, from, to)) {
      source = decomposed(text, from, to);
      at = 0;
      end = source.length;
    }
    byte[] word = new byte[64];
    int length = 0;
    while (at < end) {
      int codePoint = Character.codePointAt(source, at, end);
      at += Character.charCount(codePoint);
      if (isDropped(codePoint)) {
        continue;
      }
      boolean space = Characters.isSpace(codePoint);
      boolean alone = !space && (isPunctuation(codePoint) || isChinese(codePoint));
      if ((space || alone) && length > 0) {
        words.word(word, length);
        length = 0;
      }
      if (space) {
        continue;
      }
      if (length + 8 > word.length) {
        word = Arrays.copyOf(word, 2 * word.length);
      }
      length = put(codePoint, word, length);
      if (alone) {
        words.word(word, length);
        length = 0;
      }
    }
    if (length > 0) {
      words.word(word, length);
    }
  }

  private int put(int codePoint, byte[] word, int at) {
    if (!lowered) {
      return Utf8.put(codePoint, word, at);
    }
    // İ is the one letter whose small form is two characters whatever stands around it
    return codePoint == 0x130
        ? Utf8.put(0x307, word, Utf8.put('i', word, at))
        : Utf8.put(Character.toLowerCase(codePoint), word, at);
  }

  /** Canonical decomposition of what is not dropped, so that accents stand alone. */
  private static char[] decomposed(char[] text, int from, int to) {
    StringBuilder kept = new StringBuilder(to - from);
    for (int at = from; at < to; ) {
      int codePoint = Character.codePointAt(text, at, to);
      at += Character.charCount(codePoint);
      if (!isDropped(codePoint)) {
        kept.appendCodePoint(codePoint);
      }
    }
    String apart = Normalizer.normalize(kept, Normalizer.Form.NFD);
    StringBuilder bare = new StringBuilder(apart.length());
    apart
        .codePoints()
        .filter(codePoint -> Character.getType(codePoint) != Character.NON_SPACING_MARK)
        .forEach(bare::appendCodePoint);
    return bare.toString().toCharArray();
  }

  private static boolean isAscii(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDropped(int codePoint) {
    if (codePoint == '\t' || codePoint == '\n' || codePoint == '\r') {
      return false;
    }
    if (codePoint == 0 || codePoint == 0xFFFD) {
      return true;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE -> true;
      default -> false;
    };
  }

  private static boolean isPunctuation(int codePoint) {
    if (codePoint < 0x80) {
      // all ASCII that is neither letter, digit nor space counts, symbols too
      return !((codePoint >= 'a' && codePoint <= 'z')
          || (codePoint >= 'A' && codePoint <= 'Z')
          || (codePoint >= '0' && codePoint <= '9'));
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  /** The blocks that BERT calls Chinese: CJK ideographs, no kana and no hangul. */
  private static boolean isChinese(int codePoint) {
    return (codePoint >= 0x4E00 && codePoint <= 0x9FFF)
        || (codePoint >= 0x3400 && codePoint <= 0x4DBF)
        || (codePoint >= 0x20000 && codePoint <= 0x2A6DF)
        || (codePoint >= 0x2A700 && codePoint <= 0x2B73F)
        || (codePoint >= 0x2B740 && codePoint <= 0x2B81F)
        || (codePoint >= 0x2B920 && codePoint <= 0x2CEAF)
        || (codePoint >= 0xF900 && codePoint <= 0xFAFF)
        || (codePoint >= 0x2F800 && codePoint <= 0x2FA1F);
  }
}

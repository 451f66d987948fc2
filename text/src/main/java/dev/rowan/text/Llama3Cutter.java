package dev.rowan.text;

/**
 * Llama 3's cuts, with n = 3; Qwen's with n = 1 (their tokenizer.json):
 *
 * <pre>
 *   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,n}
 *     | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
 * </pre>
 *
 * <p>OpenAI's {@code cl100k_base} has {@code \s+$} in front of {@code \s*[\r\n]+} (openai/tiktoken,
 * openai_public.py).
 */
final class Llama3Cutter implements WordCutter {

  /** What becomes of white space at the end of a text. */
  enum Trailing {
    /** It is cut behind its last line end like any other. */
    BY_LINES,
    /** It is one word. */
    WHOLE
  }

  private final int digits;
  private final Trailing trailing;

  Llama3Cutter(int digits, Trailing trailing) {
    this.digits = digits;
    this.trailing = trailing;
  }

  @Override
  public void cut(char[] text, int from, int to, Ints ends) {
    int at = from;
    while (at < to) {
      at = end(text, at, to);
      ends.add(at);
    }
  }

  private int end(char[] text, int from, int to) {
    int contraction = Scan.contractionInAnyCase(text, from, to);
    if (contraction > from) {
      return contraction;
    }
    int bits = Characters.bits(text, from);
    if ((bits & Characters.LETTER) != 0) {
      return Scan.run(text, from, to, Characters.LETTER);
    }
    if ((bits & Characters.NUMBER) != 0) {
      return Scan.run(text, from, to, Characters.NUMBER, digits);
    }
    int second = Characters.next(text, from);
    if ((bits & Characters.LINE_END) == 0
        && second < to
        && (Characters.bits(text, second) & Characters.LETTER) != 0) {
      return Scan.run(text, second, to, Characters.LETTER);
    }
    int start = text[from] == ' ' ? second : from;
    int end = Scan.others(text, start, to);
    if (end > start) {
      return Scan.run(text, end, to, Characters.LINE_END);
    }
    if (trailing == Trailing.WHOLE) {
      int all = Scan.run(text, from, to, Characters.SPACE);
      if (all == to) {
        return to;
      }
    }
    return Scan.spacesByLines(text, from, to);
  }
}

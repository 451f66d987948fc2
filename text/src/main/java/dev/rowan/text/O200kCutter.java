package dev.rowan.text;

/**
 * The cuts of OpenAI's {@code o200k_base}, with n = 3 (openai/tiktoken, openai_public.py); those of
 * Mistral's Tekken have no contractions and n = 1. H is {@code [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]}, L
 * is {@code [\p{Ll}\p{Lm}\p{Lo}\p{M}]}, c is {@code (?i:'s|'t|'re|'ve|'m|'ll|'d)?}:
 *
 * <pre>
 *   [^\r\n\p{L}\p{N}]?H*L+c|[^\r\n\p{L}\p{N}]?H+L*c|\p{N}{1,n}
 *     | ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
 * </pre>
 */
final class O200kCutter implements WordCutter {

  /** What becomes of contractions. */
  enum Contractions {
    /** They are cut like any word behind a mark. */
    NONE,
    /** They stay with the word before them. */
    WITH_WORD
  }

  private static final int NO_MATCH = -1;

  private final int digits;
  private final Contractions contractions;

  O200kCutter(int digits, Contractions contractions) {
    this.digits = digits;
    this.contractions = contractions;
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
    int word = word(text, from, to);
    if (word != NO_MATCH) {
      return contractions == Contractions.WITH_WORD
          ? Scan.contractionInAnyCase(text, word, to)
          : word;
    }
    int bits = Characters.bits(text, from);
    if ((bits & Characters.NUMBER) != 0) {
      return Scan.run(text, from, to, Characters.NUMBER, digits);
    }
    int start = text[from] == ' ' ? from + 1 : from;
    int end = Scan.others(text, start, to);
    if (end > start) {
      while (end < to && (text[end] == '\r' || text[end] == '\n' || text[end] == '/')) {
        end++;
      }
      return end;
    }
    return Scan.spacesByLines(text, from, to);
  }

  /**
   * Returns the end of the first alternative that matches, each with the foreign character first.
   */
  private static int word(char[] text, int from, int to) {
    int bits = Characters.bits(text, from);
    boolean foreign = (bits & (Characters.LETTER | Characters.NUMBER | Characters.LINE_END)) == 0;
    int second = foreign ? Characters.next(text, from) : from;
    int end = foreign ? highThenLow(text, second, to) : NO_MATCH;
    if (end == NO_MATCH) {
      end = highThenLow(text, from, to);
    }
    if (end == NO_MATCH && foreign) {
      end = high(text, second, to);
    }
    return end == NO_MATCH ? high(text, from, to) : end;
  }

  /** {@code H*L+}: the run of H gives back up to its last character that is L too. */
  private static int highThenLow(char[] text, int from, int to) {
    int at = from;
    int afterBoth = NO_MATCH;
    while (at < to) {
      int bits = Characters.bits(text, at);
      if ((bits & Characters.HIGH) == 0) {
        break;
      }
      at = Characters.next(text, at);
      afterBoth = (bits & Characters.LOW) != 0 ? at : afterBoth;
    }
    int end = Scan.run(text, at, to, Characters.LOW);
    return end > at ? end : afterBoth;
  }

  private static int high(char[] text, int from, int to) {
    int end = Scan.run(text, from, to, Characters.HIGH);
    return end > from ? end : NO_MATCH;
  }
}

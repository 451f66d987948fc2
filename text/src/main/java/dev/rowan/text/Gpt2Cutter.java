package dev.rowan.text;

/**
 * GPT-2's cuts (openai/gpt-2, encoder.py):
 *
 * <pre>
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 * </pre>
 */
final class Gpt2Cutter implements WordCutter {
  @Override
  public void cut(char[] text, int from, int to, Ints ends) {
    int at = from;
    while (at < to) {
      at = end(text, at, to);
      ends.add(at);
    }
  }

  private static int end(char[] text, int from, int to) {
    int contraction = Scan.contraction(text, from, to);
    if (contraction > from) {
      return contraction;
    }
    int start = text[from] == ' ' && from + 1 < to ? from + 1 : from;
    int bits = Characters.bits(text, start);
    if ((bits & Characters.LETTER) != 0) {
      return Scan.run(text, start, to, Characters.LETTER);
    }
    if ((bits & Characters.NUMBER) != 0) {
      return Scan.run(text, start, to, Characters.NUMBER);
    }
    return Scan.isOther(bits) ? Scan.others(text, start, to) : Scan.spaces(text, from, to);
  }
}

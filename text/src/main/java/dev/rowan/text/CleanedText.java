package dev.rowan.text;

import dev.rowan.formats.tokenizer.TokenizerModel.CleanedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.Cleaning;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/**
 * What ALBERT's class does to text before SentencePiece does its work (transformers 4, {@code
 * tokenization_albert.py}). Immutable.
 */
final class CleanedText {
  private final Set<Cleaning> cleaning;

  private CleanedText(Set<Cleaning> cleaning) {
    this.cleaning = cleaning;
  }

  static ModelTokenizer.Algorithm algorithm(CleanedPieces model) {
    CleanedText text = new CleanedText(model.cleaning());
    ModelTokenizer.Algorithm pieces = Tokenizers.of(model.pieces(), CommaPieces.of(model.pieces()));
    return () -> text.in(pieces.run());
  }

  private Fragments.Body in(Fragments.Body body) {
    return (text, from, to, ids) -> {
      char[] cleaned = clean(new String(text, from, to - from)).toCharArray();
      if (cleaned.length > 0) {
        body.encode(cleaned, 0, cleaned.length, ids);
      }
    };
  }

  private String clean(String text) {
    String cleaned = cleaning.contains(Cleaning.SPACES) ? spaced(text) : text;
    cleaned = cleaned.replace("``", "\"").replace("''", "\"");
    if (cleaning.contains(Cleaning.ACCENTS) && cleaned.chars().anyMatch(c -> c >= 0x80)) {
      cleaned = bare(cleaned);
    }
    return cleaning.contains(Cleaning.CAPITALS) ? cleaned.toLowerCase(Locale.ROOT) : cleaned;
  }

  private static String spaced(String text) {
    StringBuilder words = new StringBuilder(text.length());
    boolean space = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Characters.isPythonSpace(c)) {
        space = true;
        continue;
      }
      if (space && !words.isEmpty()) {
        words.append(' ');
      }
      space = false;
      words.append(c);
    }
    return words.toString();
  }

  private static String bare(String text) {
    StringBuilder bare = new StringBuilder(text.length());
    Normalizer.normalize(text, Normalizer.Form.NFKD)
        .codePoints()
        .filter(c -> !isCombining(c))
        .forEach(bare::appendCodePoint);
    return bare.toString();
  }

  /**
   * Returns whether a character has a canonical combining class but 0, which normalisation shows:
   * it moves such a character in front of U+0345, whose class is the highest.
   */
  private static boolean isCombining(int character) {
    if (character < 0x300 || character == 0x345) {
      return character == 0x345;
    }
    int type = Character.getType(character);
    if (type != Character.NON_SPACING_MARK
        && type != Character.COMBINING_SPACING_MARK
        && type != Character.ENCLOSING_MARK) {
      return false;
    }
    return Normalizer.normalize("\u0345" + Character.toString(character), Normalizer.Form.NFD)
            .charAt(0)
        != '\u0345';
  }

  /** Returns a text in small letters but for what is an added token, as Python's class does it. */
  static String lowered(String text, Fragments fragments) {
    char[] characters = Characters.wellFormed(text);
    StringBuilder small = new StringBuilder(text.length());
    int at = 0;
    while (at < characters.length) {
      int end = fragments.end(characters, at);
      if (end > at) {
        small.append(characters, at, end - at);
        at = end;
        continue;
      }
      // one by one, so that no character sees its neighbours
      int next = Characters.next(characters, at);
      small.append(new String(characters, at, next - at).toLowerCase(Locale.ROOT));
      at = next;
    }
    return small.toString();
  }
}

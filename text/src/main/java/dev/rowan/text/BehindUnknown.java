package dev.rowan.text;

import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;

/**
 * How classes of Python keep the space in front of a stretch of text, which SentencePiece would
 * drop: they put the unknown token in front, as text, and leave its pieces out of the result. It is
 * done here as they do it, since what stands in front has a part in sums of scores (transformers 4,
 * {@code tokenization_t5.py}).
 */
final class BehindUnknown {
  private static final String UNKNOWN = "<unk>";

  private BehindUnknown() {}

  static ModelTokenizer.Algorithm algorithm(SentencePiece model, PieceIds ids) {
    TextRules rules = model.rules();
    ModelTokenizer.Algorithm plain =
        Tokenizers.of(
            new SentencePiece(
                model.vocabulary(),
                model.choice(),
                model.pieces(),
                new TextRules(rules.charsmap(), Lead.NONE, rules.spaces()),
                model.markers()),
            ids);
    Ints unknown = new Ints();
    plain.run().encode(UNKNOWN.toCharArray(), 0, UNKNOWN.length(), unknown);
    boolean led = rules.lead() == Lead.SPACE_AT_START;
    return () -> behind(plain.run(), unknown.size(), led);
  }

  private static Fragments.Body behind(Fragments.Body plain, int unknown, boolean led) {
    return (text, from, to, ids) -> {
      boolean first = led && from == 0;
      if (!first && text[from] != ' ') {
        plain.encode(text, from, to, ids);
        return;
      }
      String start = first ? UNKNOWN + "▁" : UNKNOWN;
      char[] whole = (start + new String(text, from, to - from)).toCharArray();
      Ints all = new Ints();
      plain.encode(whole, 0, whole.length, all);
      for (int i = unknown; i < all.size(); i++) {
        ids.add(all.get(i));
      }
    };
  }
}

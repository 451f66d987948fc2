package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.HashMap;
import java.util.Map;

/**
 * Pieces of which those that end with a digit and a comma are split once more, so that numbers keep
 * apart from commas: what is in front as text of its own, then the comma. Immutable.
 */
final class CommaPieces implements PieceIds {
  private final Map<Integer, int[]> split = new HashMap<>();

  private CommaPieces() {}

  static CommaPieces of(SentencePiece model) {
    CommaPieces commas = new CommaPieces();
    Fragments.Body plain = Tokenizers.of(model, PLACES).run();
    Vocabulary vocabulary = model.vocabulary();
    int unknown = UnknownToken.of(model).orElse(0);
    for (int id = 0; id < vocabulary.size(); id++) {
      String piece = vocabulary.has(id) ? vocabulary.stored(id) : "";
      int comma = piece.length() - 1;
      if (comma > 0 && piece.charAt(comma) == ',' && Character.isDigit(piece.charAt(comma - 1))) {
        commas.split.put(id, parts(piece, plain, vocabulary, unknown));
      }
    }
    return commas;
  }

  private static int[] parts(
      String piece, Fragments.Body plain, Vocabulary vocabulary, int unknown) {
    char[] number = piece.substring(0, piece.length() - 1).replace("▁", "").toCharArray();
    Ints ids = new Ints();
    plain.encode(number, 0, number.length, ids);
    Ints parts = new Ints();
    for (int i = 0; i < ids.size(); i++) {
      String part = vocabulary.stored(ids.get(i));
      boolean led = i == 0 && !piece.startsWith("▁") && part.startsWith("▁");
      if (!led) {
        parts.add(ids.get(i));
      } else if (part.length() > 1) {
        parts.add(vocabulary.id(part.substring(1)).orElse(unknown));
      }
    }
    parts.add(vocabulary.id(",").orElse(unknown));
    int[] all = new int[parts.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = parts.get(i);
    }
    return all;
  }

  @Override
  public void add(int piece, Ints out) {
    int[] parts = split.get(piece);
    if (parts == null) {
      out.add(piece);
      return;
    }
    for (int part : parts) {
      out.add(part);
    }
  }

  @Override
  public int ofUnknown(int unknownPiece, byte[] text, int from, int to) {
    return unknownPiece;
  }
}

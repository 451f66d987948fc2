package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Pieces that have the id of the token of a list that is spelled like them. Immutable. */
final class NamedPieceIds implements PieceIds {
  private final Vocabulary list;
  private final int unknown;
  private final int[] ids; // by piece
  private final int longest; // in bytes: what is longer is not looked up

  private NamedPieceIds(NamedPieces named) {
    list = named.vocabulary();
    unknown = named.unknown();
    Vocabulary pieces = named.pieces().vocabulary();
    ids = new int[pieces.size()];
    for (int piece = 0; piece < ids.length; piece++) {
      ids[piece] = pieces.has(piece) ? list.id(pieces.bytes(piece)).orElse(unknown) : unknown;
    }
    int bytes = 0;
    for (int id = 0; id < list.size(); id++) {
      bytes = list.has(id) ? Math.max(bytes, list.bytes(id).length) : bytes;
    }
    longest = bytes;
  }

  static ModelTokenizer.Algorithm algorithm(NamedPieces named) {
    SentencePiece pieces = named.pieces();
    NamedPieceIds ids = new NamedPieceIds(named);
    ModelTokenizer.Algorithm algorithm = Tokenizers.of(pieces, ids);
    return switch (named.code()) {
      case NONE -> algorithm;
      case ANGLED -> () -> ids.behindCode(algorithm.run());
    };
  }

  /** Takes what a text begins with and {@code <<} ends for one token. */
  private Fragments.Body behindCode(Fragments.Body body) {
    return (text, from, to, out) -> {
      int end = codeEnd(text, from, to);
      if (end > from) {
        byte[] code = new String(text, from, end - from).getBytes(StandardCharsets.UTF_8);
        out.add(list.id(code).orElse(unknown));
      }
      if (end < to) {
        body.encode(text, end, to, out);
      }
    };
  }

  private static int codeEnd(char[] text, int from, int to) {
    if (to - from < 4 || text[from] != '>' || text[from + 1] != '>') {
      return from;
    }
    for (int i = from + 2; i + 1 < to; i++) {
      if (text[i] == '<' && text[i + 1] == '<') {
        return i + 2;
      }
    }
    return from;
  }

  @Override
  public void add(int piece, Ints out) {
    out.add(ids[piece]);
  }

  @Override
  public int ofUnknown(int unknownPiece, byte[] text, int from, int to) {
    return to - from > longest
        ? unknown
        : list.id(Arrays.copyOfRange(text, from, to)).orElse(unknown);
  }
}

package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.Pieces;
import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.Arrays;
import java.util.Locale;

/** The pieces of a SentencePiece model, ready to be looked up. Immutable. */
final class PieceSet {
  private static final int NO_PIECE = -1;

  /** What can come from text: normal, user-defined and unused pieces, by their bytes. */
  final Trie text = new Trie();

  /** The user-defined ones alone. */
  final Trie userDefined = new Trie();

  final Pieces pieces;

  /** Whether no piece has a ▁ behind another character, so that words do not touch each other. */
  final boolean isBoundByWords;

  private final PieceIds ids;
  private final int unknown;
  private final int[] bytePieces = new int[256];
  private final boolean everyByte;

  PieceSet(SentencePiece model, PieceIds ids) {
    this.ids = ids;
    Vocabulary vocabulary = model.vocabulary();
    pieces = model.pieces();
    Arrays.fill(bytePieces, NO_PIECE);
    int firstUnknown = NO_PIECE;
    boolean crosses = false;
    for (int id = 0; id < vocabulary.size(); id++) {
      if (!vocabulary.has(id)) {
        continue;
      }
      byte[] bytes = vocabulary.bytes(id);
      switch (pieces.kind(id)) {
        case NORMAL -> text.add(bytes, id);
        case UNUSED -> {
          text.add(bytes, id);
          crosses = true; // how one is taken apart may depend on what other words joined
        }
        case USER_DEFINED -> {
          text.add(bytes, id);
          userDefined.add(bytes, id);
        }
        case UNKNOWN -> firstUnknown = firstUnknown == NO_PIECE ? id : firstUnknown;
        case CONTROL, BYTE -> {}
      }
      crosses |= crossesWords(bytes);
    }
    int bytesFound = 0;
    for (int b = 0; b < 256; b++) {
      var id = vocabulary.id(String.format(Locale.ROOT, "<0x%02X>", b));
      if (id.isPresent() && pieces.kind(id.getAsInt()) == Kind.BYTE) {
        bytePieces[b] = id.getAsInt();
        bytesFound++;
      }
    }
    unknown = firstUnknown;
    isBoundByWords = !crosses;
    everyByte = bytesFound == 256;
  }

  private static boolean crossesWords(byte[] piece) {
    for (int at = 1; at < piece.length; at++) {
      if (PieceText.isSpace(piece, at) && !PieceText.isSpace(piece, at - 3)) {
        return true;
      }
    }
    return false;
  }

  /** Adds the id of a piece, or those that stand for it. */
  void add(int piece, Ints out) {
    ids.add(piece, out);
  }

  /**
   * Adds what stands for text that no piece covers: its bytes if there are pieces for them, else
   * one id for a run of such text.
   *
   * @param run where such text began that reaches to here; from there to {@code from} it was added
   */
  void addUnknown(byte[] bytes, int run, int from, int to, Ints out) {
    if (everyByte) {
      for (int i = from; i < to; i++) {
        add(bytePieces[bytes[i] & 0xFF], out);
      }
      return;
    }
    if (run < from && ids.ofUnknown(unknown, bytes, run, from) != NO_PIECE) {
      out.removeLast();
    }
    int id = ids.ofUnknown(unknown, bytes, run, to);
    if (id != NO_PIECE) {
      out.add(id);
    }
  }
}

package dev.rowan.text;

import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.Arrays;

/**
 * SentencePiece's Unigram model: of all ways to cover the text with pieces the one with the highest
 * sum of scores (Kudo 2018; google/sentencepiece, unigram_model.cc {@code EncodeOptimized}). Sums
 * are kept as float, as there, so that ties fall the same way. O(n) for n bytes and pieces of
 * bounded length.
 */
final class PieceUnigram implements ModelTokenizer.Algorithm {
  /** How much worse than the worst piece a character is that no piece covers. */
  private static final float UNKNOWN_PENALTY = 10;

  private static final int NOT_REACHED = -1;
  private static final int UNKNOWN = -1;

  private final PieceSet pieces;
  private final PieceText rules;
  private final float unknownScore;
  private final float bestScore;

  PieceUnigram(SentencePiece model) {
    pieces = new PieceSet(model);
    rules = new PieceText(model.rules(), pieces.userDefined);
    float least = Float.MAX_VALUE;
    float most = -Float.MAX_VALUE;
    for (int id = 0; id < pieces.pieces.count(); id++) {
      if (pieces.pieces.kind(id) == Kind.NORMAL) {
        least = Math.min(least, pieces.pieces.score(id));
        most = Math.max(most, pieces.pieces.score(id));
      }
    }
    unknownScore = least - UNKNOWN_PENALTY;
    bestScore = most;
  }

  @Override
  public Fragments.Body run() {
    return this::encode;
  }

  private void encode(char[] text, int from, int to, Ints ids) {
    byte[] bytes = rules.prepare(Utf8.bytes(text, from, to));
    int[] starts = new int[bytes.length + 1]; // of the best piece that ends here
    int[] chosen = new int[bytes.length + 1];
    float[] sums = new float[bytes.length + 1];
    Arrays.fill(starts, NOT_REACHED);
    int at = 0;
    while (at < bytes.length) {
      int character = Math.min(Utf8.length(bytes[at]), bytes.length - at);
      boolean covered = reach(bytes, at, character, starts, chosen, sums);
      if (!covered) {
        offer(at, at + character, UNKNOWN, unknownScore, starts, chosen, sums);
      }
      at += character;
    }
    emit(bytes, starts, chosen, ids);
  }

  /** Offers every piece that starts at a place; returns whether one covers a character alone. */
  private boolean reach(
      byte[] bytes, int at, int character, int[] starts, int[] chosen, float[] sums) {
    boolean covered = false;
    int node = Trie.ROOT;
    for (int i = at; i < bytes.length; i++) {
      node = pieces.text.child(node, bytes[i] & 0xFF);
      if (node == Trie.NONE) {
        break;
      }
      int id = pieces.text.id(node);
      if (id == Trie.NONE || pieces.pieces.kind(id) == Kind.UNUSED) {
        continue;
      }
      int length = i + 1 - at;
      // a user-defined piece is always chosen: no cover of as many bytes is better
      float score =
          pieces.pieces.kind(id) == Kind.USER_DEFINED
              ? (float) (length * bestScore - 0.1)
              : pieces.pieces.score(id);
      offer(at, i + 1, id, score, starts, chosen, sums);
      covered |= length == character;
    }
    return covered;
  }

  private static void offer(
      int at, int end, int id, float score, int[] starts, int[] chosen, float[] sums) {
    float sum = score + sums[at];
    if (starts[end] == NOT_REACHED || sum > sums[end]) {
      starts[end] = at;
      chosen[end] = id;
      sums[end] = sum;
    }
  }

  private void emit(byte[] bytes, int[] starts, int[] chosen, Ints ids) {
    // turn the path around: afterwards starts[i] is where the piece that starts at i ends
    int end = bytes.length;
    int next = end;
    while (end > 0) {
      int start = starts[end];
      starts[end] = next;
      next = end;
      end = start;
    }
    emitForward(bytes, starts, chosen, next, ids);
  }

  private void emitForward(byte[] bytes, int[] next, int[] chosen, int first, Ints ids) {
    int start = 0;
    int end = first;
    boolean unknown = false;
    while (start < bytes.length) {
      if (chosen[end] == UNKNOWN) {
        pieces.addUnknown(bytes, start, end, unknown, ids);
        unknown = true;
      } else {
        ids.add(chosen[end]);
        unknown = false;
      }
      start = end;
      end = next[end];
    }
  }
}

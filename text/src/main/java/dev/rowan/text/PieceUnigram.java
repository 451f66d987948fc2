package dev.rowan.text;

import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.Arrays;

/**
 * SentencePiece's Unigram model: of all ways to cover the text with pieces the one with the highest
 * sum of scores (Kudo 2018). O(n) for n bytes and pieces of bounded length.
 *
 * <p>Many covers differ by less than rounding, so the arithmetic is that of google/sentencepiece
 * 0.2.3: sums are float, of two equal ones the earlier start wins, and once a sum has grown beyond
 * 100,000 all that lie ahead are taken back by it.
 */
final class PieceUnigram implements ModelTokenizer.Algorithm {
  /** How much worse than the worst piece a character is that no piece covers. */
  private static final float UNKNOWN_PENALTY = 10;

  /** What a user-defined piece gains a byte: any gain beats the scores, which are negative. */
  private static final float USER_DEFINED_GAIN = 0.1f;

  private static final float LARGEST_SUM = 100_000;
  private static final int NOT_REACHED = -1;
  private static final int UNKNOWN = -1;

  private final PieceSet pieces;
  private final PieceText rules;
  private final float unknownScore;

  PieceUnigram(SentencePiece model, PieceIds ids) {
    pieces = new PieceSet(model, ids);
    rules = new PieceText(model.rules(), pieces.userDefined);
    float least = Float.MAX_VALUE;
    for (int id = 0; id < pieces.pieces.count(); id++) {
      if (pieces.pieces.kind(id) == Kind.NORMAL) {
        least = Math.min(least, pieces.pieces.score(id));
      }
    }
    unknownScore = least - UNKNOWN_PENALTY;
  }

  @Override
  public Fragments.Body run() {
    return (text, from, to, ids) -> new Run(rules.prepare(text, from, to)).encode(ids);
  }

  /** One text. Where the best cover of a beginning of the text ends, it has its last piece. */
  private final class Run {
    private final byte[] bytes;
    private final int[] starts; // of the last piece of the best cover that ends here
    private final int[] chosen; // its id
    private final float[] sums; // of the scores of that cover
    private int reached;

    Run(byte[] bytes) {
      this.bytes = bytes;
      starts = new int[bytes.length + 1];
      chosen = new int[bytes.length + 1];
      sums = new float[bytes.length + 1];
      Arrays.fill(starts, NOT_REACHED);
    }

    void encode(Ints ids) {
      int at = 0;
      while (at < bytes.length) {
        if (Math.abs(sums[at]) > LARGEST_SUM) {
          takeBack(at);
        }
        int character = Math.min(Utf8.length(bytes[at]), bytes.length - at);
        if (!offerPieces(at, character)) {
          offer(at, at + character, UNKNOWN, unknownScore);
        }
        at += character;
      }
      emit(turnAround(), ids);
    }

    private void takeBack(int at) {
      float sum = sums[at];
      for (int i = at; i <= reached; i++) {
        if (i == at || starts[i] != NOT_REACHED) {
          sums[i] -= sum;
        }
      }
    }

    /** Offers every piece that starts at a place; returns whether one is a character alone. */
    private boolean offerPieces(int at, int character) {
      boolean single = false;
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
        boolean userDefined = pieces.pieces.kind(id) == Kind.USER_DEFINED;
        offer(
            at,
            i + 1,
            id,
            userDefined ? USER_DEFINED_GAIN * (length - 1) : pieces.pieces.score(id));
        single |= length == character;
      }
      return single;
    }

    private void offer(int at, int end, int id, float score) {
      float sum = score + sums[at];
      reached = Math.max(reached, end);
      if (starts[end] == NOT_REACHED || sum > sums[end]) {
        starts[end] = at;
        chosen[end] = id;
        sums[end] = sum;
      }
    }

    /**
     * Makes {@code starts} of each end on the best cover tell where the next piece ends, and
     * returns where the first does.
     */
    private int turnAround() {
      int end = bytes.length;
      int next = end;
      while (end > 0) {
        int start = starts[end];
        starts[end] = next;
        next = end;
        end = start;
      }
      return next;
    }

    private void emit(int firstEnd, Ints ids) {
      int start = 0;
      int end = firstEnd;
      int run = 0; // where text began that no piece covers
      while (start < bytes.length) {
        if (chosen[end] == UNKNOWN) {
          pieces.addUnknown(bytes, run, start, end, ids);
        } else {
          pieces.add(chosen[end], ids);
          run = end;
        }
        start = end;
        end = starts[end];
      }
    }
  }
}

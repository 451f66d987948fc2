package dev.rowan.text;

import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * SentencePiece's BPE: characters are joined while the joint piece exists, the highest score first
 * and of equal scores the leftmost; user-defined pieces stay whole; what comes out as an unused
 * piece is taken apart again (google/sentencepiece, bpe_model.cc). O(n log n) for n characters and
 * pieces of bounded length.
 */
final class PieceBpe implements ModelTokenizer.Algorithm {
  private final PieceSet pieces;
  private final PieceText rules;

  PieceBpe(SentencePiece model, PieceIds ids) {
    pieces = new PieceSet(model, ids);
    rules = new PieceText(model.rules(), pieces.userDefined);
  }

  @Override
  public Fragments.Body run() {
    return (text, from, to, ids) -> new Run(rules.prepare(text, from, to), ids).encode();
  }

  /** One text. Symbol i covers bytes [starts[i], ends[i]). */
  private final class Run {
    private final byte[] bytes;
    private final Ints ids;
    private final LongHeap heap = new LongHeap();
    // where the first part of an unused piece ends, by id; the last join counts
    private final Map<Integer, Integer> parts = new HashMap<>();
    private int count;
    private int[] starts = new int[0];
    private int[] ends = new int[0];
    private int[] nodes = new int[0]; // of the trie that the symbol leads to
    private int[] next = new int[0];
    private int[] previous = new int[0];
    private int[] joint = new int[0]; // the node of the symbol joined with the next, or NONE
    private boolean[] whole = new boolean[0]; // user-defined: joined with nothing
    private int run; // where text began that no piece covers

    Run(byte[] bytes, Ints ids) {
      this.bytes = bytes;
      this.ids = ids;
    }

    /** Words are done one by one where no piece reaches from one into the next. */
    void encode() {
      int from = 0;
      for (int at = 1; at < bytes.length && pieces.isBoundByWords; at++) {
        if (PieceText.isSpace(bytes, at) && !PieceText.isSpace(bytes, at - 3)) {
          encode(from, at);
          from = at;
        }
      }
      encode(from, bytes.length);
    }

    private void encode(int from, int to) {
      count = 0;
      int at = from;
      while (at < to) {
        int user = pieces.userDefined.isEmpty() ? at : pieces.userDefined.longest(bytes, at, to);
        int end = user > at ? user : Math.min(to, at + Utf8.length(bytes[at]));
        add(at, end, user > at);
        at = end;
      }
      for (int i = 0; i + 1 < count; i++) {
        offer(i);
      }
      join();
      for (int i = 0; i < count; i = next[i]) {
        emit(starts[i], ends[i]);
      }
    }

    private void add(int start, int end, boolean userDefined) {
      if (count == starts.length) {
        int length = Math.max(64, 2 * count);
        starts = Arrays.copyOf(starts, length);
        ends = Arrays.copyOf(ends, length);
        nodes = Arrays.copyOf(nodes, length);
        next = Arrays.copyOf(next, length);
        previous = Arrays.copyOf(previous, length);
        joint = Arrays.copyOf(joint, length);
        whole = Arrays.copyOf(whole, length);
      }
      starts[count] = start;
      ends[count] = end;
      nodes[count] = pieces.text.walk(Trie.ROOT, bytes, start, end);
      next[count] = count + 1;
      previous[count] = count - 1;
      joint[count] = Trie.NONE;
      whole[count++] = userDefined;
    }

    private void join() {
      while (!heap.isEmpty()) {
        long top = heap.remove();
        int at = (int) top;
        if (joint[at] == Trie.NONE || key(at) != top) {
          continue; // the pair changed after this was put on the heap
        }
        int gone = next[at];
        nodes[at] = joint[at];
        ends[at] = ends[gone];
        joint[gone] = Trie.NONE;
        next[at] = next[gone];
        if (next[at] < count) {
          previous[next[at]] = at;
        }
        offer(at);
        if (previous[at] >= 0) {
          offer(previous[at]);
        }
      }
    }

    /** Puts the pair that starts at a symbol on the heap if its joint piece exists. */
    private void offer(int at) {
      int right = next[at];
      joint[at] = Trie.NONE;
      if (right >= count || whole[at] || whole[right] || nodes[at] == Trie.NONE) {
        return;
      }
      int node = pieces.text.walk(nodes[at], bytes, starts[right], ends[right]);
      if (node == Trie.NONE || pieces.text.id(node) == Trie.NONE) {
        return;
      }
      joint[at] = node;
      heap.add(key(at));
      int id = pieces.text.id(node);
      if (pieces.pieces.kind(id) == Kind.UNUSED) {
        parts.put(id, ends[at] - starts[at]);
      }
    }

    /** The highest score comes first, then the leftmost. */
    private long key(int at) {
      int bits = Float.floatToIntBits(pieces.pieces.score(pieces.text.id(joint[at])) + 0.0f);
      int ascending = bits < 0 ? ~bits ^ 0x8000_0000 : bits; // orders like the numbers
      return (long) ~ascending << 32 | at;
    }

    private void emit(int start, int end) {
      int node = pieces.text.walk(Trie.ROOT, bytes, start, end);
      int id = node == Trie.NONE ? Trie.NONE : pieces.text.id(node);
      if (id == Trie.NONE) {
        pieces.addUnknown(bytes, run, start, end, ids);
        return;
      }
      Integer part = pieces.pieces.kind(id) == Kind.UNUSED ? parts.get(id) : null;
      if (part == null) {
        pieces.add(id, ids);
        run = end;
      } else {
        emit(start, start + part);
        emit(start + part, end);
      }
    }
  }
}

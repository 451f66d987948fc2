package dev.rowan.text;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.Merges;
import java.util.Arrays;

/**
 * What pairs of tokens may be joined: rank and result by the two ids, in one hash table of 16 bytes
 * a slot. Immutable once built.
 */
final class PairTable {
  /** What {@link #find} returns where a pair may not be joined. */
  static final int NONE = -1;

  private long[] pairs = new long[64]; // left << 32 | right, −1 is free
  private int[] ranks = new int[64];
  private int[] joined = new int[64];
  private int size;

  private PairTable() {
    Arrays.fill(pairs, -1);
  }

  /** Returns the table of listed merges. Of a pair that is listed twice the later place counts. */
  static PairTable of(Merges merges) {
    PairTable table = new PairTable();
    for (int rank = 0; rank < merges.count(); rank++) {
      table.put(merges.left(rank), merges.right(rank), rank, merges.joined(rank));
    }
    return table;
  }

  /**
   * Returns the table of any two tokens whose bytes together are a token, with its id as rank.
   *
   * @param tokens ids by the bytes of text that they stand for
   */
  static PairTable ofConcatenations(Vocabulary vocabulary, Trie tokens) {
    PairTable table = new PairTable();
    for (int id = 0; id < vocabulary.size(); id++) {
      if (!vocabulary.has(id) || vocabulary.isAdded(id)) {
        continue;
      }
      byte[] bytes = Spelling.bytesOfByteLevel(vocabulary.stored(id));
      int node = Trie.ROOT;
      for (int cut = 1; cut < bytes.length; cut++) {
        node = tokens.child(node, bytes[cut - 1] & 0xFF);
        int left = tokens.id(node);
        if (left == Trie.NONE) {
          continue;
        }
        int end = tokens.walk(Trie.ROOT, bytes, cut, bytes.length);
        if (end != Trie.NONE && tokens.id(end) != Trie.NONE) {
          table.put(left, tokens.id(end), id, id);
        }
      }
    }
    return table;
  }

  /** Returns where a pair is, for {@link #rank} and {@link #joined}, or {@link #NONE}. */
  int find(int left, int right) {
    long pair = (long) left << 32 | right;
    int mask = pairs.length - 1;
    int slot = slot(pair, mask);
    while (true) {
      long found = pairs[slot];
      if (found == pair) {
        return slot;
      }
      if (found == -1) {
        return NONE;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Returns the rank of the pair at a place; lower is joined first. */
  int rank(int place) {
    return ranks[place];
  }

  /** Returns the token that the pair at a place is joined to. */
  int joined(int place) {
    return joined[place];
  }

  private void put(int left, int right, int rank, int result) {
    if (2 * (size + 1) > pairs.length) {
      grow();
    }
    long pair = (long) left << 32 | right;
    int mask = pairs.length - 1;
    int slot = slot(pair, mask);
    while (pairs[slot] != -1 && pairs[slot] != pair) {
      slot = (slot + 1) & mask;
    }
    size += pairs[slot] == -1 ? 1 : 0;
    pairs[slot] = pair;
    ranks[slot] = rank;
    joined[slot] = result;
  }

  private void grow() {
    long[] oldPairs = pairs;
    int[] oldRanks = ranks;
    int[] oldJoined = joined;
    pairs = new long[Math.multiplyExact(2, oldPairs.length)];
    Arrays.fill(pairs, -1);
    ranks = new int[pairs.length];
    joined = new int[pairs.length];
    size = 0;
    for (int i = 0; i < oldPairs.length; i++) {
      if (oldPairs[i] != -1) {
        put((int) (oldPairs[i] >>> 32), (int) oldPairs[i], oldRanks[i], oldJoined[i]);
      }
    }
  }

  private static int slot(long pair, int mask) {
    long hash = pair * 0x9E37_79B9_7F4A_7C15L; // Fibonacci hashing: the high bits are mixed
    return (int) (hash >>> 32) & mask;
  }
}

package dev.rowan.text;

import java.util.Arrays;

/**
 * A set of sequences of symbols (bytes or characters, 0 to 65,535), each with an id, walked symbol
 * by symbol. Edges lie in one hash table: 12 bytes an edge at two thirds load. Built by one thread,
 * then safe for any number.
 */
final class Trie {
  static final int ROOT = 0;

  /** What {@link #child} returns where there is none. */
  static final int NONE = -1;

  private static final int MOST_EDGES = 1 << 29;

  private long[] edges = new long[64]; // (node << 16 | symbol) + 1, 0 is free
  private int[] children = new int[64];
  private int[] ids = new int[64]; // of node, −1 where no sequence ends
  private int nodes = 1;

  Trie() {
    Arrays.fill(ids, NONE);
  }

  /** Adds a sequence of bytes; if it is there already the first id stays. */
  void add(byte[] sequence, int id) {
    int node = ROOT;
    for (byte b : sequence) {
      node = grow(node, b & 0xFF);
    }
    end(node, id);
  }

  /** Adds a sequence of characters; if it is there already the first id stays. */
  void add(String sequence, int id) {
    int node = ROOT;
    for (int i = 0; i < sequence.length(); i++) {
      node = grow(node, sequence.charAt(i));
    }
    end(node, id);
  }

  boolean isEmpty() {
    return nodes == 1;
  }

  /** Returns the node that a symbol leads to from a node, or {@link #NONE}. */
  int child(int node, int symbol) {
    long edge = ((long) node << 16 | symbol) + 1;
    int mask = edges.length - 1;
    int slot = slot(edge, mask);
    while (true) {
      long found = edges[slot];
      if (found == edge) {
        return children[slot];
      }
      if (found == 0) {
        return NONE;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Returns the id of the sequence that ends at a node, or {@link #NONE}. */
  int id(int node) {
    return ids[node];
  }

  /** Returns the node that bytes lead to from a node, or {@link #NONE}. */
  int walk(int node, byte[] bytes, int from, int to) {
    int at = node;
    for (int i = from; i < to && at != NONE; i++) {
      at = child(at, bytes[i] & 0xFF);
    }
    return at;
  }

  /** Returns where the longest sequence that starts at {@code from} ends; {@code from} if none. */
  int longest(byte[] bytes, int from, int to) {
    int node = ROOT;
    int end = from;
    for (int i = from; i < to; i++) {
      node = child(node, bytes[i] & 0xFF);
      if (node == NONE) {
        break;
      }
      if (ids[node] != NONE) {
        end = i + 1;
      }
    }
    return end;
  }

  private void end(int node, int id) {
    if (node != ROOT && ids[node] == NONE) {
      ids[node] = id;
    }
  }

  private int grow(int node, int symbol) {
    int child = child(node, symbol);
    if (child != NONE) {
      return child;
    }
    if (nodes == MOST_EDGES) {
      throw new IllegalArgumentException(
          "the tokens have too many different beginnings; at most 2^29 are supported");
    }
    if (nodes == ids.length) {
      ids = Arrays.copyOf(ids, 2 * nodes);
      Arrays.fill(ids, nodes, ids.length, NONE);
    }
    if (3L * nodes > 2L * edges.length) {
      rehash();
    }
    put(edges, children, ((long) node << 16 | symbol) + 1, nodes);
    return nodes++;
  }

  private void rehash() {
    long[] larger = new long[2 * edges.length];
    int[] largerChildren = new int[larger.length];
    for (int i = 0; i < edges.length; i++) {
      if (edges[i] != 0) {
        put(larger, largerChildren, edges[i], children[i]);
      }
    }
    edges = larger;
    children = largerChildren;
  }

  private static void put(long[] edges, int[] children, long edge, int child) {
    int mask = edges.length - 1;
    int slot = slot(edge, mask);
    while (edges[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    edges[slot] = edge;
    children[slot] = child;
  }

  private static int slot(long edge, int mask) {
    long hash = edge * 0x9E37_79B9_7F4A_7C15L; // Fibonacci hashing: the high bits are mixed
    return (int) (hash >>> 32) & mask;
  }
}

package dev.rowan.train;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A Huffman tree over words: frequent words have short paths. A word's path is a run of inner nodes
 * from the root, V − 1 in all, each with the side on which it goes on.
 *
 * <p>Immutable and safe for any number of threads.
 */
final class HuffmanTree {
  private final int[] starts; // word w has nodes [starts[w], starts[w + 1])
  private final int[] nodes;
  private final byte[] codes;
  private final int longest;

  private HuffmanTree(int[] starts, int[] nodes, byte[] codes, int longest) {
    this.starts = starts;
    this.nodes = nodes;
    this.codes = codes;
    this.longest = longest;
  }

  /** Builds the tree. Cost: sorts the words. */
  static HuffmanTree of(long[] counts) {
    int words = counts.length;
    int[] order =
        IntStream.range(0, words)
            .boxed()
            .sorted(Comparator.comparingLong((Integer w) -> counts[w]).thenComparingInt(w -> -w))
            .mapToInt(w -> w)
            .toArray();
    // leaves 0 … V − 1 in order of count, then inner nodes in the order they are made, which is one
    // of ascending weight too: two queues, of which the lighter front goes first
    long[] weight = new long[2 * words - 1];
    int[] parent = new int[2 * words - 1];
    byte[] side = new byte[2 * words - 1];
    for (int i = 0; i < words; i++) {
      weight[i] = counts[order[i]];
    }
    int leaf = 0;
    int inner = words;
    for (int made = words; made < weight.length; made++) {
      for (byte s = 0; s < 2; s++) {
        boolean fromLeaves = inner == made || (leaf < words && weight[leaf] <= weight[inner]);
        int child = fromLeaves ? leaf++ : inner++;
        weight[made] += weight[child];
        parent[child] = made;
        side[child] = s;
      }
    }
    return paths(order, parent, side, words);
  }

  private static HuffmanTree paths(int[] order, int[] parent, byte[] side, int words) {
    int root = parent.length - 1;
    int[] depth = new int[parent.length];
    for (int node = root - 1; node >= 0; node--) {
      depth[node] = depth[parent[node]] + 1;
    }
    int[] starts = new int[words + 1];
    for (int i = 0; i < words; i++) {
      starts[order[i] + 1] = depth[i];
    }
    for (int w = 0; w < words; w++) {
      starts[w + 1] = Math.addExact(starts[w], starts[w + 1]);
    }
    int[] nodes = new int[starts[words]];
    byte[] codes = new byte[nodes.length];
    for (int i = 0; i < words; i++) {
      int at = starts[order[i] + 1];
      for (int node = i; node != root; node = parent[node]) {
        nodes[--at] = parent[node] - words;
        codes[at] = side[node];
      }
    }
    return new HuffmanTree(starts, nodes, codes, Arrays.stream(depth).max().orElse(0));
  }

  /** Returns how many inner nodes the longest path has. */
  int longest() {
    return longest;
  }

  /** Returns where a word's path starts in {@link #nodes} and {@link #codes}. */
  int start(int word) {
    return starts[word];
  }

  /** Returns the inner node at a place of a path, 0 to V − 2. */
  int node(int place) {
    return nodes[place];
  }

  /** Returns the side, 0 or 1, on which a path goes on from that node. */
  int code(int place) {
    return codes[place];
  }
}

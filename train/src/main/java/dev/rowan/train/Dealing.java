package dev.rowan.train;

/**
 * How rows are dealt into blocks: word w goes to block w mod n, and the rows of a block lie
 * together. Words stand in order of count, so the blocks are even, and each is a range of rows.
 *
 * @param words how many rows there are
 * @param blocks how many blocks, 1 or more
 */
record Dealing(int words, int blocks) {

  /** Returns how many rows a block has. */
  static int rows(int words, int blocks, int block) {
    return (words - block + blocks - 1) / blocks;
  }

  /** Returns the first row of a block. */
  int first(int block) {
    return block * (words / blocks) + Math.min(block, words % blocks);
  }

  /** Returns the row of a word. */
  int row(int word) {
    return blocks == 1 ? word : first(word % blocks) + word / blocks;
  }
}

package dev.rowan.core.kernel;

/**
 * What a look at every number of some rows tells of each: filled by {@link Kernels#digest}.
 *
 * <p>Scratch space for one thread.
 */
public final class RowDigest {
  /** Parts of the hash: part j goes over the positions i ≡ j (mod 32), bf16 of 512 bits. */
  static final int PARTS = 32;

  /** Two bf16 lie in the upper halves of two parts, and so fit into one. */
  static final int PAIRS = PARTS / 2;

  /** How far a part turns for each number. */
  static final int TURN = 5;

  /** Bits of a subnormal number without its sign, less 1, are below this. */
  static final int SUBNORMALS = 0x7F_FFFF;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final double[] squares;
  private final long[] hashes;
  private final boolean[] constant;
  private final boolean[] subnormal;

  /** Makes room for a number of rows. */
  public RowDigest(int rows) {
    this.squares = new double[rows];
    this.hashes = new long[rows];
    this.constant = new boolean[rows];
    this.subnormal = new boolean[rows];
  }

  /**
   * Returns the sum of the squares of row r of the block, in double, in an order of its own; not
   * finite for a row that holds a NaN or an infinity.
   */
  public double squaredNorm(int r) {
    return squares[r];
  }

  /** Returns a hash of the row's bits as float32: the same for equal rows, for all kernels. */
  public long hash(int r) {
    return hashes[r];
  }

  /** Returns whether there are two numbers or more, all the same. */
  public boolean isConstant(int r) {
    return constant[r];
  }

  /** Returns whether a number is not 0 but, as a float32, of magnitude below 2⁻¹²⁶. */
  public boolean hasSubnormal(int r) {
    return subnormal[r];
  }

  /**
   * Looks at a row's numbers from a place on.
   *
   * @param state the hash's parts so far; changed
   * @return whether one is subnormal
   */
  static boolean look(float[] row, int from, int[] state) {
    boolean found = false;
    for (int i = from; i < row.length; i++) {
      found |= add(row[i], i, state);
    }
    if (row.length % 2 == 1) {
      add(0, row.length, state); // so that pairs are whole
    }
    return found;
  }

  /** Adds the number at place i to the hash and returns whether it is subnormal. */
  static boolean add(float number, int i, int[] state) {
    int bits = Float.floatToRawIntBits(number);
    int part = i & (PARTS - 1);
    state[part] = Integer.rotateLeft(state[part], TURN) ^ bits;
    return Integer.compareUnsigned((bits & Integer.MAX_VALUE) - 1, SUBNORMALS) < 0;
  }

  /** Takes down what was seen of a row; the state is that of {@link #look}. */
  void put(int r, double squaredNorm, int[] state, boolean anySubnormal, boolean isConstant) {
    int[] pairs = new int[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
      pairs[pair] = Integer.rotateLeft(state[2 * pair], 16) ^ state[2 * pair + 1];
    }
    put(r, squaredNorm, pairs, 0, anySubnormal, isConstant);
  }

  /**
   * Takes down what was seen of a row.
   *
   * @param pairs parts 2j and 2j + 1 as one, the first turned by 16 bits; from place {@code from}
   */
  void put(
      int r, double squaredNorm, int[] pairs, int from, boolean anySubnormal, boolean isConstant) {
    long hash = 0;
    for (int pair = from; pair < from + PAIRS; pair += 2) {
      hash = (hash ^ ((pairs[pair] & 0xFFFF_FFFFL) | (long) pairs[pair + 1] << 32)) * MIX;
      hash ^= hash >>> 32;
    }
    squares[r] = squaredNorm;
    hashes[r] = hash;
    subnormal[r] = anySubnormal;
    constant[r] = isConstant;
  }

  static boolean isConstant(float[] row) {
    int same = 1;
    while (same < row.length && row[same] == row[0]) {
      same++;
    }
    return row.length > 1 && same == row.length;
  }
}

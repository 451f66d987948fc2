package dev.rowan.train;

import java.util.Arrays;

/**
 * Draws numbers in proportion to weights, in constant time, from 8 bytes a number (Walker 1977,
 * Vose 1991): a place is drawn evenly, then either it or its alias.
 *
 * <p>Immutable and safe for any number of threads.
 */
final class AliasTable {
  private final long[] places; // upper 32 bits: how often, of 2^32, the place itself; lower: alias

  /**
   * Makes a table.
   *
   * @param weights 0 or more, their sum above 0 and finite; a weight of 0 is never drawn
   */
  AliasTable(double[] weights) {
    int n = weights.length;
    double sum = Arrays.stream(weights).sum();
    if (!(sum > 0) || !Double.isFinite(sum)) {
      throw new IllegalArgumentException("weights sum to " + sum + "; nothing can be drawn");
    }
    places = new long[n];
    double[] scaled = new double[n];
    int[] small = new int[n];
    int[] large = new int[n];
    int smalls = 0;
    int larges = 0;
    int heaviest = 0;
    for (int i = 0; i < n; i++) {
      scaled[i] = weights[i] * n / sum;
      heaviest = weights[i] > weights[heaviest] ? i : heaviest;
      if (scaled[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    while (smalls > 0 && larges > 0) {
      int s = small[--smalls];
      int l = large[larges - 1];
      places[s] = place(scaled[s], l);
      scaled[l] -= 1 - scaled[s];
      if (scaled[l] < 1) {
        larges--;
        small[smalls++] = l;
      }
    }
    while (larges > 0) {
      int l = large[--larges];
      places[l] = place(1, l);
    }
    while (smalls > 0) { // rounding left these a hair below 1
      int s = small[--smalls];
      places[s] = weights[s] == 0 ? place(0, heaviest) : place(1, s);
    }
  }

  private static long place(double own, int alias) {
    long share = Math.clamp((long) (own * 0x1p32), 0L, 0xFFFFFFFFL);
    return share << 32 | alias;
  }

  /** Returns a number in [0, weights), from 64 random bits. */
  int draw(long bits) {
    int i = Draw.below(places.length, bits);
    long place = places[i];
    // a share of 2^32 − 1 stands for all; then the alias is the place itself
    return (bits & 0xFFFFFFFFL) < place >>> 32 ? i : (int) place;
  }

  /** Returns how many numbers there are. */
  int size() {
    return places.length;
  }
}

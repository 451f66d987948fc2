package dev.rowan.train.kernel;

import dev.rowan.core.kernel.KernelChoice;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vectors that the kernels use, and how their lanes are added.
 *
 * <p>By a tree of our own: {@code reduceLanes} promises no order and sums differently before and
 * after the compiler has seen it, so that two runs would differ.
 */
final class Lanes {
  static final VectorSpecies<Float> S = species();
  static final int LANES = S.length();

  // at each level of the tree: which lanes come from the second vector, and the other half's lanes
  private static final VectorMask<Float> UPPER8 = upper(8);
  private static final VectorMask<Float> UPPER4 = upper(4);
  private static final VectorMask<Float> UPPER2 = upper(2);
  private static final VectorMask<Float> UPPER1 = upper(1);
  private static final VectorShuffle<Float> SWAP8 = swap(8);
  private static final VectorShuffle<Float> SWAP4 = swap(4);
  private static final VectorShuffle<Float> SWAP2 = swap(2);
  private static final VectorShuffle<Float> SWAP1 = swap(1);

  /** The tree leaves the sum of vector r in the lane whose number is r with its bits reversed. */
  private static final VectorShuffle<Float> ORDER =
      VectorShuffle.fromOp(
          S, lane -> Integer.reverse(lane) >>> (32 - Integer.numberOfTrailingZeros(S.length())));

  private Lanes() {}

  private static VectorSpecies<Float> species() {
    String name = KernelChoice.INSTANCE.kernels().name(); // vector-512 and the like
    int bits = Integer.parseInt(name.substring(name.indexOf('-') + 1));
    return VectorSpecies.of(float.class, VectorShape.forBitSize(bits));
  }

  private static VectorMask<Float> upper(int half) {
    boolean[] set = new boolean[S.length()];
    for (int lane = 0; lane < set.length; lane++) {
      set[lane] = (lane & half) != 0;
    }
    return VectorMask.fromArray(S, set, 0);
  }

  private static VectorShuffle<Float> swap(int half) {
    return VectorShuffle.fromOp(S, lane -> (lane ^ half) & (S.length() - 1));
  }

  /** Adds the lanes of one vector. */
  static float sum(FloatVector vector) {
    FloatVector sum = vector;
    if (LANES == 16) {
      sum = sum.add(sum.rearrange(SWAP8));
    }
    if (LANES >= 8) {
      sum = sum.add(sum.rearrange(SWAP4));
    }
    sum = sum.add(sum.rearrange(SWAP2));
    return sum.add(sum.rearrange(SWAP1)).lane(0);
  }

  /** Sums each of {@code count} vectors over its lanes; destroys {@code partial}. */
  static void sums(float[] partial, int count, float[] sums) {
    for (int first = 0; first < count; first += LANES) {
      int at = first * LANES;
      int left = Math.min(LANES, count - first);
      if (LANES == 16) {
        for (int r = 0; r < left; r += 2) {
          merge(partial, at, r, left, UPPER8, SWAP8);
        }
        left = (left + 1) >> 1;
      }
      if (LANES >= 8) {
        for (int r = 0; r < left; r += 2) {
          merge(partial, at, r, left, UPPER4, SWAP4);
        }
        left = (left + 1) >> 1;
      }
      for (int r = 0; r < left; r += 2) {
        merge(partial, at, r, left, UPPER2, SWAP2);
      }
      merge(partial, at, 0, (left + 1) >> 1, UPPER1, SWAP1);
      FloatVector.fromArray(S, partial, at).rearrange(ORDER).intoArray(sums, first);
    }
  }

  /**
   * Adds the halves of two vectors: lanes outside {@code upper} get those of vector r, the others
   * those of r + 1, or of r again where there is no other. The result becomes vector r / 2.
   */
  private static void merge(
      float[] partial,
      int at,
      int r,
      int left,
      VectorMask<Float> upper,
      VectorShuffle<Float> swap) {
    FloatVector a = FloatVector.fromArray(S, partial, at + r * LANES);
    FloatVector b = FloatVector.fromArray(S, partial, at + Math.min(r + 1, left - 1) * LANES);
    a.blend(b, upper)
        .add(b.blend(a, upper).rearrange(swap))
        .intoArray(partial, at + (r >> 1) * LANES);
  }
}

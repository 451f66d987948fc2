package dev.rowan.core.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The SIMD part of {@link RowDigest}: hash and subnormal numbers of a decoded row. */
final class RowBits {
  private static final VectorSpecies<Float> FLOATS = Lanes.FLOATS;
  private static final VectorSpecies<Integer> INTS = Lanes.INTS;
  private static final int LANES = Lanes.COUNT;

  private RowBits() {}

  /**
   * Looks at a row as {@link RowDigest#look} does.
   *
   * @param state receives the hash's sixteen parts
   */
  static boolean look(float[] row, int[] state) {
    int whole = row.length & ~(RowDigest.PARTS - 1);
    int least = -1;
    for (int part = 0; part < RowDigest.PARTS; part += LANES) {
      int here = look(row, part, whole, state);
      least = Integer.compareUnsigned(here, least) < 0 ? here : least;
    }
    boolean subnormal = Integer.compareUnsigned(least, RowDigest.SUBNORMALS) < 0;
    return RowDigest.look(row, whole, state) || subnormal;
  }

  private static int look(float[] row, int part, int whole, int[] state) {
    IntVector hash = IntVector.zero(INTS);
    IntVector least = IntVector.broadcast(INTS, -1);
    for (int i = part; i < whole; i += RowDigest.PARTS) {
      IntVector x = FloatVector.fromArray(FLOATS, row, i).reinterpretAsInts();
      hash = hash.lanewise(VectorOperators.ROL, RowDigest.TURN).lanewise(VectorOperators.XOR, x);
      // less 1, zeros are the largest number there is
      least = least.lanewise(VectorOperators.UMIN, x.and(Integer.MAX_VALUE).sub(1));
    }
    hash.intoArray(state, part);
    return least.reduceLanes(VectorOperators.UMIN);
  }
}

package dev.rowan.core.kernel;

import java.util.Locale;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vector width of this JVM. The species are static and final because only then does the
 * compiler keep vectors in registers.
 */
final class Lanes {
  /** The widest vector that the CPU prefers, in bits. */
  static final int PREFERRED_BITS = VectorShape.preferredShape().vectorBitSize();

  /** The width in use, in bits: what {@code rowan.kernels} asks for, where the CPU has it. */
  static final int BITS =
      bits(System.getProperty("rowan.kernels", "auto").toLowerCase(Locale.ROOT));

  static final VectorShape SHAPE = VectorShape.forBitSize(BITS);
  static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, SHAPE);
  static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SHAPE);
  static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, SHAPE);
  static final VectorSpecies<Double> DOUBLES = VectorSpecies.of(double.class, SHAPE);

  /** Floats in a vector: 4, 8 or 16. */
  static final int COUNT = BITS / Float.SIZE;

  private Lanes() {}

  private static int bits(String wanted) {
    return switch (wanted) {
      case "128", "256", "512" -> Math.min(Integer.parseInt(wanted), PREFERRED_BITS);
      default -> PREFERRED_BITS;
    };
  }
}

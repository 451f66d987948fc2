package dev.rowan.core.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Vectors of bytes, as the decoders of block-quantised rows take them apart. */
final class ByteLanes {
  static final VectorSpecies<Byte> SIXTEEN = ByteVector.SPECIES_128;

  /** Runs of 32 bytes, in one vector or in two. */
  static final VectorSpecies<Byte> RUN = Lanes.BITS >= 256 ? ByteVector.SPECIES_256 : SIXTEEN;

  /** Bytes that become one vector of floats; with vectors of 128 bits, two. */
  private static final VectorSpecies<Byte> QUANTS =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, Lanes.BITS / 4)));

  private ByteLanes() {}

  /** Returns the floats of the next bytes: {@link Lanes#COUNT} of them. */
  static FloatVector floats(byte[] bytes, int at) {
    return floats(ByteVector.fromArray(QUANTS, bytes, at));
  }

  /** Returns the floats of the next bytes: {@link Lanes#COUNT} of them. */
  static FloatVector floats(MemorySegment data, long at) {
    return floats(ByteVector.fromMemorySegment(QUANTS, data, at, ByteOrder.LITTLE_ENDIAN));
  }

  private static FloatVector floats(ByteVector bytes) {
    return (FloatVector) bytes.convertShape(VectorOperators.B2F, Lanes.FLOATS, 0);
  }

  /** Returns the next bytes as ints: {@link Lanes#COUNT} of them. */
  static IntVector ints(byte[] bytes, int at) {
    ByteVector quants = ByteVector.fromArray(QUANTS, bytes, at);
    return (IntVector) quants.convertShape(VectorOperators.B2I, Lanes.INTS, 0);
  }

  static ByteVector sixteen(byte[] bytes, int at) {
    return ByteVector.fromArray(SIXTEEN, bytes, at);
  }

  static ByteVector run(byte[] bytes, int at) {
    return ByteVector.fromArray(RUN, bytes, at);
  }

  static ByteVector run(MemorySegment data, long at) {
    return ByteVector.fromMemorySegment(RUN, data, at, ByteOrder.LITTLE_ENDIAN);
  }

  /** Shifts each byte right and keeps its lowest bits: CPUs shift no bytes, but whole ints. */
  static ByteVector field(ByteVector bytes, int shift, int mask) {
    return bytes
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, shift)
        .reinterpretAsBytes()
        .and((byte) mask);
  }

  /** Moves the lowest bits of each byte left. */
  static ByteVector left(ByteVector bytes, int shift) {
    return bytes.reinterpretAsInts().lanewise(VectorOperators.LSHL, shift).reinterpretAsBytes();
  }

  static ByteVector low(ByteVector bytes) {
    return bytes.and((byte) 15);
  }

  static ByteVector high(ByteVector bytes) {
    return field(bytes, 4, 15);
  }
}

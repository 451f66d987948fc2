package dev.rowan.formats.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.Strided;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A tensor of a checkpoint and where its numbers are.
 *
 * @param place of its storage
 * @param order of the bytes of a number
 */
record StoredTensor(TensorInfo info, TorchTensor tensor, Checkpoint.Place place, ByteOrder order) {
  /**
   * Finds the place of a tensor.
   *
   * @throws FormatException if it has more bytes than can be counted
   */
  static StoredTensor of(Path file, Checkpoint checkpoint, String name, TorchTensor tensor) {
    Checkpoint.Place place =
        Optional.ofNullable(checkpoint.storages().get(tensor.storage().key())).orElseThrow();
    Strided strided = tensor.place();
    Dtype dtype = TorchDtypes.in(checkpoint.order(), tensor.dtype());
    // its place is known to lie in the storage, and that to lie in the file, so nothing overflows
    // but for tensors that repeat their numbers
    long bytes = bytes(file, name, tensor);
    boolean inPlace = strided.isPacked() && !tensor.negated() && place.offset() > 0 && bytes > 0;
    long offset = inPlace ? place.offset() + start(tensor) : 0;
    TensorInfo info = new TensorInfo(name, dtype, strided.shape(), file, offset, bytes);
    return new StoredTensor(info, tensor, place, checkpoint.order());
  }

  private static long bytes(Path path, String name, TorchTensor tensor) {
    try {
      return Math.multiplyExact(tensor.place().elements(), tensor.numberBytes());
    } catch (ArithmeticException e) {
      FormatException wrong =
          new FormatException(
              path,
              "tensor \"%s\" has more than 2^63 bytes: shape %s"
                  .formatted(name, tensor.place().shape()));
      wrong.initCause(e);
      throw wrong;
    }
  }

  /** Returns the byte of its storage at which a tensor starts. */
  private static long start(TorchTensor tensor) {
    long storageBytes = tensor.storage().dtype().bits() / 8;
    return tensor.storage().first() * storageBytes + tensor.place().offset() * tensor.numberBytes();
  }

  /**
   * Returns the tensor with the byte of its file at which it starts, for which the file is looked
   * at once more where only its directory was read; as it is if it is not stored in one piece.
   */
  TensorInfo located() {
    return info.offset() == 0
        ? info
        : new TensorInfo(
            info.name(),
            info.dtype(),
            info.shape(),
            info.file(),
            place.start().getAsLong() + start(tensor),
            info.bytes());
  }

  /**
   * Returns its numbers, row-major: in place where they are stored so, else a copy.
   *
   * @throws UnsupportedFormatException if it repeats numbers of its storage, or has more than two
   *     dimensions and is not row-major
   */
  MemorySegment data() {
    MemorySegment stored = stored();
    return tensor.negated() && info.bytes() > 0 ? negated(stored) : stored;
  }

  /** Returns a copy with the other signs. */
  private MemorySegment negated(MemorySegment stored) {
    int size = tensor.numberBytes();
    if (info.dtype().rows().isEmpty()) {
      throw new UnsupportedFormatException(
          info.file(),
          "tensor \"%s\" is stored as %s to be negated, which cannot be read; save tensor.resolve_neg()"
              .formatted(info.name(), info.dtype().label()));
    }
    MemorySegment copy = Arena.ofAuto().allocate(stored.byteSize(), 64).copyFrom(stored);
    for (long at = order == ByteOrder.BIG_ENDIAN ? 0 : size - 1; at < copy.byteSize(); at += size) {
      copy.set(JAVA_BYTE, at, (byte) (copy.get(JAVA_BYTE, at) ^ 0x80));
    }
    return copy.asReadOnly();
  }

  private MemorySegment stored() {
    Strided strided = tensor.place();
    if (info.bytes() == 0) {
      return MemorySegment.NULL.asReadOnly();
    }
    MemorySegment storage = place.bytes().get();
    if (strided.isPacked()) {
      return storage.asSlice(start(tensor), info.bytes());
    }
    boolean repeats = info.bytes() > storage.byteSize();
    if (repeats || strided.shape().size() > 2 || tensor.numberBytes() > 8) {
      throw new UnsupportedFormatException(
          info.file(),
          "tensor \"%s\" of shape %s has strides %s; only views of at most two dimensions that do not repeat numbers can be read, save a contiguous copy"
              .formatted(info.name(), info.shapeText(), strided.strides()));
    }
    long first = tensor.storage().first() * (tensor.storage().dtype().bits() / 8);
    return strided.copy(storage.asSlice(first), tensor.numberBytes());
  }
}

package dev.rowan.formats.pytorch;

import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.Strided;

/**
 * A tensor: a view of a storage.
 *
 * @param dtype what it holds; may differ from what its storage says, which can be plain bytes
 * @param place where its numbers stand, counted in numbers from the storage's start; known to lie
 *     in the storage
 * @param negated whether its numbers are those of the storage with the other sign, as of the
 *     imaginary part of a conjugate
 */
record TorchTensor(TorchStorage storage, Dtype dtype, Strided place, boolean negated) {
  /** Returns the bytes of one number. */
  int numberBytes() {
    return dtype.bits() / 8;
  }
}

package dev.rowan.bench.layer;

import java.lang.foreign.MemorySegment;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Memory shared with libtorch. */
final class Torch {
  private Torch() {}

  /** A libtorch tensor of f32 numbers and the same memory as a segment. */
  record Shared(Tensor tensor, MemorySegment memory) {}

  @SuppressWarnings("restricted") // the tensor owns these bytes, and knows how many there are
  static Shared filled(long rows, long width) {
    Tensor tensor = torch.ones(rows, width); // ones: zeros might all be one page
    Pointer pointer = tensor.data_ptr_float();
    MemorySegment memory = MemorySegment.ofAddress(pointer.address()).reinterpret(4 * rows * width);
    return new Shared(tensor, memory);
  }

  static Tensor longs(long[] values) {
    return torch.tensor(values);
  }

  static Tensor floats(float[] values, long... shape) {
    return torch.tensor(values).reshape(shape);
  }
}

package dev.rowan.layer;

import java.util.Locale;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorArrayRefOptional;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Assumptions;

/** Arrays to and from libtorch. */
final class Torch {
  private Torch() {}

  /** Skips the test on machines for which no libtorch is on the class path. */
  static void require() {
    String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        system.toLowerCase(Locale.ROOT).equals("linux amd64"),
        () -> "no libtorch for " + system + " is on the class path: only linux amd64 has one");
    torch.set_num_threads(1);
  }

  static Tensor floats(float[] values, long... shape) {
    return torch.tensor(values).reshape(shape);
  }

  /** A tensor whose gradient is wanted. */
  static Tensor parameter(float[] values, long... shape) {
    return floats(values, shape).clone().set_requires_grad(true);
  }

  static Tensor longs(long[] values, long... shape) {
    return torch.tensor(values).reshape(shape);
  }

  static float[] array(Tensor tensor) {
    Tensor plain = tensor.detach().to_dense().contiguous();
    float[] values = new float[Math.toIntExact(plain.numel())];
    if (values.length > 0) {
      FloatPointer pointer = plain.data_ptr_float();
      pointer.get(values);
    }
    return values;
  }

  static void backward(Tensor output, float[] upstream) {
    output.backward(
        floats(upstream, output.sizes().vec().get()),
        new BoolOptional(false),
        false,
        new TensorArrayRefOptional());
  }
}

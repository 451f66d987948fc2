package dev.rowan.formats;

import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Counts a model's parameters from its tensors. */
public final class ParameterCount {
  /** What quantizers pack numbers in, as safetensors and ONNX call it. */
  private static final Set<String> PACKED = Set.of("I8", "U8", "INT8", "UINT8", "INT4", "UINT4");

  private ParameterCount() {}

  /**
   * Returns how many numbers with a fraction are stored, without those that are computed rather
   * than learnt; empty if weights are stored as whole numbers, whose count does not tell how many
   * parameters are packed in them.
   */
  public static OptionalLong of(List<TensorInfo> tensors) {
    long count = 0;
    Set<Place> counted = new HashSet<>();
    for (TensorInfo tensor : tensors) {
      if (tensor.offset() > 0 && tensor.bytes() > 0 && !counted.add(Place.of(tensor))) {
        continue; // another name for the same bytes
      }
      if (tensor.dtype().kind() == Dtype.Kind.FLOAT && !isBuffer(tensor)) {
        count += tensor.elements();
      } else if (isPacked(tensor)) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(count);
  }

  private record Place(Path file, long offset, long bytes) {
    static Place of(TensorInfo tensor) {
      return new Place(tensor.file(), tensor.offset(), tensor.bytes());
    }
  }

  /** GPT-2's official file stores its causal masks, old Llama files their rotation speeds. */
  private static boolean isBuffer(TensorInfo tensor) {
    String name = tensor.name();
    return name.endsWith(".attn.masked_bias")
        || name.endsWith(".inv_freq")
        || name.equals("rope_freqs.weight") // GGUF
        || (name.endsWith(".attn.bias") && tensor.shape().size() == 4);
  }

  /**
   * Whole numbers that stand for weights: quantised tensors of two dimensions or with that name.
   */
  private static boolean isPacked(TensorInfo tensor) {
    String label = tensor.dtype().label();
    String name = tensor.name();
    boolean named =
        name.endsWith(".weight") || name.endsWith(".qweight") || name.endsWith("_quantized");
    return tensor.dtype().kind() == Dtype.Kind.INTEGER
        && tensor.shape().size() >= 2
        && (named || PACKED.contains(label));
  }
}

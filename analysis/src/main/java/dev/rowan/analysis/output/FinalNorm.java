package dev.rowan.analysis.output;

import dev.rowan.core.Query;
import dev.rowan.formats.Inventory;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The normalisation that a model applies to its last hidden vector before the output table.
 *
 * <pre>
 *   RMSNorm    x / √(mean(x²) + ε) · w
 *   LayerNorm  (x − mean(x)) / √(var(x) + ε) · w + b
 * </pre>
 *
 * @param tensor the name of its weights
 * @param kind which of the two
 * @param weights d numbers; what is added to stored weights is in them
 * @param bias d numbers, zeros if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FinalNorm(String tensor, Kind kind, double epsilon, float[] weights, float[] bias) {

  /** The two ways of normalising. */
  public enum Kind {
    /** Zhang and Sennrich 2019. */
    RMS_NORM("RMSNorm"),
    /** Ba et al. 2016. */
    LAYER_NORM("LayerNorm");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** Returns its name for people. */
    public String title() {
      return title;
    }
  }

  /** The names that models give it, without the prefixes that wrap a model. */
  private static final List<String> NAMES =
      List.of(
          "norm.weight", // Llama, Mistral, Qwen, Gemma, DeepSeek
          "ln_f.weight", // GPT-2, GPT-J, BLOOM, Falcon
          "output_norm.weight", // GGUF
          "final_layer_norm.weight", // GPT-NeoX, OPT
          "final_layernorm.weight", // Phi
          "norm_f.weight"); // Mamba, MPT

  /** Wrappers that stand in front of those names, one behind the other. */
  private static final List<String> PREFIXES =
      List.of(
          "model.",
          "transformer.",
          "language_model.",
          "base_model.",
          "module.",
          "decoder.",
          "gpt_neox.",
          "backbone.");

  /**
   * Finds the final norm of a model and reads it.
   *
   * @param name the tensor of its weights; if null, the usual names
   * @throws IllegalArgumentException if there is no such tensor, or it does not have d numbers that
   *     can be read
   */
  public static FinalNorm of(
      Inventory model, OutputSettings settings, int width, @Nullable String name)
      throws IOException {
    TensorInfo weights = find(model, name, width);
    String biasName = weights.name().replaceFirst("weight$", "bias");
    Optional<TensorInfo> bias =
        model.tensors().stream()
            .filter(t -> t.name().equals(biasName) && !biasName.equals(weights.name()))
            .findFirst();
    Kind kind = bias.isPresent() || settings.usesLayerNorm() ? Kind.LAYER_NORM : Kind.RMS_NORM;
    float[] w = read(weights, width);
    // Gemma stores w − 1; its GGUF files store w
    if (settings.addsOneToNorm() && !model.format().equals("gguf")) {
      for (int i = 0; i < width; i++) {
        w[i] += 1;
      }
    }
    float[] b = bias.isPresent() ? read(bias.get(), width) : new float[width];
    return new FinalNorm(weights.name(), kind, settings.normEpsilon().orElse(1e-5), w, b);
  }

  private static TensorInfo find(Inventory model, @Nullable String name, int width) {
    for (TensorInfo tensor : model.tensors()) {
      boolean meant =
          name == null ? NAMES.contains(bare(tensor.name())) : tensor.name().equals(name);
      if (meant) {
        if (!tensor.shape().equals(List.of((long) width))) {
          throw new IllegalArgumentException(
              "tensor \"%s\" is %s; a final norm has %d numbers, as many as the table is wide"
                  .formatted(tensor.name(), tensor.shapeText(), width));
        }
        return tensor;
      }
    }
    throw new IllegalArgumentException(
        name == null
            ? "the model has no final norm under a usual name (%s); name its tensor"
                .formatted(String.join(", ", NAMES))
            : "the model has no tensor \"%s\"; info --all lists what it has".formatted(name));
  }

  private static String bare(String name) {
    String bare = name;
    boolean found = true;
    while (found) {
      found = false;
      for (String prefix : PREFIXES) {
        if (bare.startsWith(prefix)) {
          bare = bare.substring(prefix.length());
          found = true;
        }
      }
    }
    return bare;
  }

  private static float[] read(TensorInfo tensor, int width) throws IOException {
    if (tensor.dtype().rows().isEmpty() || tensor.offset() == 0) {
      throw new IllegalArgumentException(
          "tensor \"%s\" (%s) cannot be read on its own from this file"
              .formatted(tensor.name(), tensor.dtype().label()));
    }
    try (MappedFile file = MappedFile.open(tensor.file())) {
      float[] values = new float[width];
      tensor
          .dtype()
          .rows()
          .get()
          .decode(file.bytes().asSlice(tensor.offset(), tensor.bytes()), 0, width, values, 0);
      for (int i = 0; i < width; i++) {
        if (!Float.isFinite(values[i])) {
          throw new FormatException(
              tensor.file(),
              "tensor \"%s\" is %s at place %d".formatted(tensor.name(), values[i], i));
        }
      }
      return values;
    }
  }

  /** Returns a vector normalised. */
  public Query applied(Query vector) {
    double[] x = vector.vector();
    double mean = 0;
    if (kind == Kind.LAYER_NORM) {
      for (double value : x) {
        mean += value / x.length;
      }
    }
    double squares = 0;
    for (double value : x) {
      squares += (value - mean) * (value - mean) / x.length;
    }
    double factor = 1 / Math.sqrt(squares + epsilon);
    for (int i = 0; i < x.length; i++) {
      x[i] = (x[i] - mean) * factor * weights[i] + bias[i];
    }
    return Query.of(x);
  }
}

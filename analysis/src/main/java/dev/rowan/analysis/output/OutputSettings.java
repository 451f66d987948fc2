package dev.rowan.analysis.output;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a model's {@code config.json} says about its output: how products become logits, and the
 * final norm.
 *
 * <ul>
 *   <li>{@code final_logit_softcapping} (Gemma 2): the soft cap
 *   <li>{@code logit_scale} (Cohere): multiplies
 *   <li>{@code logits_scaling} (Granite): divides
 *   <li>{@code hidden_size / dim_model_base} (MiniCPM): divides
 *   <li>{@code rms_norm_eps}, {@code layer_norm_epsilon}, {@code layer_norm_eps}, {@code norm_eps}
 * </ul>
 *
 * @param type the model's type, empty if unknown
 * @param scoring at temperature 1
 * @param normEpsilon ε of the norms
 */
public record OutputSettings(String type, Scoring scoring, OptionalDouble normEpsilon) {
  /** A config that says nothing. */
  public static final OutputSettings SILENT =
      new OutputSettings("", Scoring.PLAIN, OptionalDouble.empty());

  // JsonReader has no reals, and these settings are plain numbers on the root or in text_config
  private static final Pattern NUMBER =
      Pattern.compile("\"([a-z_]+)\"\\s*:\\s*(-?\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?)");

  /** Reads the config beside a model; says nothing where there is none. */
  public static OutputSettings beside(Path model) throws IOException {
    Path folder = Files.isDirectory(model) ? model : model.toAbsolutePath().getParent();
    Path config = folder == null ? null : folder.resolve("config.json");
    return config != null && Files.isRegularFile(config) ? read(config) : SILENT;
  }

  /**
   * Reads a config.json.
   *
   * @throws dev.rowan.formats.file.FormatException if it is not a JSON object
   * @throws IllegalArgumentException if a setting is out of range
   */
  public static OutputSettings read(Path path) throws IOException {
    String type = "";
    try (MappedFile file = MappedFile.open(path)) {
      JsonReader json = JsonReader.over(path, file.bytes(), 0);
      json.enterObject("the config");
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        if (field.equals("model_type") && json.isText()) {
          type = json.text(field);
        } else {
          json.skip();
        }
      }
      json.end();
    }
    Map<String, Double> numbers = new HashMap<>();
    Matcher matcher = NUMBER.matcher(Files.readString(path, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      numbers.putIfAbsent(matcher.group(1), Double.parseDouble(matcher.group(2)));
    }
    return of(type.toLowerCase(Locale.ROOT), numbers);
  }

  private static OutputSettings of(String type, Map<String, Double> numbers) {
    double scale = 1;
    if (type.startsWith("cohere")) {
      scale *= numbers.getOrDefault("logit_scale", 1.0);
    }
    if (type.startsWith("granite")) {
      scale /= numbers.getOrDefault("logits_scaling", 1.0);
    }
    Double base = numbers.get("dim_model_base");
    Double hidden = numbers.get("hidden_size");
    if (type.startsWith("minicpm") && base != null && hidden != null) {
      scale /= hidden / base;
    }
    Double cap = numbers.get("final_logit_softcapping");
    OptionalDouble epsilon = OptionalDouble.empty();
    for (String name :
        new String[] {"rms_norm_eps", "layer_norm_epsilon", "layer_norm_eps", "norm_eps"}) {
      Double value = numbers.get(name);
      if (epsilon.isEmpty() && value != null) {
        epsilon = OptionalDouble.of(value);
      }
    }
    return new OutputSettings(
        type,
        new Scoring(scale, cap == null ? OptionalDouble.empty() : OptionalDouble.of(cap), 1),
        epsilon);
  }

  /** Returns whether models of this type end in a LayerNorm even if it has no bias. */
  boolean usesLayerNorm() {
    return switch (type) {
      case "cohere", "cohere2", "olmo", "mpt", "dbrx" -> true;
      default -> false;
    };
  }

  /** Returns whether weights of norms are stored less 1. */
  boolean addsOneToNorm() {
    return type.startsWith("gemma") && !type.startsWith("gemma3n");
  }
}

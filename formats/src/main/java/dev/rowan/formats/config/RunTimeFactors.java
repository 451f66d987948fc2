package dev.rowan.formats.config;

import dev.rowan.formats.json.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The factors that a config says the model applies when it runs, to its input rows or to its
 * scores. Stored rows are without them.
 *
 * <pre>
 *   …gemma…                  the square root of the width, without saying so
 *   ctrl                     the same
 *   t5, tied                 scores by one over that root (T5 1.0)
 *   scale_embedding          true: the square root of the width (BART, Marian)
 *   scale_emb                MiniCPM
 *   embedding_multiplier     Granite
 *   logit_scale              Cohere
 *   lm_head_multiplier       Falcon-H1
 *   logits_scaling           Granite, which divides by it
 * </pre>
 */
final class RunTimeFactors {
  private final Map<String, String> factors = new LinkedHashMap<>();

  /** Takes a field of a config if it is a factor, else skips it. */
  void take(JsonReader json, String field) {
    switch (field) {
      case "scale_emb",
          "embedding_multiplier",
          "logit_scale",
          "lm_head_multiplier",
          "logits_scaling" -> {
        if (!json.isObject() && !json.isArray() && !json.isText()) {
          factors.put(field, json.verbatim(field));
        } else {
          json.skip();
        }
      }
      case "scale_embedding" -> {
        if (json.isTrue()) {
          factors.put(field, "true");
        } else {
          json.skip();
        }
      }
      default -> json.skip();
    }
  }

  /**
   * Returns a note on each factor.
   *
   * @param tie what the config says of the tie
   * @param read factors, those that count first in front
   */
  static List<String> notes(Optional<String> modelType, TieSetting tie, List<RunTimeFactors> read) {
    List<String> notes = new ArrayList<>();
    Map<String, String> all = new LinkedHashMap<>();
    read.forEach(some -> some.factors.forEach(all::putIfAbsent));
    if (modelType.filter(type -> type.contains("gemma") || type.equals("ctrl")).isPresent()) {
      notes.add(
          "at run time a %s model multiplies its input rows by the square root of the width; the rows here are as stored"
              .formatted(modelType.get()));
    }
    if (modelType.equals(Optional.of("t5")) && !tie.deniesTie()) {
      notes.add(
          "at run time a tied t5 model divides its scores by the square root of the width; here they are without it");
    }
    all.forEach((field, value) -> {
      if (!value.equals("null") && !value.equals("false") && !value.matches("1(\\.0*)?")) {
        notes.add(note(field, value));
      }
    });
    return notes;
  }

  private static String note(String field, String value) {
    String what =
        switch (field) {
          case "scale_embedding" -> "multiplies its input rows by the square root of the width";
          case "logit_scale", "lm_head_multiplier" -> "multiplies its scores by " + value;
          case "logits_scaling" -> "divides its scores by " + value;
          default -> "multiplies its input rows by " + value;
        };
    return "at run time the model %s (%s); here they are without it".formatted(what, field);
  }
}

package dev.rowan.formats.gguf;

import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** What the settings of a GGUF file say about the model. */
final class GgufSettings {
  /** Architectures that end in hidden states: without an output table nothing stands in for it. */
  private static final Set<String> ENCODERS =
      Set.of(
          "bert",
          "modern-bert",
          "nomic-bert",
          "nomic-bert-moe",
          "neo-bert",
          "jina-bert-v2",
          "jina-bert-v3",
          "eurobert",
          "gemma-embedding",
          "llama-embed",
          "t5encoder",
          "clip",
          "wavtokenizer-dec");

  /** Architectures that multiply their input rows by the square root of the width. */
  private static final Set<String> ROOT_SCALED =
      Set.of("gemma", "gemma2", "gemma3", "gemma3n", "gemma4", "gemma-embedding");

  /** Architectures that llama.cpp divides the scores of by logit_scale; others multiply. */
  private static final Set<String> SCORES_DIVIDED =
      Set.of("granite", "granitemoe", "granitehybrid", "minicpm");

  private final GgufMetadata metadata;
  private final Optional<String> architecture;

  GgufSettings(GgufMetadata metadata) {
    this.metadata = metadata;
    this.architecture = metadata.text("general.architecture");
  }

  ModelConfig config() {
    OptionalLong rows = whole("vocab_size");
    long tokens = GgufTokens.count(metadata);
    if (rows.isEmpty() && tokens > 0) {
      rows = OptionalLong.of(tokens);
    }
    return new ModelConfig(architecture, List.of(), rows, whole("embedding_length"), tie());
  }

  private TieSetting tie() {
    Optional<String> noted = metadata.text(TieSetting.NOTE);
    if (noted.isPresent()) {
      return TieSetting.noted(noted.get());
    }
    boolean encoder =
        architecture.filter(ENCODERS::contains).isPresent()
            || key("attention.causal")
                .flatMap(metadata::truth)
                .filter(causal -> !causal)
                .isPresent();
    return encoder ? TieSetting.ENCODER : TieSetting.LEFT_OUT_WHERE_TIED;
  }

  /** Returns a note on each factor that the model applies when it runs; stored rows are without. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    factor("embedding_scale", "multiplies its input rows", notes);
    boolean divides = architecture.filter(SCORES_DIVIDED::contains).isPresent();
    factor("logit_scale", divides ? "divides its scores" : "multiplies its scores", notes);
    if (architecture.filter(ROOT_SCALED::contains).isPresent()) {
      notes.add(
          "at run time a %s model multiplies its input rows by the square root of the width; the rows here are as stored"
              .formatted(architecture.get()));
    }
    return notes;
  }

  private void factor(String name, String what, List<String> notes) {
    Optional<String> key = key(name);
    OptionalDouble factor = key.isEmpty() ? OptionalDouble.empty() : metadata.real(key.get());
    if (factor.isPresent() && factor.getAsDouble() != 1 && factor.getAsDouble() != 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "at run time the model %s by %s (%s); here they are without it",
              what,
              factor.getAsDouble(),
              key.get()));
    }
  }

  private OptionalLong whole(String name) {
    Optional<String> key = key(name);
    return key.isEmpty() ? OptionalLong.empty() : metadata.whole(key.get());
  }

  private Optional<String> key(String name) {
    return architecture.map(prefix -> prefix + "." + name);
  }
}

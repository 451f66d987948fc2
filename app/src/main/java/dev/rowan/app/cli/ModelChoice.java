package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Which model the user means, and what lies beside it. */
final class ModelChoice {
  private static final String DEFAULT = "default";

  private final Globals globals;
  private final Surroundings surroundings;

  ModelChoice(Globals globals, Surroundings surroundings) {
    this.globals = globals;
    this.surroundings = surroundings;
  }

  /** Opens the model. */
  Lexicon open() throws IOException {
    String spec = spec();
    if (spec.equals(DEFAULT) && globals.tensor == null && globals.tokenizer == null) {
      return new BundledModel(CacheFolder.of(surroundings.environment())).open(surroundings);
    }
    if (spec.equals(DEFAULT)) {
      throw new UseException("--tensor and --tokenizer need a model of yours; name it with -m");
    }
    if (spec.startsWith("hf:")) {
      throw new UseException(
          ("%s: Rowan does not fetch models yet; download model.safetensors, tokenizer.json and"
                  + " config.json to a folder and give that with -m")
              .formatted(Visible.quoted(spec)));
    }
    return Models.open(path(spec), options());
  }

  private String spec() {
    String chosen = globals.model;
    if (chosen == null) {
      chosen = surroundings.environment().getOrDefault("ROWAN_MODEL", "");
    }
    return chosen.isBlank() ? DEFAULT : chosen;
  }

  private static Path path(String spec) {
    try {
      return Path.of(spec);
    } catch (InvalidPathException e) {
      throw new UseException("%s is no path: %s".formatted(Visible.quoted(spec), e.getReason()));
    }
  }

  private OpenOptions options() {
    OpenOptions options = OpenOptions.DEFAULT;
    String tensor = globals.tensor;
    if (tensor != null) {
      options = options.withTensor(tensor);
    }
    Path tokenizer = globals.tokenizer;
    return tokenizer == null ? options : options.withTokenizer(tokenizer);
  }

  /** Returns what splits text for the model, if there is anything. */
  Optional<FoundTokenizer> tokenizer(Lexicon lexicon) throws IOException {
    return Models.tokenizer(lexicon.origin().path(), options());
  }

  /** Makes the tokenizer library unpack itself to our cache folder, unless the user chose one. */
  void keepNativeLibraryInCache() {
    String setting = "DJL_CACHE_DIR";
    boolean chosen =
        surroundings.environment().containsKey(setting) || System.getProperty(setting) != null;
    if (!chosen) {
      Path cache = CacheFolder.of(surroundings.environment());
      System.setProperty(setting, cache.resolve("native").toString());
    }
  }
}

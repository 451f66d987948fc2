package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.hub.CacheFolder;
import dev.rowan.hub.Inspection;
import dev.rowan.hub.RemoteSpec;
import dev.rowan.hub.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which model the user means, and what lies beside it. */
final class ModelChoice {
  private static final String DEFAULT = "default";

  /** The longest header to accept, for files of more tensors than anybody writes by intent. */
  private static final String HEADER_LIMIT = "ROWAN_HEADER_LIMIT";

  private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");

  private final Globals globals;
  private final Surroundings surroundings;

  ModelChoice(Globals globals, Surroundings surroundings) {
    this.globals = globals;
    this.surroundings = surroundings;
  }

  /**
   * Opens the model.
   *
   * @param tables which tables a remote model must bring; a local one has what it has
   */
  Lexicon open(Tables tables) throws IOException {
    String spec = spec();
    if (spec.equals(DEFAULT) && globals.tensor == null && globals.tokenizer == null) {
      return new BundledModel(CacheFolder.of(surroundings.environment())).open(surroundings);
    }
    if (spec.equals(DEFAULT)) {
      throw new UseException("--tensor and --tokenizer need a model of yours; name it with -m");
    }
    if (RemoteSpec.isRemote(spec)) {
      return new RemoteModels(surroundings).open(spec, tables, options());
    }
    return Models.open(path(spec), options());
  }

  /**
   * Fetches the model, which is a remote one, and opens it, however many bytes that takes.
   *
   * @param tables which tables it must bring
   */
  Lexicon pull(Tables tables) throws IOException {
    return new RemoteModels(surroundings).pull(spec(), tables, options());
  }

  /** Returns what the user called the model, if it is a remote one. */
  Optional<String> remote() {
    return Optional.of(spec()).filter(RemoteSpec::isRemote);
  }

  /** Returns what the headers of a remote model say; empty if the model is not remote. */
  Optional<Inspection> inspect() throws IOException {
    return RemoteSpec.isRemote(spec())
        ? Optional.of(new RemoteModels(surroundings).inspect(spec(), options()))
        : Optional.empty();
  }

  /** Returns what the user called the model. */
  String spec() {
    String chosen = globals.model;
    if (chosen != null && chosen.isBlank()) {
      throw new UseException(
          "-m is empty; name a model, or leave -m away for the one that comes with Rowan");
    }
    if (chosen == null) {
      chosen = surroundings.environment().getOrDefault("ROWAN_MODEL", "");
    }
    return chosen.isBlank() ? DEFAULT : chosen;
  }

  /**
   * Returns the path of a local model.
   *
   * @throws UseException if it can be none, such as an address of a kind that is not fetched
   */
  static Path path(String spec) {
    try {
      Path path = Path.of(spec);
      Matcher address = ADDRESS.matcher(spec);
      if (address.matches() && !Files.exists(path)) {
        boolean local = address.group(1).equalsIgnoreCase("file");
        throw new UseException(
            "%s: %s"
                .formatted(
                    Visible.quoted(spec),
                    local
                        ? "name a file on this machine by its path, without file://"
                        : "models are fetched from https:// addresses and hf:owner/name, nothing else"));
      }
      return path;
    } catch (InvalidPathException e) {
      throw new UseException("%s is no path: %s".formatted(Visible.quoted(spec), e.getReason()));
    }
  }

  private static long bytes(String limit) {
    if (!limit.matches("[1-9]\\d{1,11}")) {
      throw new UseException(
          "%s is %s; a number of bytes such as 200000000 is legal"
              .formatted(HEADER_LIMIT, Visible.quoted(limit)));
    }
    return Long.parseLong(limit);
  }

  private OpenOptions options() {
    OpenOptions options = OpenOptions.DEFAULT;
    String tensor = globals.tensor;
    if (tensor != null) {
      options = options.withTensor(tensor);
    }
    String limit = surroundings.environment().getOrDefault(HEADER_LIMIT, "");
    if (!limit.isBlank()) {
      options = options.withHeaderLimit(bytes(limit));
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

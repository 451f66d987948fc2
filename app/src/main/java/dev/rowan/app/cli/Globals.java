package dev.rowan.app.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every verb takes, before or after its name. */
final class Globals {
  /** More threads than this are a mistyped number. */
  static final int MOST_THREADS = 1024;

  /** Which of a model's tables is meant. */
  enum TableChoice {
    /** The table that turns ids into rows. */
    input,
    /** The table that scores rows against a vector; the input table where the two are tied. */
    output
  }

  @Option(
      names = "--json",
      defaultValue =
          "false", // else picocli turns an option off that stands before and after the verb
      scope = ScopeType.INHERIT,
      description = "Print one JSON object and nothing else.")
  boolean json;

  @Option(
      names = {"-m", "--model"},
      paramLabel = "SPEC",
      scope = ScopeType.INHERIT,
      description =
          "A file or folder, hf:owner/name[@revision], an https address, or 'default' (all-MiniLM-L6-v2, comes with Rowan). Also $ROWAN_MODEL.")
  @Nullable String model;

  @Option(
      names = "--table",
      paramLabel = "input|output",
      scope = ScopeType.INHERIT,
      description = "Which table of the model; input unless the verb says otherwise.")
  @Nullable TableChoice table;

  @Option(
      names = "--tensor",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "The tensor that is the input table, where the usual names do not find it.")
  @Nullable String tensor;

  @Option(
      names = "--tokenizer",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The vocabulary, where it does not lie beside the model.")
  @Nullable Path tokenizer;

  @Option(
      names = "--threads",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      description =
          "Threads that compute; one per processor if not given. Changes no result but that of train.")
  @Nullable Integer threads;

  @Option(
      names = "--debug",
      defaultValue =
          "false", // else picocli turns an option off that stands before and after the verb
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of every error.")
  boolean debug;

  /**
   * Takes the model that an argument of a verb names.
   *
   * @throws UseException if the argument is empty, or -m names a model too
   */
  void nameModel(String argument, String spec) {
    if (model != null) {
      throw new UseException(
          "%s names the model here; leave -m %s away".formatted(argument, Visible.quoted(model)));
    }
    if (spec.isBlank()) {
      throw new UseException("%s is empty; name a model".formatted(argument));
    }
    model = spec;
  }

  /** Returns the same choices for another model; what only fits this one is left out. */
  Globals forModel(String spec) {
    Globals other = new Globals();
    other.json = json;
    other.model = spec;
    other.table = table;
    other.threads = threads;
    other.debug = debug;
    return other;
  }
}

package dev.rowan.app.cli;

import dev.rowan.train.lm.LanguageSettings;
import dev.rowan.train.lm.LanguageSettings.Tying;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** How to learn to predict the next token: {@code --objective next}. */
final class NextTokenOptions {
  /** Options that say nothing there. */
  private static final List<String> OF_WINDOWS =
      List.of(
          "--context",
          "--loss",
          "--window",
          "--negatives",
          "--per-pair",
          "--power",
          "--subsample",
          "--sentence-words",
          "--blocks",
          "--subwords",
          "--buckets",
          "--from",
          "--freeze",
          "--watch",
          "--keep-output",
          "--report",
          "--eval",
          "--to");

  private static final List<String> OWN =
      List.of("--history", "--hidden", "--untied", "--batch", "--sampled", "--held-out");

  @Option(
      names = "--history",
      paramLabel = "N",
      description = "next: how many tokens before a place are seen (${DEFAULT-VALUE}).")
  int history = LanguageSettings.DEFAULT.context();

  @Option(
      names = "--hidden",
      paramLabel = "N",
      description = "next: units of the hidden layer; 0 for none (${DEFAULT-VALUE}).")
  int hidden = LanguageSettings.DEFAULT.hidden();

  @Option(
      names = "--untied",
      description = "next: give the output a table of its own; else the input table scores too.")
  boolean untied;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "next: places learned from at once (${DEFAULT-VALUE}).")
  int batch = LanguageSettings.DEFAULT.batch();

  @Option(
      names = "--sampled",
      paramLabel = "N",
      description = "next: tokens drawn for a sampled softmax; 0 for the full one (0).")
  int sampled;

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      description = "next: the share of sentences kept back for measuring (${DEFAULT-VALUE}).")
  double heldOut = LanguageSettings.DEFAULT.heldOut();

  /** Checks that no option of another objective was typed. */
  static void check(ParseResult typed, boolean next) {
    GloveOptions.refuse(typed, next ? OF_WINDOWS : List.of(), "does not go with --objective next");
    GloveOptions.refuse(typed, next ? List.of() : OWN, "goes with --objective next only");
  }

  /** Returns the settings; width, epochs, rate and seed are those of every objective. */
  LanguageSettings settings(int width, int epochs, @Nullable Double rate, long seed) {
    return new LanguageSettings(
        width,
        history,
        hidden,
        untied ? Tying.UNTIED : Tying.TIED,
        batch,
        epochs,
        rate == null ? LanguageSettings.DEFAULT.rate() : rate,
        sampled,
        heldOut,
        seed);
  }
}

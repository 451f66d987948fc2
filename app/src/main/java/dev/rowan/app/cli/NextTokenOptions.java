package dev.rowan.app.cli;

import dev.rowan.train.TrainingSettings;
import dev.rowan.train.lm.LanguageSettings;
import dev.rowan.train.lm.LanguageSettings.Tying;
import java.util.List;
import picocli.CommandLine.Option;

/** How to learn to predict the next token: {@code --objective next}. */
final class NextTokenOptions {
  /** Options that say nothing to other objectives. */
  static final List<String> OWN =
      List.of("--history", "--hidden", "--untied", "--batch", "--sampled", "--held-out");

  /** Options that say something to all objectives but this. */
  static final List<String> OTHERS = List.of("--window", "--keep-output", "--to");

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

  /** Returns the settings; width, epochs, rate and seed are those of every objective. */
  LanguageSettings settings(TrainOptions common) {
    Double rate = common.rate;
    return new LanguageSettings(
        common.width,
        history,
        hidden,
        untied ? Tying.UNTIED : Tying.TIED,
        batch,
        TrainOptions.or(common.epochs, TrainingSettings.DEFAULT.epochs()),
        rate == null ? LanguageSettings.DEFAULT.rate() : rate,
        sampled,
        heldOut,
        common.seed);
  }
}

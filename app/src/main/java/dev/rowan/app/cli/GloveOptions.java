package dev.rowan.app.cli;

import dev.rowan.train.glove.GloveSettings;
import dev.rowan.train.glove.GloveSettings.Rows;
import java.util.List;
import picocli.CommandLine.Option;

/** How to learn from how often words come near each other: {@code --objective glove}. */
final class GloveOptions {
  /** Options that say nothing to other objectives. */
  static final List<String> OWN = List.of("--x-max", "--alpha", "--rows");

  /** Which rows become the table. */
  enum Kept {
    sum,
    word
  }

  @Option(
      names = "--x-max",
      paramLabel = "X",
      description =
          "glove: pairs that come near each other so often have the whole weight"
              + " (${DEFAULT-VALUE}).")
  double most = GloveSettings.DEFAULT.most();

  @Option(
      names = "--alpha",
      paramLabel = "P",
      description = "glove: others weigh their share of that to the power of P (${DEFAULT-VALUE}).")
  double power = GloveSettings.DEFAULT.power();

  @Option(
      names = "--rows",
      paramLabel = "sum|word",
      description =
          "glove: the table is the sum of words' rows and their rows as contexts, or words' rows"
              + " alone (${DEFAULT-VALUE}).")
  Kept rows = Kept.sum;

  /** Returns the settings; width, window, epochs, rate and seed are those of every objective. */
  GloveSettings settings(TrainOptions common) {
    Double rate = common.rate;
    return new GloveSettings(
        common.width,
        TrainOptions.or(common.window, GloveSettings.DEFAULT.window()),
        TrainOptions.or(common.epochs, GloveSettings.DEFAULT.epochs()),
        rate == null ? GloveSettings.DEFAULT.rate() : rate,
        most,
        power,
        rows == Kept.sum ? Rows.SUM : Rows.WORD,
        common.seed);
  }

  /** Checks that output rows were not asked for where they are in the table already. */
  void checkOutput(boolean keepOutput) {
    if (keepOutput && rows == Kept.sum) {
      throw new UseException(
          "--keep-output: the rows of contexts are in the sum already; add --rows word to have them apart");
    }
  }
}

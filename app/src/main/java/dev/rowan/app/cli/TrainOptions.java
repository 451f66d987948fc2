package dev.rowan.app.cli;

import dev.rowan.train.CharacterGrams;
import dev.rowan.train.Objective;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Output;
import dev.rowan.train.Output.Sharing;
import dev.rowan.train.Threading;
import dev.rowan.train.TrainingSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to learn. */
final class TrainOptions {
  /** What is learned from a window. */
  enum Goal {
    skipgram,
    cbow,
    glove,
    next
  }

  /** How the rows of a CBOW context become one. */
  enum Context {
    mean,
    sum
  }

  /** How a word is told from others. */
  enum Loss {
    negative,
    hierarchical
  }

  @Option(
      names = "--objective",
      paramLabel = "skipgram|cbow|glove|next",
      description =
          "What is learned: words from the words around them, how often words come near each other,"
              + " or the next one from those before (${DEFAULT-VALUE}).")
  Goal goal = Goal.skipgram;

  @Option(
      names = "--context",
      paramLabel = "mean|sum",
      description = "How the rows of a CBOW context become one (${DEFAULT-VALUE}).")
  Context context = Context.mean;

  @Option(
      names = "--loss",
      paramLabel = "negative|hierarchical",
      description = "Tell a word from drawn ones, or by its path in a tree (${DEFAULT-VALUE}).")
  Loss loss = Loss.negative;

  @Option(
      names = {"-d", "--width"},
      paramLabel = "N",
      description = "Numbers in a row (${DEFAULT-VALUE}).")
  int width = TrainingSettings.DEFAULT.width();

  @Option(
      names = {"-w", "--window"},
      paramLabel = "N",
      description = "The most words on either side (5; 15 for glove).")
  @Nullable Integer window;

  @Option(
      names = "--negatives",
      paramLabel = "N",
      description = "Drawn words against each (${DEFAULT-VALUE}).")
  int negatives = 5;

  @Option(
      names = "--per-pair",
      description =
          "Draw them for each pair, as the original does, not once a window; takes several times as"
              + " long.")
  boolean perPair;

  @Option(
      names = "--power",
      paramLabel = "P",
      description = "They are drawn by count to the power of P (${DEFAULT-VALUE}).")
  double power = 0.75;

  @Option(
      names = {"-e", "--epochs"},
      paramLabel = "N",
      description = "How often the text is gone through (5; 25 for glove).")
  @Nullable Integer epochs;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "The learning rate at the start (0.025; 0.05 for cbow, glove and next).")
  @Nullable Double rate;

  @Option(
      names = "--subsample",
      paramLabel = "T",
      description = "Frequent words are left out at random; 0 keeps all (${DEFAULT-VALUE}).")
  double subsample = TrainingSettings.DEFAULT.subsample();

  @Option(
      names = "--sentence-words",
      paramLabel = "N",
      description = "Sentences are cut after so many words (${DEFAULT-VALUE}).")
  int sentenceWords = TrainingSettings.DEFAULT.sentenceWords();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Where randomness begins (${DEFAULT-VALUE}).")
  long seed = TrainingSettings.DEFAULT.seed();

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "Let threads take turns over N blocks of rows: the same rows for any number of threads,"
              + " in about twice the time.")
  @Nullable Integer blocks;

  @Option(
      names = "--subwords",
      paramLabel = "MIN-MAX",
      arity = "0..1",
      fallbackValue = "3-6",
      preprocessor = NumberOrNothing.class,
      description = "Make rows of character n-grams too, as fastText does (3-6 if not said).")
  @Nullable String subwords;

  @Option(
      names = "--buckets",
      paramLabel = "N",
      description = "Rows that n-grams are hashed to (${DEFAULT-VALUE}).")
  int buckets = CharacterGrams.DEFAULT.buckets();

  /** Returns the settings of objectives that learn from windows. */
  TrainingSettings settings() {
    Objective objective =
        switch (goal) {
          case skipgram -> new Objective.SkipGram();
          case glove, next -> throw new IllegalStateException(goal + " has settings of its own");
          case cbow -> new Objective.Cbow(context == Context.mean ? Combine.MEAN : Combine.SUM);
        };
    Output output =
        switch (loss) {
          case negative ->
              new Output.NegativeSampling(
                  negatives, power, perPair ? Sharing.PAIR : Sharing.WINDOW);
          case hierarchical -> new Output.HierarchicalSoftmax();
        };
    Double wanted = rate;
    TrainingSettings settings =
        TrainingSettings.DEFAULT
            .withObjective(objective)
            .withOutput(output)
            .withWidth(width)
            .withWindow(or(window, TrainingSettings.DEFAULT.window()))
            .withEpochs(or(epochs, TrainingSettings.DEFAULT.epochs()))
            .withRate(wanted == null ? objective.usualRate() : wanted)
            .withSubsample(subsample)
            .withSentenceWords(sentenceWords)
            .withSeed(seed);
    Integer dealt = blocks;
    if (dealt != null) {
      settings = settings.withThreading(new Threading.Blocks(dealt));
    }
    String grams = subwords;
    return grams == null ? settings : settings.withGrams(grams(grams));
  }

  /** Returns what was typed, or what is usual. */
  static int or(@Nullable Integer typed, int usual) {
    return typed == null ? usual : typed;
  }

  private CharacterGrams grams(String typed) {
    String[] lengths = typed.split("-", -1);
    try {
      int shortest = Integer.parseInt(lengths[0]);
      int longest = lengths.length == 1 ? shortest : Integer.parseInt(lengths[1]);
      if (lengths.length <= 2) {
        return new CharacterGrams(shortest, longest, buckets);
      }
    } catch (NumberFormatException e) {
      // said below, with what it takes
    }
    throw new UseException(
        "--subwords %s: it takes two lengths, such as 3-6".formatted(Visible.quoted(typed)));
  }
}

package dev.rowan.train;

import dev.rowan.core.OutOfRange;
import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Objective.SkipGram;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How to learn. Start from {@link #DEFAULT} and change what differs.
 *
 * @param objective what is learned from a window
 * @param output how a word is told from others
 * @param width d, 1 to 10,000
 * @param window the most words on either side, 1 to 1,000; each word draws 1 to so many
 * @param epochs how often the text is gone through, 1 to 10,000
 * @param rate the learning rate at the start; it falls in a line to a ten-thousandth of that
 * @param subsample t: frequent words are left out at random, by {@link Formulas#keepShare}; 0 for
 *     none
 * @param sentenceWords sentences are cut after so many words, 2 to 100,000
 * @param seed where randomness begins
 * @param threading how several threads learn at once
 * @param grams character n-grams, if words have them
 */
public record TrainingSettings(
    Objective objective,
    Output output,
    int width,
    int window,
    int epochs,
    double rate,
    double subsample,
    int sentenceWords,
    long seed,
    Threading threading,
    Optional<CharacterGrams> grams) {

  /** Skip-gram as word2vec is used most: d = 100, window 5, 5 negatives, 5 epochs. */
  public static final TrainingSettings DEFAULT =
      new TrainingSettings(
          new SkipGram(),
          new NegativeSampling(5, 0.75, Sharing.WINDOW),
          100,
          5,
          5,
          0.025,
          1e-3,
          1000,
          1,
          new Threading.Shared(),
          Optional.empty());

  /** Checks the ranges, and that the parts go together. */
  public TrainingSettings {
    OutOfRange.check("width", width, 1, 10_000);
    OutOfRange.check("window", window, 1, 1_000);
    OutOfRange.check("epochs", epochs, 1, 10_000);
    OutOfRange.check("sentence words", sentenceWords, 2, 100_000);
    OutOfRange.check(rate > 0 && rate <= 10, "rate", rate, "more than 0, up to 10");
    OutOfRange.check(
        subsample >= 0 && subsample < 1, "subsample", subsample, "0 to less than 1, 0 for none");
    boolean blocks = threading instanceof Threading.Blocks;
    boolean sampled = output instanceof NegativeSampling;
    if (blocks && (!sampled || !(objective instanceof SkipGram) || grams.isPresent())) {
      throw new IllegalArgumentException(
          "blocks are for skip-gram with negative sampling and whole words; leave them away");
    }
    if (grams.isPresent() && objective instanceof Cbow(Combine combine) && combine == Combine.SUM) {
      throw new IllegalArgumentException(
          "with character n-grams CBOW takes the mean of all parts, as fastText does; leave the sum away");
    }
  }

  /** Returns these settings with another objective. */
  public TrainingSettings withObjective(Objective objective) {
    return changed(to -> to.objective = objective);
  }

  /** Returns these settings with another output. */
  public TrainingSettings withOutput(Output output) {
    return changed(to -> to.output = output);
  }

  /** Returns these settings with another width. */
  public TrainingSettings withWidth(int width) {
    return changed(to -> to.width = width);
  }

  /** Returns these settings with another window. */
  public TrainingSettings withWindow(int window) {
    return changed(to -> to.window = window);
  }

  /** Returns these settings with another number of epochs. */
  public TrainingSettings withEpochs(int epochs) {
    return changed(to -> to.epochs = epochs);
  }

  /** Returns these settings with another rate. */
  public TrainingSettings withRate(double rate) {
    return changed(to -> to.rate = rate);
  }

  /** Returns these settings with another threshold for frequent words. */
  public TrainingSettings withSubsample(double subsample) {
    return changed(to -> to.subsample = subsample);
  }

  /** Returns these settings with another length of sentences. */
  public TrainingSettings withSentenceWords(int sentenceWords) {
    return changed(to -> to.sentenceWords = sentenceWords);
  }

  /** Returns these settings with another seed. */
  public TrainingSettings withSeed(long seed) {
    return changed(to -> to.seed = seed);
  }

  /** Returns these settings with another way for threads to work together. */
  public TrainingSettings withThreading(Threading threading) {
    return changed(to -> to.threading = threading);
  }

  /** Returns these settings with character n-grams. */
  public TrainingSettings withGrams(CharacterGrams grams) {
    return changed(to -> to.grams = Optional.of(grams));
  }

  /** The settings while one of them changes. */
  private static final class Draft {
    Objective objective;
    Output output;
    int width;
    int window;
    int epochs;
    double rate;
    double subsample;
    int sentenceWords;
    long seed;
    Threading threading;
    Optional<CharacterGrams> grams;

    Draft(TrainingSettings from) {
      objective = from.objective;
      output = from.output;
      width = from.width;
      window = from.window;
      epochs = from.epochs;
      rate = from.rate;
      subsample = from.subsample;
      sentenceWords = from.sentenceWords;
      seed = from.seed;
      threading = from.threading;
      grams = from.grams;
    }
  }

  private TrainingSettings changed(Consumer<Draft> change) {
    Draft to = new Draft(this);
    change.accept(to);
    return new TrainingSettings(
        to.objective,
        to.output,
        to.width,
        to.window,
        to.epochs,
        to.rate,
        to.subsample,
        to.sentenceWords,
        to.seed,
        to.threading,
        to.grams);
  }

  /** Returns every setting by name, as files keep it; {@link #of} reads it back. */
  public Map<String, String> asText() {
    Map<String, String> text = new LinkedHashMap<>();
    switch (objective) {
      case SkipGram() -> text.put("objective", "skipgram");
      case Cbow(Combine combine) ->
          text.put("objective", "cbow-" + combine.name().toLowerCase(Locale.ROOT));
    }
    switch (output) {
      case NegativeSampling(int negatives, double power, Sharing sharing) -> {
        text.put("output", "negatives-per-" + sharing.name().toLowerCase(Locale.ROOT));
        text.put("negatives", String.valueOf(negatives));
        text.put("power", String.valueOf(power));
      }
      case HierarchicalSoftmax() -> text.put("output", "hierarchical-softmax");
    }
    text.put("width", String.valueOf(width));
    text.put("window", String.valueOf(window));
    text.put("epochs", String.valueOf(epochs));
    text.put("rate", String.valueOf(rate));
    text.put("subsample", String.valueOf(subsample));
    text.put("sentence-words", String.valueOf(sentenceWords));
    text.put("seed", String.valueOf(seed));
    switch (threading) {
      case Threading.Shared() -> text.put("threading", "shared");
      case Threading.Blocks(int count) -> text.put("threading", "blocks-" + count);
    }
    grams.ifPresent(g -> {
      text.put("grams", g.shortest() + "-" + g.longest());
      text.put("buckets", String.valueOf(g.buckets()));
    });
    return text;
  }

  /**
   * Reads settings that {@link #asText} wrote.
   *
   * @throws IllegalArgumentException if one is missing or not legal
   */
  public static TrainingSettings of(Map<String, String> text) {
    SettingsText read = new SettingsText(text);
    return new TrainingSettings(
        read.objective(),
        read.output(),
        read.whole("width"),
        read.whole("window"),
        read.whole("epochs"),
        read.number("rate"),
        read.number("subsample"),
        read.whole("sentence-words"),
        Long.parseLong(read.text("seed")),
        read.threading(),
        read.grams());
  }
}

package dev.rowan.train.lm;

import dev.rowan.train.TrainingEvent;
import java.nio.file.Path;
import java.time.Duration;

/** What happens while a language model is trained. */
public sealed interface LanguageEvent {

  /**
   * How far training has come; told a few times a second.
   *
   * @param epoch the epoch that runs, from 1
   * @param tokens learned from so far, over all epochs
   * @param totalTokens of all epochs
   * @param loss the mean since this was last told, in nats a token
   * @param tokensPerSecond of late
   * @param elapsed since training began or was resumed
   */
  record Progress(
      int epoch,
      long tokens,
      long totalTokens,
      double loss,
      double tokensPerSecond,
      Duration elapsed)
      implements LanguageEvent {}

  /** An epoch has ended and the held-out text was measured. */
  record Measured(LanguageReport.Epoch epoch) implements LanguageEvent {}

  /**
   * What trainings tell whatever they learn: a {@link TrainingEvent.Loss} of a part, words being
   * tokens there, or a {@link TrainingEvent.Look} at the input rows, those of the words and of the
   * marker.
   */
  record Seen(TrainingEvent event) implements LanguageEvent {}

  /** A checkpoint is on disk. */
  record Saved(Path file) implements LanguageEvent {}

  /** Hears events, on the thread that trains. */
  interface Listener {
    /** Nobody listens. */
    Listener NONE = _ -> {};

    /** Called for each event; training waits until it returns. */
    void heard(LanguageEvent event);
  }
}

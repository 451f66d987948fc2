package dev.rowan.train.lm;

import java.time.Duration;

/** When things were last done, and what was learned since it was told. Not thread-safe. */
final class LanguageClock {
  private static final Duration TELL_EVERY = Duration.ofMillis(250);

  private final long began;
  private long saved;
  private long told;
  private long tokens;
  private double loss;

  LanguageClock(long now) {
    began = now;
    saved = now;
    told = now;
  }

  /** Notes a batch. */
  void add(int batchTokens, double batchLoss) {
    tokens += batchTokens;
    loss += batchLoss;
  }

  boolean saveIsDue(Duration every) {
    return System.nanoTime() - saved >= every.toNanos();
  }

  void saved() {
    saved = System.nanoTime();
  }

  boolean tellIsDue(long now) {
    return now - told >= TELL_EVERY.toNanos();
  }

  /** Returns how far it is. */
  LanguageEvent.Progress tell(long now, int epoch, long done, long total) {
    double speed = tokens / ((now - told) / 1e9);
    LanguageEvent.Progress progress =
        new LanguageEvent.Progress(
            epoch, done, total, loss / tokens, speed, Duration.ofNanos(now - began));
    told = now;
    tokens = 0;
    loss = 0;
    return progress;
  }
}

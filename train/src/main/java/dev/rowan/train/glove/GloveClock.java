package dev.rowan.train.glove;

import java.time.Duration;

/** How fast things go, of late. Not thread-safe. */
final class GloveClock {
  private final long began;
  private long told;
  private long toldDone;
  private double speed = Double.NaN;

  GloveClock(long now, long done) {
    this.began = now;
    this.told = now;
    this.toldDone = done;
  }

  /** Returns when it was last told. */
  long told() {
    return told;
  }

  /** Notes how much is done; returns how much is done a second. */
  double tell(long now, long done) {
    double late = (done - toldDone) * 1e9 / Math.max(1, now - told);
    speed = Double.isNaN(speed) ? late : 0.7 * speed + 0.3 * late;
    told = now;
    toldDone = done;
    return speed;
  }

  Duration elapsed(long now) {
    return Duration.ofNanos(now - began);
  }

  Duration left(long undone) {
    return Duration.ofMillis((long) (1000 * undone / Math.max(1, speed)));
  }
}

package dev.rowan.app.cli;

import dev.rowan.train.TrainingEvent;
import dev.rowan.train.TrainingListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows how far training has come: one line that changes, on a terminal; else a line every ten
 * seconds.
 */
final class TrainProgress implements TrainingListener, AutoCloseable {
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final PrintStream err;
  private final boolean terminal;
  private long told = System.nanoTime();
  private boolean line;
  private double lastLoss = Double.NaN;
  private double epochLoss = Double.NaN;

  TrainProgress(Surroundings surroundings) {
    this.err = surroundings.err();
    this.terminal = surroundings.errIsTerminal();
  }

  /** Shows how much of the text has been read. */
  synchronized void read(long bytes, long total) {
    if (terminal) {
      show(
          total < 0
              ? "counting words: %,d MB".formatted(bytes >> 20)
              : "counting words: %,d of %,d MB".formatted(bytes >> 20, total >> 20));
    }
  }

  @Override
  public synchronized void heard(TrainingEvent event) {
    switch (event) {
      case TrainingEvent.Progress p -> progress(p);
      case TrainingEvent.Saved(var file) -> say("saved " + file);
      case TrainingEvent.EpochEnded(_, double loss) -> epochLoss = loss;
      case TrainingEvent.Look _, TrainingEvent.Loss _ -> {}
    }
  }

  private void progress(TrainingEvent.Progress p) {
    lastLoss = Double.isNaN(p.loss()) ? lastLoss : p.loss();
    passing(
        lastLoss,
        String.format(
            Locale.ROOT,
            "%5.1f %%  epoch %d  %s words/s  rate %.5f  loss %.4f  %s left",
            100.0 * p.words() / Math.max(1, p.totalWords()),
            p.epoch(),
            speed(p.wordsPerSecond()),
            p.rate(),
            lastLoss,
            time(p.left())));
  }

  /** Shows a line that the next one replaces. */
  synchronized void passing(double loss, String text) {
    lastLoss = loss;
    long now = System.nanoTime();
    if (terminal) {
      show(text);
    } else if (now - told >= QUIET_NANOS) {
      told = now;
      say(text);
    }
  }

  /** Goes on after epochs of which the last had a mean loss, or NaN. */
  synchronized void goOn(double before) {
    epochLoss = before;
  }

  /** Returns the mean loss of the last epoch, which does not depend on when progress was told. */
  synchronized double epochLoss() {
    return epochLoss;
  }

  /** Prints a line that stays. */
  synchronized void say(String text) {
    clear();
    err.println(text);
    err.flush();
  }

  private void show(String text) {
    err.print("\r\u001b[K" + text);
    err.flush();
    line = true;
  }

  private void clear() {
    if (line) {
      err.print("\r\u001b[K");
      line = false;
    }
  }

  static String speed(double words) {
    return words >= 1e6
        ? String.format(Locale.ROOT, "%.2f M", words / 1e6)
        : String.format(Locale.ROOT, "%.0f k", words / 1e3);
  }

  private static String time(Duration left) {
    long seconds = left.toSeconds();
    return seconds >= 3600
        ? "%d h %02d min".formatted(seconds / 3600, seconds / 60 % 60)
        : seconds >= 60 ? "%d min %02d s".formatted(seconds / 60, seconds % 60) : seconds + " s";
  }

  @Override
  public synchronized void close() {
    clear();
    err.flush();
  }
}

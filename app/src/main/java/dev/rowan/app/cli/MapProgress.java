package dev.rowan.app.cli;

import dev.rowan.analysis.map.MapListener;
import java.io.PrintStream;
import java.util.Locale;

/** Shows at a terminal how far a map has come: one line that goes away at the end. */
final class MapProgress implements MapListener, AutoCloseable {
  private static final long PATIENCE_NANOS = 500_000_000;
  private static final long STEP_NANOS = 150_000_000;

  private final PrintStream err;
  private final boolean terminal;
  private final String name;
  private double loss = Double.NaN;
  private long shown;
  private boolean line;

  /**
   * Makes one.
   *
   * @param name of the method, for people
   */
  MapProgress(Surroundings surroundings, String name) {
    this.err = surroundings.err();
    this.terminal = surroundings.errIsTerminal();
    this.name = name;
    this.shown = System.nanoTime() + PATIENCE_NANOS - STEP_NANOS;
  }

  @Override
  public void neighbours(long done, long of) {
    tell("neighbours of %,d of %,d rows".formatted(done, of));
  }

  @Override
  public void step(Step step) {
    loss = Double.isNaN(step.loss()) ? loss : step.loss();
    tell(
        "step %,d of %,d%s"
            .formatted(
                step.iteration(),
                step.of(),
                Double.isNaN(loss) ? "" : String.format(Locale.ROOT, ", KL %.3f", loss)));
  }

  private void tell(String what) {
    long now = System.nanoTime();
    if (!terminal || now - shown < STEP_NANOS) {
      return;
    }
    shown = now;
    line = true;
    err.print("\r\u001b[K" + name + ": " + what);
    err.flush();
  }

  @Override
  public void close() {
    if (line) {
      err.print("\r\u001b[K");
      err.flush();
      line = false;
    }
  }
}

package dev.rowan.app.cli;

import dev.rowan.hub.HubListener;
import java.io.PrintStream;

/**
 * Shows at a terminal how far a download is: one line that goes away at the end. What a user should
 * know is printed wherever it goes.
 */
final class FetchProgress implements HubListener, AutoCloseable {
  private static final long STEP_NANOS = 200_000_000;

  private final PrintStream err;
  private final boolean terminal;
  private String what = "";
  private long bytes;
  private long first = -1;
  private long began;
  private long shown;
  private boolean line;

  FetchProgress(Surroundings surroundings) {
    this.err = surroundings.err();
    this.terminal = surroundings.errIsTerminal();
  }

  @Override
  public synchronized void began(String what, long bytes) {
    this.what = what;
    this.bytes = bytes;
    this.first = -1;
    this.began = System.nanoTime();
    this.shown = began;
  }

  @Override
  public synchronized void reached(long reached) {
    long now = System.nanoTime();
    if (first < 0) {
      first = reached; // an earlier run may have fetched some, which tells nothing about speed
    }
    if (!terminal || now - shown < STEP_NANOS) {
      return;
    }
    shown = now;
    double seconds = (now - began) / 1e9;
    String speed = InfoCommand.bytes((long) ((reached - first) / seconds)) + "/s";
    err.print(
        "\r\u001b[Kfetching %s: %s of %s, %s"
            .formatted(
                Visible.token(what), InfoCommand.bytes(reached), InfoCommand.bytes(bytes), speed));
    err.flush();
    line = true;
  }

  @Override
  public synchronized void ended() {
    clear();
  }

  @Override
  public synchronized void noted(String note) {
    clear();
    err.println("rowan: " + Visible.message(note));
    err.flush();
  }

  private void clear() {
    if (line) {
      err.print("\r\u001b[K");
      err.flush();
      line = false;
    }
  }

  @Override
  public synchronized void close() {
    clear();
  }
}

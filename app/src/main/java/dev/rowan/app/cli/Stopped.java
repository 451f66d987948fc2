package dev.rowan.app.cli;

import java.util.concurrent.CancellationException;

/** A job was stopped by a signal, after it had saved what it had. */
final class Stopped extends CancellationException {
  private static final long serialVersionUID = 1;

  private final int code;

  /**
   * Says what was stopped.
   *
   * @param code with which the program ends: that of the signal
   */
  Stopped(String message, int code) {
    super(message);
    this.code = code;
  }

  /** Returns the exit code. */
  int code() {
    return code;
  }
}

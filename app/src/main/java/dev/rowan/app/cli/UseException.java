package dev.rowan.app.cli;

/** The command cannot be done as it was typed; the message says why and what to type instead. */
final class UseException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UseException(String message) {
    super(message);
  }
}

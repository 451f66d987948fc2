package dev.rowan.app.cli;

/** The program did its work, and what it found is not what the user allows. */
final class FailedCheck extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FailedCheck(String message) {
    super(message);
  }
}

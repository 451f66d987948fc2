package dev.rowan.app.web;

/** A request that is not answered; the message says why and what to do. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  /**
   * Refuses.
   *
   * @param status the HTTP status
   */
  Refusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }

  /** Returns the message; unlike that of other exceptions, it is always there. */
  String reason() {
    String message = getMessage();
    return message == null ? "refused" : message;
  }
}

package dev.rowan.hub;

import java.io.IOException;

/**
 * A remote model cannot be had. The message says which, why, and what to do; it never holds a token
 * nor the query of an address, which may be a signature.
 */
public final class HubException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean isAbsent;

  /** Makes an exception. */
  public HubException(String message) {
    super(message);
    this.isAbsent = false;
  }

  private HubException(String message, boolean isAbsent) {
    super(message);
    this.isAbsent = isAbsent;
  }

  /** Returns an exception about a file that is not there, or not for us. */
  static HubException absent(String message) {
    return new HubException(message, true);
  }

  /** Returns whether the server said that the file is not there, or not for us. */
  boolean isAbsent() {
    return isAbsent;
  }

  /** Makes an exception that another caused. */
  public HubException(String message, Throwable cause) {
    super(message, cause);
    this.isAbsent = false;
  }
}

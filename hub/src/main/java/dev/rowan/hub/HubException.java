package dev.rowan.hub;

import java.io.IOException;

/**
 * A remote model cannot be had. The message says which, why, and what to do; it never holds a token
 * nor the query of an address, which may be a signature.
 */
public final class HubException extends IOException {
  private static final long serialVersionUID = 1;

  /** Makes an exception. */
  public HubException(String message) {
    super(message);
  }

  /** Makes an exception that another caused. */
  public HubException(String message, Throwable cause) {
    super(message, cause);
  }
}

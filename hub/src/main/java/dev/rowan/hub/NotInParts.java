package dev.rowan.hub;

import java.io.IOException;

/** Weights that only come whole; the message says why. */
final class NotInParts extends IOException {
  private static final long serialVersionUID = 1;

  NotInParts(String why) {
    super(why);
  }
}

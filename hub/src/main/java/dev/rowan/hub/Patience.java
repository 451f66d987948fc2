package dev.rowan.hub;

import java.time.Duration;

/**
 * How long to wait for a server, and how often to ask again.
 *
 * @param attempts how often to ask for the same bytes without getting any, 1 or more
 * @param firstPause before the second attempt; it doubles with each further one
 * @param longestPause the longest of these, also where a server asks for a longer one
 * @param connect for a connection
 * @param stall without a single byte from the server
 */
public record Patience(
    int attempts, Duration firstPause, Duration longestPause, Duration connect, Duration stall) {
  /** What people put up with: six attempts within half a minute, 30 seconds of silence. */
  public static final Patience USUAL =
      new Patience(
          6,
          Duration.ofMillis(500),
          Duration.ofSeconds(60),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30));

  /** Checks the ranges. */
  public Patience {
    if (attempts < 1) {
      throw new IllegalArgumentException("%d attempts; at least 1 is needed".formatted(attempts));
    }
    if (!connect.isPositive() || !stall.isPositive()) {
      throw new IllegalArgumentException("the time to wait for a server must be above 0");
    }
  }

  /** Returns the pause after so many failed attempts, 1 or more. */
  Duration pause(int failed) {
    Duration pause = firstPause.multipliedBy(1L << Math.min(failed - 1, 20));
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }
}

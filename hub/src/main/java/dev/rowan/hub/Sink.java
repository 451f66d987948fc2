package dev.rowan.hub;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of an answer as they come, in order. */
interface Sink {
  /**
   * Takes bytes.
   *
   * @return whether more is wanted; if not, the rest of the answer is not fetched
   * @throws IOException if they cannot be kept here; that is not the server's fault
   */
  boolean take(ByteBuffer bytes) throws IOException;
}

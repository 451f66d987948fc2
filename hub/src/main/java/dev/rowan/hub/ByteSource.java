package dev.rowan.hub;

import java.io.IOException;
import java.util.function.LongConsumer;

/** A file of which parts can be read: somewhere on the web, or on this machine. */
interface ByteSource {
  /** Returns the name, for messages. */
  String name();

  /** Returns how many bytes there are. */
  long size() throws IOException;

  /** Returns whether parts cost no more than their own bytes. */
  boolean readsParts() throws IOException;

  /**
   * Reads bytes in order.
   *
   * @param from the first
   * @param to behind the last
   * @param sink takes them; what it returns is ignored
   * @param reached told how many are here, from time to time
   */
  void read(long from, long to, Sink sink, LongConsumer reached) throws IOException;
}

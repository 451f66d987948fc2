package dev.rowan.app.web;

import java.io.IOException;
import java.nio.file.Path;

/** What an endpoint gives back. */
sealed interface Answer {

  /**
   * A record, sent as JSON: its components are the members.
   *
   * @param value a record
   */
  record Of(Record value) implements Answer {}

  /**
   * Bytes.
   *
   * @param type their media type
   */
  @SuppressWarnings("ArrayRecordComponent") // carries bytes to the wire, never compared
  record Bytes(byte[] bytes, String type) implements Answer {}

  /**
   * A file, sent from the disk.
   *
   * @param name what a browser should call it
   */
  record Download(Path file, String name) implements Answer {}

  /** Events, sent as they happen until the job ends or the client leaves. */
  record Events(Job job) implements Answer {}

  /** Events of work that goes on whether somebody listens or not. */
  record Live(Job job) implements Answer {}

  /** A job that tells of its progress. Its thread is interrupted when the client leaves. */
  @FunctionalInterface
  interface Job {
    /** Does the work. */
    void run(Listener listener) throws IOException;
  }

  /** Hears of events. */
  @FunctionalInterface
  interface Listener {
    /** Sends an event; one that was not sent yet may be replaced by a newer one of its name. */
    void event(String name, Record data);
  }
}

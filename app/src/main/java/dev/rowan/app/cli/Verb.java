package dev.rowan.app.cli;

import java.io.IOException;

/** A verb of the command line. */
interface Verb {
  /** Does the work and writes the answer through {@link Session#answer}. */
  void run(Session session) throws IOException;
}

package dev.rowan.hub;

import java.io.IOException;

/** Finds out which files a remote model has. */
interface Catalog {
  /** Returns the name of the model's folder in the cache. */
  String key();

  /**
   * Returns the files of the version that the user asked for: asks the server, unless a commit was
   * named that is known, or the network may not or cannot be used and an earlier answer is known.
   */
  Listing listing() throws IOException;

  /**
   * Returns a file that is not listed but that a file of the model names.
   *
   * @throws HubException if there are no others than those that are listed
   */
  Entry unlisted(String name) throws HubException;

  /** Returns a file for reading. */
  ByteSource source(Listing listing, Entry entry) throws IOException;

  /**
   * Returns an entry whose identity and size are known, by asking for its first byte if need be.
   */
  Entry identified(Entry entry) throws IOException;
}

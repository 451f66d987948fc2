package dev.rowan.hub;

/**
 * Hears how fetching goes. Called from several threads, one call at a time for a model; must return
 * soon.
 */
public interface HubListener {
  /** Hears nothing. */
  HubListener SILENT = new HubListener() {};

  /**
   * A file is fetched from now on.
   *
   * @param what the file, for people
   * @param bytes how many bytes that takes, 0 if not known
   */
  default void began(String what, long bytes) {}

  /**
   * More of that file is here.
   *
   * @param bytes how many bytes of it are here by now, those of an earlier run included
   */
  default void reached(long bytes) {}

  /** That file is here. */
  default void ended() {}

  /** Something that the user should know: a retry, a wait, a copy that stands in. */
  default void noted(String note) {}
}

/**
 * Remote models: only the bytes of the table are fetched, and kept.
 *
 * <p>Start at {@link dev.rowan.hub.Hub}. This is the only module that talks to the network, and it
 * does so only for a model that the user names by {@code hf:} or {@code https://}.
 */
module dev.rowan.hub {
  requires transitive dev.rowan.formats;
  requires java.net.http;
  requires tools.jackson.core;
  requires static transitive org.jspecify;

  exports dev.rowan.hub;
}

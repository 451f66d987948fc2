package dev.rowan.hub;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A file of a remote model.
 *
 * @param name its path in the model
 * @param size how many bytes it has, where that is known
 * @param identity what its bytes are, where that is known: {@code sha256-…} of the bytes, {@code
 *     git-…} the id of the blob, {@code etag-…} what the server calls this version of the address
 * @param uri where it is
 */
record Entry(String name, OptionalLong size, Optional<String> identity, URI uri) {

  /** Returns the name without its folders. */
  String lastName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** Returns the identity that a listing or a first contact gave. */
  String known() {
    return identity.orElseThrow(
        () -> new IllegalStateException("the identity of %s is not known yet".formatted(name)));
  }
}

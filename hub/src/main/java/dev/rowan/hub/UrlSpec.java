package dev.rowan.hub;

import java.net.URI;

/**
 * A weights file somewhere on the web.
 *
 * @param uri its address
 */
public record UrlSpec(URI uri) implements RemoteSpec {
  /**
   * Checks that the address names a file.
   *
   * @throws IllegalArgumentException if it does not
   */
  public UrlSpec {
    if (Addresses.lastName(uri).isEmpty()) {
      throw new IllegalArgumentException(
          "%s names no file; add the name of the weights, such as model.safetensors"
              .formatted(Addresses.shown(uri)));
    }
  }

  @Override
  public String text() {
    return Addresses.shown(uri);
  }

  @Override
  public String toString() {
    return text();
  }
}

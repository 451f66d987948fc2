package dev.rowan.hub;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What is asked of addresses, and how they are shown. */
final class Addresses {
  private Addresses() {}

  /**
   * Reads an address.
   *
   * @param what where it was written, for messages
   * @throws IllegalArgumentException if it is not https, or http to this machine, with a host
   */
  static URI parse(String text, String what) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "%s is not an address: %s".formatted(what, e.getReason()), e);
    }
    if (uri.getScheme() == null || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "%s is not a full address; write it like https://example.org/model.safetensors"
              .formatted(what));
    }
    if (!isSafe(uri)) {
      throw new IllegalArgumentException(
          "%s is a %s address; only https is used, and http to this machine"
              .formatted(what, uri.getScheme()));
    }
    return uri;
  }

  /** Returns whether nobody between here and the host can read or change what is sent. */
  static boolean isSafe(URI uri) {
    String scheme = scheme(uri);
    return scheme.equals("https") || (scheme.equals("http") && isThisMachine(uri));
  }

  private static boolean isThisMachine(URI uri) {
    return switch (String.valueOf(uri.getHost())) {
      case "localhost", "127.0.0.1", "[::1]" -> true;
      default -> false;
    };
  }

  /** Returns whether two addresses have scheme, host and port in common. */
  static boolean sameOrigin(URI one, URI other) {
    return scheme(one).equals(scheme(other))
        && String.valueOf(one.getHost()).equalsIgnoreCase(String.valueOf(other.getHost()))
        && port(one) == port(other);
  }

  private static int port(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    return scheme(uri).equals("https") ? 443 : 80;
  }

  private static String scheme(URI uri) {
    return String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
  }

  /** Returns an address for a message: without user, query and fragment, which may be secrets. */
  static String shown(URI uri) {
    if (uri.getHost() == null) {
      String path = uri.getRawPath();
      return uri.getScheme() + (path == null ? ":…" : "://" + path);
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath();
  }

  /** Returns the host for a message. */
  static String host(URI uri) {
    return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  /** Returns the last part of the path, decoded; empty if the path ends in a slash. */
  static String lastName(URI uri) {
    String path = String.valueOf(uri.getPath());
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns the address of another file in the same folder, with the same query. */
  static URI sibling(URI uri, String name) {
    String path = uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    return URI.create(
        uri.getScheme() + "://" + uri.getRawAuthority() + folder + encoded(name) + query);
  }

  /** Returns a relative path with everything escaped that is not plain, slashes kept. */
  static String encoded(String path) {
    StringBuilder text = new StringBuilder();
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-._~/".indexOf(c) >= 0;
      text.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return text.toString();
  }
}

package dev.rowan.hub;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The name of a remote model, as people type it. */
public sealed interface RemoteSpec permits HubSpec, UrlSpec {

  /** Returns whether a text names a remote model rather than a file or folder. */
  static boolean isRemote(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.startsWith("hf:") || lower.startsWith("https://") || lower.startsWith("http://");
  }

  /**
   * Reads a name: {@code hf:owner/name}, {@code hf:owner/name@revision}, {@code
   * hf:owner/name@revision:file}, or an address. The addresses of a hub's own pages and files are
   * taken for the models that they show.
   *
   * @param endpoint the hub
   * @throws IllegalArgumentException if it is none of these
   */
  static RemoteSpec parse(String text, URI endpoint) {
    if (text.toLowerCase(Locale.ROOT).startsWith("hf:")) {
      return HubSpec.parse(text);
    }
    URI uri = Addresses.parse(text, "the model's address");
    Optional<HubSpec> page = page(uri, endpoint);
    return page.isPresent() ? page.get() : new UrlSpec(uri);
  }

  /** Reads {@code /owner/name}, {@code /owner/name/tree/revision} and the addresses of files. */
  private static Optional<HubSpec> page(URI uri, URI endpoint) {
    boolean hub =
        Addresses.sameOrigin(uri, endpoint)
            || Addresses.sameOrigin(uri, URI.create("https://huggingface.co"));
    String base = Addresses.sameOrigin(uri, endpoint) ? endpoint.getPath() : "";
    String path = String.valueOf(uri.getPath());
    if (!hub || !path.startsWith(base + "/")) {
      return Optional.empty();
    }
    List<String> parts =
        List.of(path.substring(base.length() + 1).replaceAll("/+$", "").split("/"));
    if (parts.size() < 2) {
      return Optional.empty();
    }
    String repository = parts.get(0) + "/" + parts.get(1);
    if (parts.size() == 2) {
      return Optional.of(new HubSpec(repository, Optional.empty(), Optional.empty()));
    }
    String kind = parts.get(2);
    if (kind.equals("tree") && parts.size() == 4) {
      return Optional.of(new HubSpec(repository, Optional.of(parts.get(3)), Optional.empty()));
    }
    if ((kind.equals("resolve") || kind.equals("blob")) && parts.size() > 4) {
      String file = String.join("/", parts.subList(4, parts.size()));
      return Optional.of(new HubSpec(repository, Optional.of(parts.get(3)), Optional.of(file)));
    }
    return Optional.empty();
  }

  /** Returns the name as it can be typed again, without secrets. */
  String text();
}

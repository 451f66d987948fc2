package dev.rowan.hub;

import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whom to ask, as whom, and where to keep what comes.
 *
 * @param endpoint the hub, such as {@code https://huggingface.co}
 * @param token proves who asks; sent to the endpoint's own origin and nowhere else
 * @param network whether the network may be used
 * @param cache the folder to keep fetched files in
 * @param otherCaches folders of huggingface_hub on this machine, read only
 * @param proxies which proxy serves which address
 * @param patience how long to wait and how often to ask again
 * @param transfer how to split a download
 */
public record HubSettings(
    URI endpoint,
    Optional<Token> token,
    Network network,
    Path cache,
    List<Path> otherCaches,
    ProxySelector proxies,
    Patience patience,
    Transfer transfer) {

  /** Whether the network may be used. */
  public enum Network {
    /** It may. */
    ONLINE,
    /** It may not: what is in a cache must do. */
    OFFLINE
  }

  /**
   * How to split a download.
   *
   * @param connections at once, 1 to 32
   * @param chunk bytes in one request, 1 or more
   * @param step bytes after which what is here is noted, and which a kill loses at most on each
   *     connection; 1 to {@code chunk}
   */
  public record Transfer(int connections, int chunk, int step) {
    /** Six connections, 8 MiB a request, noted by the MiB. */
    public static final Transfer USUAL = new Transfer(6, 8 << 20, 1 << 20);

    /** Checks the ranges. */
    public Transfer {
      if (connections < 1 || connections > 32 || chunk < 1 || step < 1 || step > chunk) {
        throw new IllegalArgumentException(
            "%d connections with %,d bytes a request, noted by %,d; 1 to 32, 1 or more, and 1 to as many are legal"
                .formatted(connections, chunk, step));
      }
    }
  }

  /** Copies the list. */
  public HubSettings {
    otherCaches = List.copyOf(otherCaches);
  }

  /**
   * Reads the settings from environment variables: {@code HF_ENDPOINT}, {@code HF_TOKEN}, {@code
   * HF_HUB_OFFLINE}, {@code HF_HUB_CACHE}, {@code HF_HOME}, {@code ROWAN_CACHE}, and for proxies
   * {@code HTTPS_PROXY}, {@code HTTP_PROXY}, {@code ALL_PROXY} and {@code NO_PROXY} in either case.
   *
   * @throws IllegalArgumentException if one of them makes no sense
   */
  public static HubSettings of(Map<String, String> environment) {
    return new HubSettings(
        endpoint(environment),
        text(environment, "HF_TOKEN").map(Token::of),
        isOn(environment, "HF_HUB_OFFLINE") ? Network.OFFLINE : Network.ONLINE,
        CacheFolder.of(environment).resolve("hub"),
        HuggingFaceCache.folders(environment),
        EnvironmentProxies.of(environment),
        Patience.USUAL,
        Transfer.USUAL);
  }

  private static URI endpoint(Map<String, String> environment) {
    String text = text(environment, "HF_ENDPOINT").orElse("https://huggingface.co");
    URI uri = Addresses.parse(text.replaceAll("/+$", ""), "HF_ENDPOINT");
    if (uri.getRawQuery() != null || uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "HF_ENDPOINT should be an address such as https://huggingface.co, without a user or a"
              + " query");
    }
    return uri;
  }

  private static Optional<String> text(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).map(String::strip).filter(t -> !t.isEmpty());
  }

  private static boolean isOn(Map<String, String> environment, String name) {
    return switch (environment.getOrDefault(name, "").strip().toUpperCase(Locale.ROOT)) {
      case "1", "ON", "YES", "TRUE" -> true;
      default -> false;
    };
  }

  boolean offline() {
    return network == Network.OFFLINE;
  }
}

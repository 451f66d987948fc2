package dev.rowan.hub;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Proxies as command line programs take them from the environment. Where no variable names one, the
 * JVM's own choice (its {@code https.proxyHost} properties, or the system's) is asked.
 */
final class EnvironmentProxies extends ProxySelector {
  private final Map<String, InetSocketAddress> byScheme;
  private final List<String> direct;
  private final Optional<ProxySelector> others;

  private EnvironmentProxies(
      Map<String, InetSocketAddress> byScheme, List<String> direct, ProxySelector others) {
    this.byScheme = Map.copyOf(byScheme);
    this.direct = direct;
    this.others = Optional.ofNullable(others);
  }

  /**
   * Reads {@code HTTPS_PROXY}, {@code HTTP_PROXY}, {@code ALL_PROXY} and {@code NO_PROXY}, in lower
   * case first.
   *
   * @throws IllegalArgumentException if one of them is no address of an http proxy
   */
  static ProxySelector of(Map<String, String> environment) {
    Map<String, InetSocketAddress> byScheme = new HashMap<>();
    for (String scheme : List.of("https", "http")) {
      value(environment, scheme + "_proxy")
          .or(() -> value(environment, "all_proxy"))
          .ifPresent(text -> byScheme.put(scheme, address(scheme + "_proxy", text)));
    }
    List<String> direct =
        Arrays.stream(value(environment, "no_proxy").orElse("").split("[,\\s]+"))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> entry.toLowerCase(Locale.ROOT))
            .toList();
    return new EnvironmentProxies(byScheme, direct, ProxySelector.getDefault());
  }

  private static Optional<String> value(Map<String, String> environment, String lower) {
    String upper = lower.toUpperCase(Locale.ROOT);
    return Optional.ofNullable(environment.get(lower))
        .or(() -> Optional.ofNullable(environment.get(upper)))
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  private static InetSocketAddress address(String name, String text) {
    URI uri;
    try {
      uri = URI.create(text.contains("://") ? text : "http://" + text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + " is not the address of a proxy; write it like http://proxy.example.org:3128", e);
    }
    if (uri.getHost() == null || !"http".equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException(
          "%s names a proxy that is not spoken to by http; write it like http://proxy.example.org:3128"
              .formatted(name));
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "%s holds a user and password, which are not supported; use a proxy on this machine that"
                  .formatted(name)
              + " adds them");
    }
    return InetSocketAddress.createUnresolved(
        uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort());
  }

  @Override
  public List<Proxy> select(URI uri) {
    String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
    if (direct.stream().anyMatch(entry -> covers(entry, host))) {
      return List.of(Proxy.NO_PROXY);
    }
    InetSocketAddress proxy =
        byScheme.get(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
    if (proxy != null) {
      // the name is looked up now, so that a proxy whose address changes is found again
      return List.of(
          new Proxy(
              Proxy.Type.HTTP, new InetSocketAddress(proxy.getHostString(), proxy.getPort())));
    }
    return others.map(selector -> selector.select(uri)).orElse(List.of(Proxy.NO_PROXY));
  }

  /** An entry stands for a host and all beneath it, with or without a dot or star in front. */
  private static boolean covers(String entry, String host) {
    String name = entry.replaceFirst("^\\*?\\.", "");
    return entry.equals("*") || host.equals(name) || host.endsWith("." + name);
  }

  @Override
  public void connectFailed(URI uri, SocketAddress proxy, IOException failure) {
    others.ifPresent(selector -> selector.connectFailed(uri, proxy, failure));
  }
}

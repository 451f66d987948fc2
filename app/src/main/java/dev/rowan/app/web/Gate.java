package dev.rowan.app.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may be answered at all.
 *
 * <p>A server on this machine can be reached by every page that the user's browser shows. Three
 * checks keep those out. <b>Host</b>: it must be {@code localhost}, an address written in numbers,
 * or the name that the server was told to listen on; a foreign name that was made to point here
 * (DNS rebinding) is none of them. <b>Origin</b> and {@code Sec-Fetch-Site}: what another site's
 * page asks for is refused, even where it could not read the answer. <b>Token</b>: where one is
 * set, everything but a refusal needs it, as a header or as the cookie that the first visit left.
 */
final class Gate {
  /** The cookie that holds the token. */
  static final String COOKIE = "rowan_access";

  /** The parameter that a first visit may bring the token in. */
  static final String PARAMETER = "access";

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+\\]");
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

  private final String listening;
  private final Optional<String> token;

  Gate(ExplorerSettings settings) {
    this.listening = settings.host().toLowerCase(Locale.ROOT);
    this.token = settings.token();
  }

  /**
   * The parts of a request that decide.
   *
   * @param hosts every Host header
   * @param page whether a page is asked for, not data
   * @param cookies the cookies named {@link #COOKIE}
   */
  record Asker(
      List<String> hosts,
      @Nullable String origin,
      @Nullable String fetchSite,
      @Nullable String fetchMode,
      boolean page,
      @Nullable String authorization,
      List<String> cookies) {}

  /**
   * Checks host and origin.
   *
   * @throws Refusal if either is foreign
   */
  void checkOrigin(Asker asker) {
    if (asker.hosts().size() != 1 || !isOurs(asker.hosts().getFirst())) {
      throw new Refusal(
          421,
          "this server answers to localhost, to addresses in numbers and to %s, not to the host that was asked for"
              .formatted(listening));
    }
    String host = asker.hosts().getFirst();
    String origin = asker.origin();
    if (origin != null && !isSame(origin, host)) {
      throw new Refusal(403, "pages of other sites may not ask this server");
    }
    String site = asker.fetchSite();
    boolean foreign = "cross-site".equals(site) || "same-site".equals(site);
    boolean link = asker.page() && "navigate".equals(asker.fetchMode());
    if (foreign && !link) {
      throw new Refusal(403, "pages of other sites may not ask this server");
    }
  }

  /**
   * Checks the token, if there is one.
   *
   * @throws Refusal if it is missing or wrong
   */
  void checkToken(Asker asker) {
    if (token.isEmpty()) {
      return;
    }
    String header = asker.authorization();
    boolean shown =
        (header != null && header.startsWith("Bearer ") && isToken(header.substring(7)))
            || asker.cookies().stream().anyMatch(this::isToken);
    if (!shown) {
      throw new Refusal(
          401,
          "this server wants its token: open the address that it printed when it started, or send Authorization: Bearer");
    }
  }

  /** Returns whether this is the token; takes as long for a wrong one. */
  boolean isToken(String shown) {
    return token.isPresent()
        && MessageDigest.isEqual(
            shown.getBytes(StandardCharsets.UTF_8), token.get().getBytes(StandardCharsets.UTF_8));
  }

  private boolean isOurs(String hostAndPort) {
    String name = PORT.matcher(hostAndPort.toLowerCase(Locale.ROOT)).replaceFirst("");
    return name.equals("localhost")
        || IPV4.matcher(name).matches()
        || IPV6.matcher(name).matches()
        || name.equals(listening);
  }

  private static boolean isSame(String origin, String host) {
    return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
  }
}

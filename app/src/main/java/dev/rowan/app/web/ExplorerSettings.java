package dev.rowan.app.web;

import dev.rowan.core.OutOfRange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the explorer listens and who may ask it.
 *
 * @param host the name or address to listen on
 * @param port the port, 0 for any free one
 * @param token what a visitor has to show; needed unless {@code host} is this machine alone
 * @param roots folders whose models a visitor may open; none by default
 */
public record ExplorerSettings(String host, int port, Optional<String> token, List<Path> roots) {
  private static final int LEAST_TOKEN = 16;

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if the port is out of range, the token too short to keep
   *     anybody out, or missing where other machines can connect
   */
  public ExplorerSettings {
    roots = List.copyOf(roots);
    OutOfRange.check(
        port >= 0 && port <= 65_535, "port", port, "0 to 65,535, 0 for any that is free");
    if (token.isPresent() && token.get().length() < LEAST_TOKEN) {
      throw new IllegalArgumentException(
          "the token has %d characters; it takes %d or more, such as the output of openssl rand -hex 16"
              .formatted(token.get().length(), LEAST_TOKEN));
    }
    if (token.isPresent() && !token.get().matches("[A-Za-z0-9._~-]+")) {
      throw new IllegalArgumentException(
          "the token may hold letters, digits and . _ ~ - only, since it travels in addresses");
    }
    if (token.isEmpty() && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "host %s lets other machines in; give a token that they have to show".formatted(host));
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("host %s is not known here".formatted(host), e);
    }
  }
}

package dev.rowan.hub;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Speaks HTTP. Follows redirects itself, so that the token goes to the endpoint's origin and never
 * to another, and never from https to http; gives up on a server that falls silent. Safe for any
 * number of threads.
 */
final class Transport implements AutoCloseable {
  private static final int MOST_REDIRECTS = 10;
  private static final int ERROR_TEXT = 2048;

  private final HubSettings settings;
  private final HttpClient client;

  Transport(HubSettings settings) {
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            // ranges side by side want connections of their own, which HTTP/2 would fold into one
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.patience().connect())
            .proxy(settings.proxies())
            .build();
  }

  /** Decides, from status and headers of a success, what takes its bytes. */
  interface Opening {
    Sink open(Reply reply) throws IOException;
  }

  HubSettings settings() {
    return settings;
  }

  /**
   * Asks once, following redirects.
   *
   * @throws HubException if redirects lead nowhere good
   * @throws IOException if the connection fails or falls silent
   * @throws CancellationException if this thread is interrupted
   */
  Reply get(URI start, Map<String, String> headers, Opening opening) throws IOException {
    if (settings.offline()) {
      throw new HubException(
          "HF_HUB_OFFLINE is set, so %s is not asked; unset it or use a model that is in the cache"
              .formatted(Addresses.host(start)));
    }
    URI uri = start;
    Optional<HttpHeaders> first = Optional.empty();
    for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
      Reply reply = once(uri, headers, first, opening);
      Optional<String> location = reply.header("Location");
      if (!isRedirect(reply.status()) || location.isEmpty()) {
        return reply;
      }
      first = Optional.of(first.orElse(reply.headers()));
      uri = next(uri, location.get());
    }
    throw new HubException(
        "%s redirects more than %d times".formatted(Addresses.shown(start), MOST_REDIRECTS));
  }

  private static boolean isRedirect(int status) {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> true;
      default -> false;
    };
  }

  private static URI next(URI from, String location) throws HubException {
    URI to;
    try {
      to = from.resolve(location);
    } catch (IllegalArgumentException e) {
      throw new HubException(
          "%s redirects to something that is no address".formatted(Addresses.shown(from)), e);
    }
    boolean weaker = "https".equalsIgnoreCase(from.getScheme()) && !"https".equals(to.getScheme());
    if (to.getHost() == null || !Addresses.isSafe(to) || weaker) {
      throw new HubException(
          "%s redirects to %s, which is not https; it is not followed"
              .formatted(Addresses.shown(from), Addresses.shown(to)));
    }
    return to;
  }

  private Reply once(
      URI uri, Map<String, String> headers, Optional<HttpHeaders> first, Opening opening)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(settings.patience().stall())
            .header("User-Agent", "rowan")
            .header("Accept-Encoding", "identity");
    headers.forEach(request::header);
    if (settings.token().isPresent() && Addresses.sameOrigin(uri, settings.endpoint())) {
      request.header("Authorization", settings.token().get().authorization());
    }
    AtomicLong last = new AtomicLong(System.nanoTime());
    Runnable alive = () -> last.set(System.nanoTime());
    ErrorText text = new ErrorText();
    AtomicReference<@Nullable Intake> intake = new AtomicReference<>();
    AtomicReference<@Nullable Exception> refused = new AtomicReference<>();
    CompletableFuture<HttpResponse<Void>> future =
        client.sendAsync(
            request.build(),
            info -> {
              alive.run();
              long length = length(info.headers());
              if (info.statusCode() / 100 != 2) {
                return new Intake(text, length, alive);
              }
              try {
                HttpHeaders own = info.headers();
                Reply reply = new Reply(info.statusCode(), own, uri, first.orElse(own), "");
                Intake open = new Intake(opening.open(reply), length, alive);
                intake.set(open);
                return open;
              } catch (IOException | RuntimeException e) {
                refused.set(e);
                return new Intake(_ -> false, -1, alive);
              }
            });
    HttpResponse<Void> response;
    try {
      response = await(future, last, uri);
    } finally {
      Intake open = intake.get();
      if (open != null) {
        open.shut();
      }
    }
    switch (refused.get()) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new IllegalStateException("an opening threw something else");
    }
    HttpHeaders own = response.headers();
    return new Reply(response.statusCode(), own, uri, first.orElse(own), text.text());
  }

  /** Returns how long a body is said to be, −1 if it is not said. */
  private static long length(HttpHeaders headers) {
    return headers
        .firstValue("Content-Length")
        .filter(text -> text.matches("\\d{1,18}"))
        .map(Long::parseLong)
        .orElse(-1L);
  }

  private HttpResponse<Void> await(
      CompletableFuture<HttpResponse<Void>> future, AtomicLong last, URI uri) throws IOException {
    long stall = settings.patience().stall().toNanos();
    while (true) {
      try {
        long left = stall - (System.nanoTime() - last.get());
        return future.get(Math.max(left, 1), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() - last.get() >= stall) {
          future.cancel(true);
          throw silent(uri, e);
        }
      } catch (InterruptedException e) {
        future.cancel(true);
        Thread.currentThread().interrupt();
        throw cancelled(e);
      } catch (ExecutionException e) {
        throw failure(e, uri);
      }
    }
  }

  /** Returns what to throw when this thread is interrupted. */
  static CancellationException cancelled(InterruptedException e) {
    CancellationException cancelled = new CancellationException("interrupted");
    cancelled.initCause(e);
    return cancelled;
  }

  private IOException silent(URI uri, Exception cause) {
    return new SilentException(
        "%s fell silent for %d seconds"
            .formatted(Addresses.host(uri), settings.patience().stall().toSeconds()),
        cause);
  }

  private IOException failure(ExecutionException thrown, URI uri) {
    String host = Addresses.host(uri);
    return switch (thrown.getCause()) {
      case Intake.LocalFailure local -> new LocalException(local.reason());
      case HttpConnectTimeoutException e ->
          new ConnectException("%s did not answer in time".formatted(host), e);
      case HttpTimeoutException e -> silent(uri, e);
      case java.net.ConnectException e ->
          e.getCause() instanceof UnresolvedAddressException
              ? new ConnectException("no address is known for %s".formatted(onTheWay(uri)), e)
              : new ConnectException("%s cannot be reached".formatted(onTheWay(uri)), e);
      case SSLException e when Handshake.isFinal(e) -> Handshake.refusal(host, e);
      case IOException e ->
          new IOException("the connection to %s broke: %s".formatted(host, e.getMessage()), e);
      // java.net.http parses lengths without a catch
      case NumberFormatException e ->
          new IOException(
              "%s answers with a length that is no number: %s".formatted(host, e.getMessage()), e);
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> new IOException("asking %s failed".formatted(host), thrown);
    };
  }

  /** Returns who is connected to: a host, or the proxy that leads to it. */
  private String onTheWay(URI uri) {
    return settings.proxies().select(uri).stream()
        .map(Proxy::address)
        .filter(InetSocketAddress.class::isInstance)
        .map(InetSocketAddress.class::cast)
        .findFirst()
        .map(proxy ->
            "the proxy %s:%d, which should lead to %s,"
                .formatted(proxy.getHostString(), proxy.getPort(), Addresses.host(uri)))
        .orElse(Addresses.host(uri));
  }

  /** No connection comes about. */
  static final class ConnectException extends IOException {
    private static final long serialVersionUID = 1;

    ConnectException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Nothing came for as long as one waits. */
  static final class SilentException extends IOException {
    private static final long serialVersionUID = 1;

    SilentException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The bytes cannot be kept on this machine. */
  static final class LocalException extends IOException {
    private static final long serialVersionUID = 1;
    private final IOException reason;

    LocalException(IOException reason) {
      super(reason.getMessage(), reason);
      this.reason = reason;
    }

    IOException reason() {
      return reason;
    }
  }

  /** Keeps the beginning of what an error says. */
  private static final class ErrorText implements Sink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public synchronized boolean take(ByteBuffer buffer) {
      byte[] more = new byte[Math.min(buffer.remaining(), ERROR_TEXT - bytes.size())];
      buffer.get(more);
      bytes.writeBytes(more);
      return bytes.size() < ERROR_TEXT;
    }

    synchronized String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}

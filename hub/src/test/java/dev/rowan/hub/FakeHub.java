package dev.rowan.hub;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * A hub on this machine, on ports of the system's choice: one server for listings and small files,
 * another host for the large ones, to which the first redirects. It keeps a log of every request
 * and misbehaves as told.
 */
final class FakeHub implements AutoCloseable {
  static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer front;
  private final HttpServer store;
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final Map<String, Boolean> large = new ConcurrentHashMap<>();
  final List<Request> requests = new CopyOnWriteArrayList<>();
  volatile String commit = COMMIT;
  volatile Rule rule = (_, _) -> false;
  volatile boolean ranges = true;
  volatile boolean blobs = true;
  volatile boolean lieAboutDigest;

  /**
   * A request that came.
   *
   * @param host {@code front} or {@code store}
   * @param sent how many body bytes were asked for by its range; −1 without one
   */
  record Request(
      String host,
      String path,
      Optional<String> range,
      Optional<String> authorization,
      long sent) {}

  /** Answers instead of the hub; returns whether it did. */
  interface Rule {
    boolean answers(String host, HttpExchange exchange) throws IOException;
  }

  FakeHub() throws IOException {
    front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    front.setExecutor(threads);
    store.setExecutor(threads);
    front.createContext("/", exchange -> handle("front", exchange));
    store.createContext("/", exchange -> handle("store", exchange));
    front.start();
    store.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + front.getAddress().getPort());
  }

  /** The same machine under another name counts as another host. */
  URI storeAddress() {
    return URI.create("http://localhost:" + store.getAddress().getPort());
  }

  FakeHub with(String name, byte[] bytes) {
    files.put(name, bytes.clone());
    return this;
  }

  /** Adds a file that the hub keeps on the other host. */
  FakeHub withLarge(String name, byte[] bytes) {
    large.put(name, true);
    return with(name, bytes);
  }

  byte[] file(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException(name);
    }
    return bytes;
  }

  long bytesAskedOf(String name) {
    return requests.stream()
        .filter(r ->
            r.path.endsWith("/" + name)
                && r.host.equals(large.containsKey(name) ? "store" : "front"))
        .mapToLong(Request::sent)
        .sum();
  }

  List<String> ranges(String name) {
    return requests.stream()
        .filter(r -> r.host.equals("store") && r.path.endsWith("/" + name))
        .map(r -> r.range.orElse("all"))
        .toList();
  }

  private void handle(String host, HttpExchange exchange) throws IOException {
    try (exchange) {
      Optional<String> range = header(exchange, "Range");
      String path = exchange.getRequestURI().getPath();
      requests.add(
          new Request(
              host,
              path,
              range,
              header(exchange, "Authorization"),
              range.map(FakeHub::length).orElse(-1L)));
      if (rule.answers(host, exchange)) {
        return;
      }
      if (host.equals("store")) {
        sendFile(exchange, path.substring(1));
      } else if (path.startsWith("/api/models/owner/name/revision/")) {
        sendListing(exchange);
      } else if (path.startsWith("/owner/name/resolve/" + commit + "/")) {
        resolve(exchange, path.substring(("/owner/name/resolve/" + commit + "/").length()));
      } else if (path.startsWith("/plain/")) {
        sendFile(exchange, path.substring("/plain/".length()));
      } else {
        exchange.getResponseHeaders().set("X-Error-Code", "RepoNotFound");
        send(exchange, 404, "{\"error\":\"Repository not found\"}");
      }
    }
  }

  /** Answers with a part of a file, of which only the first bytes come. */
  static void beginPart(HttpExchange exchange, byte[] file, int bytes) throws IOException {
    String range = header(exchange, "Range").orElseThrow().substring("bytes=".length());
    exchange.getResponseHeaders().set("Content-Range", "bytes " + range + "/" + file.length);
    String[] ends = range.split("-", -1);
    int from = Integer.parseInt(ends[0]);
    int count = Integer.parseInt(ends[1]) + 1 - from;
    exchange.sendResponseHeaders(206, count);
    exchange.getResponseBody().write(file, from, Math.min(bytes, count));
    exchange.getResponseBody().flush();
  }

  static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private static long length(String range) {
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    return ends[1].isEmpty() ? -1 : Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
  }

  private void resolve(HttpExchange exchange, String name) throws IOException {
    byte[] bytes = files.get(name);
    exchange.getResponseHeaders().set("X-Repo-Commit", commit);
    if (bytes == null) {
      exchange.getResponseHeaders().set("X-Error-Code", "EntryNotFound");
      send(exchange, 404, "Entry not found");
    } else if (large.containsKey(name)) {
      exchange.getResponseHeaders().set("X-Linked-Size", Integer.toString(bytes.length));
      exchange.getResponseHeaders().set("X-Linked-ETag", '"' + digest(name) + '"');
      exchange
          .getResponseHeaders()
          .set("Location", storeAddress() + "/" + name + "?signature=secret");
      exchange.sendResponseHeaders(302, -1);
    } else {
      exchange.getResponseHeaders().set("ETag", '"' + blob(bytes) + '"');
      sendFile(exchange, name);
    }
  }

  private void sendFile(HttpExchange exchange, String name) throws IOException {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      send(exchange, 404, "not here");
      return;
    }
    if (exchange.getResponseHeaders().getFirst("ETag") == null) {
      exchange
          .getResponseHeaders()
          .set("ETag", "\"version-of-" + sha256(bytes).substring(0, 8) + "\"");
    }
    Optional<String> range = ranges ? header(exchange, "Range") : Optional.empty();
    if (range.isEmpty()) {
      exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
      write(exchange, bytes, 0, bytes.length);
      return;
    }
    String[] ends = range.get().substring("bytes=".length()).split("-", -1);
    int from = Integer.parseInt(ends[0]);
    int to =
        ends[1].isEmpty() ? bytes.length : Math.min(Integer.parseInt(ends[1]) + 1, bytes.length);
    if (from >= bytes.length) {
      exchange.getResponseHeaders().set("Content-Range", "bytes */" + bytes.length);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    exchange
        .getResponseHeaders()
        .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, bytes.length));
    exchange.sendResponseHeaders(206, to - from);
    write(exchange, bytes, from, to - from);
  }

  private static void write(HttpExchange exchange, byte[] bytes, int from, int count) {
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes, from, count);
    } catch (IOException e) {
      // the client has read enough and hung up, which some tests are about
      exchange.close();
    }
  }

  /** Sends half of the range that is asked for, and closes. */
  static void sendHalf(HttpExchange exchange, byte[] file) throws IOException {
    String range = header(exchange, "Range").orElseThrow().substring("bytes=".length());
    int count = (int) length("bytes=" + range);
    exchange.getResponseHeaders().set("Content-Range", "bytes " + range + "/" + file.length);
    exchange.sendResponseHeaders(206, count);
    exchange
        .getResponseBody()
        .write(file, Integer.parseInt(range.substring(0, range.indexOf('-'))), count / 2);
    exchange.getResponseBody().flush();
  }

  private void sendListing(HttpExchange exchange) throws IOException {
    String siblings =
        files.entrySet().stream()
            .map(e -> sibling(e.getKey(), e.getValue()))
            .collect(Collectors.joining(","));
    send(
        exchange,
        200,
        "{\"id\":\"owner/name\",\"sha\":\"%s\",\"siblings\":[%s]}".formatted(commit, siblings));
  }

  private String sibling(String name, byte[] bytes) {
    if (!blobs) {
      return "{\"rfilename\":\"%s\"}".formatted(name);
    }
    String pointer = "f".repeat(40);
    return large.containsKey(name)
        ? "{\"rfilename\":\"%s\",\"size\":%d,\"blobId\":\"%s\",\"lfs\":{\"sha256\":\"%s\",\"size\":%d,\"pointerSize\":134}}"
            .formatted(name, bytes.length, pointer, digest(name), bytes.length)
        : "{\"rfilename\":\"%s\",\"size\":%d,\"blobId\":\"%s\"}"
            .formatted(name, bytes.length, lieAboutDigest ? pointer : blob(bytes));
  }

  private String digest(String name) {
    return lieAboutDigest ? "0".repeat(64) : sha256(file(name));
  }

  static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    write(exchange, bytes, 0, bytes.length);
  }

  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(algorithm("SHA-256").digest(bytes));
  }

  static String blob(byte[] bytes) {
    MessageDigest digest = algorithm("SHA-1");
    digest.update(("blob " + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(bytes));
  }

  private static MessageDigest algorithm(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  List<Request> asked(String host) {
    return new ArrayList<>(requests).stream().filter(r -> r.host.equals(host)).toList();
  }

  @Override
  public void close() {
    front.stop(0);
    store.stop(0);
    threads.shutdownNow();
  }
}

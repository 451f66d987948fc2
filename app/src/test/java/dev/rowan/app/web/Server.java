package dev.rowan.app.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A running explorer on a free port, and two ways to talk to it: well-behaved and raw. */
final class Server implements AutoCloseable {
  private final SmallModel model = new SmallModel();
  private final SmallModel large = SmallModel.ofRandomRows(1500);
  private final SmallModel turned = SmallModel.turned();
  private final Explorer explorer;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  Server() throws IOException {
    this(Optional.empty());
  }

  Server(Optional<String> token) throws IOException {
    this(token, TrainingPlaces.NONE);
  }

  Server(Optional<String> token, TrainingPlaces places) throws IOException {
    explorer =
        Explorer.start(
            new ExplorerSettings("127.0.0.1", 0, token, List.of()),
            new ServedModels(models(), List.of(), SmallModel::ofFile),
            places);
  }

  private Map<String, SmallModel> models() {
    Map<String, SmallModel> models = new LinkedHashMap<>();
    models.put("small", model);
    models.put("large", large);
    models.put("turned", turned);
    return models;
  }

  int port() {
    return explorer.port();
  }

  String address() {
    return explorer.address();
  }

  HttpResponse<String> get(String path, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(20));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Sends JSON. */
  HttpResponse<String> post(String path, String body, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(20))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    List<String> all = new ArrayList<>(List.of(headers));
    if (!all.contains("Content-Type")) {
      all.addAll(List.of("Content-Type", "application/json"));
    }
    request.headers(all.toArray(String[]::new));
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Returns a JSON answer. */
  Object json(String path) throws IOException {
    HttpResponse<String> response = get(path);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.body());
    }
    return JsonTree.parse(response.body());
  }

  /** Returns the message of a question that is refused as wrongly put. */
  String refusal(String path) throws IOException {
    HttpResponse<String> response = get(path);
    if (response.statusCode() != 400) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return String.valueOf(JsonTree.at(JsonTree.parse(response.body()), "error", "message"));
  }

  /** Sends bytes as they are and returns what comes back until the server closes. */
  String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(10_000);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        socket.shutdownOutput();
      } catch (IOException _) {
        // the server may close before it has read everything; what it said counts
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      int read;
      try {
        while ((read = socket.getInputStream().read(buffer)) > 0) {
          answer.write(buffer, 0, read);
        }
      } catch (IOException _) {
        // a reset after the answer
      }
      return answer.toString(StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    client.close();
    explorer.close();
    model.close();
    large.close();
    turned.close();
  }
}

package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowSendersTest {
  private static final Duration PATIENCE = Duration.ofMillis(900);
  private static final int PACE_MILLIS = 60; // well within the idle time

  private static final String POST =
      "POST /api/v1/training/start HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";

  private final SmallModel model = new SmallModel();

  @SuppressWarnings("NullAway.Init") // set before each test
  private Explorer explorer;

  @BeforeEach
  void start() throws IOException {
    explorer =
        Explorer.start(
            new ExplorerSettings("127.0.0.1", 0, Optional.empty(), List.of()),
            new ServedModels(Map.of("small", model), List.of(), SmallModel::ofFile),
            TrainingPlaces.NONE,
            PATIENCE);
  }

  @AfterEach
  void stop() {
    explorer.close();
    model.close();
  }

  /** Sends a beginning, then a byte now and then; returns after how long the server hung up. */
  private Duration untilHungUp(String beginning, String drop) throws IOException {
    long began = System.nanoTime();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), explorer.port())) {
      socket.setSoTimeout(PACE_MILLIS);
      socket.setTcpNoDelay(true);
      socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
      while (System.nanoTime() - began < Duration.ofSeconds(20).toNanos()) {
        try {
          if (socket.getInputStream().read() < 0) {
            break; // anything else it says is an answer before it hangs up
          }
        } catch (SocketTimeoutException _) {
          socket.getOutputStream().write(drop.getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException _) {
      // it hung up while a byte was on its way
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "GET /", "POST"})
  void whoSendsByteByByteIsHungUpOn(String beginning) throws IOException {
    String begun = beginning.equals("POST") ? POST.formatted(100_000) : beginning;
    assertThat(untilHungUp(begun, " "))
        .isBetween(PATIENCE.multipliedBy(9).dividedBy(10), Duration.ofSeconds(10));
  }

  @Test
  void whoSaysNothingIsHungUpOn() throws IOException {
    assertThat(untilHungUp("GET / HTTP/1.1\r\n", "")).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void othersAreAnsweredMeanwhile() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client = HttpClient.newHttpClient()) {
      List<Future<Duration>> slow = new ArrayList<>();
      for (int i = 0; i < 300; i++) { // more than questions that are answered at once
        slow.add(clients.submit(() -> untilHungUp(POST.formatted(5000), " ")));
      }
      HttpRequest question =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + explorer.port() + "/api/v1/near?token=east&k=1"))
              .timeout(Duration.ofSeconds(5))
              .build();
      while (slow.stream().anyMatch(future -> !future.isDone())) {
        HttpResponse<String> answer = client.send(question, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      for (Future<Duration> one : slow) {
        assertThat(one.get()).isLessThan(Duration.ofSeconds(15));
      }
    }
  }
}

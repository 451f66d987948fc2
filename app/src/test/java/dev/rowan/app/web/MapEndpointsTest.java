package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class MapEndpointsTest extends ServerFixture {
  /** Runs for minutes unless somebody ends it. */
  private static final String LONG = "/api/v1/map?method=tsne&iterations=10000&first=1500";

  @Test
  void mapOfTwoDimensionsKeepsEveryDistance() throws IOException {
    Object ready =
        event("map", server.get("/api/v1/map?words=east+north+between+west+soup").body());
    double first = JsonTree.number(ready, "variance", 0);
    double second = JsonTree.number(ready, "variance", 1);
    // rows of width two lie in a plane
    assertThat(first + second).isCloseTo(1, within(1e-9));
    assertThat(JsonTree.at(ready, "points")).isEqualTo(4L);
    assertThat(JsonTree.at(ready, "listed", "leftOut")).isEqualTo(List.of("soup"));
    Object tokens = server.json("/api/v1/map/tokens?key=" + JsonTree.at(ready, "key"));
    assertThat(JsonTree.at(tokens, "tokens"))
        .isEqualTo(List.of("east", "north", "between", "west"));
    String points = server.get("/api/v1/map/points?key=" + JsonTree.at(ready, "key")).body();
    assertThat(points).isNotEmpty();
  }

  @Test
  void eventsAreAsTheyAreDescribed() throws IOException {
    Object document = server.json("/api/v1/openapi.json");
    List<String> wrong = new ArrayList<>();
    JsonTree.check(
        event("map", server.get("/api/v1/map?words=east+north+west").body()),
        Map.of("$ref", "#/components/schemas/Mapped"),
        document,
        "map",
        wrong);
    assertThat(wrong).isEmpty();
  }

  @Test
  void refusesWhatCannotBeMapped() throws IOException {
    HttpResponse<String> none = server.get("/api/v1/map?words=soup");
    assertThat(none.statusCode()).isEqualTo(400);
    assertThat(none.body()).contains("none of the words");
    assertThat(server.get("/api/v1/map/points?key=nothing").statusCode()).isEqualTo(404);
    assertThat(server.get("/api/v1/map?method=tsne&perplexity=0").body()).contains("[1, 1000]");
  }

  @Test
  void jobEndsWhenItsVisitorLeaves() throws Exception {
    for (int visit = 0; visit < 3; visit++) { // more visits than jobs that may run
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.setSoTimeout(20_000);
        socket
            .getOutputStream()
            .write(
                ("GET " + LONG + "&model=large HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String line;
        do {
          line = reader.readLine();
        } while (line != null && !line.equals("event: frame"));
        assertThat(line).isEqualTo("event: frame");
        assertThat(jobs()).isEqualTo(1);
      }
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (jobs() > 0 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      assertThat(jobs()).isZero();
    }
  }

  private static long jobs() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("rowan-job"))
        .count();
  }
}

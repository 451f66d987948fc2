package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExplorerTest {
  private static final String NEAR = "/api/v1/near?token=east&k=2";

  @SuppressWarnings("NullAway.Init") // set before any test
  private static Server server;

  @BeforeAll
  static void start() throws IOException {
    server = new Server();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void neighboursAreTheCosinesOfTheHead() throws IOException {
    Object near = server.json("/api/v1/near?token=east&k=3");
    // east (1,0): between (3,4) has cosine 3/5, north and nowhere 0 with the lower id first
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 0, "token")).isEqualTo("between");
    assertThat((Double) JsonTree.at(near, "results", 0, "neighbours", 0, "score")).isEqualTo(0.6);
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 1, "token")).isEqualTo("north");
    // ten pairs: ±1 once, 0.6, 0.8, −0.6, the rest 0: (0.6 + 0.8 − 0.6 − 1) / 10
    assertThat((Double) JsonTree.at(near, "results", 0, "baseline")).isCloseTo(-0.02, within(1e-7));
  }

  @Test
  void centringTakesTheMeanRowAway() throws IOException {
    Object near = server.json("/api/v1/near?token=east&k=1&centred=true");
    // mean (0.6, 1.2): east becomes (0.4, −1.2), west (−1.6, −1.2), nowhere (−0.6, −1.2)
    double nowhere = (0.4 * -0.6 + 1.2 * 1.2) / (Math.hypot(0.4, 1.2) * Math.hypot(0.6, 1.2));
    assertThat(JsonTree.at(near, "results", 0, "neighbours", 0, "token")).isEqualTo("nowhere");
    assertThat((Double) JsonTree.at(near, "results", 0, "neighbours", 0, "score"))
        .isCloseTo(nowhere, within(1e-6));
  }

  @Test
  void histogramCountsEveryOtherRow() throws IOException {
    Object histogram = server.json("/api/v1/histogram?token=east&bins=4");
    // −1 in the first quarter, the two zeros in the third, 0.6 in the last
    assertThat(JsonTree.at(histogram, "counts")).isEqualTo(List.of(1L, 0L, 2L, 1L));
    assertThat((Double) JsonTree.at(histogram, "mean")).isCloseTo(-0.1, within(1e-12));
  }

  @Test
  void axisPlacesItsEndsAtZeroAndOne() throws IOException {
    Object axis =
        server.json(
            "/api/v1/axis?from=west&to=east&word=east&word=west&word=north&word=between&word=xyz");
    assertThat(JsonTree.at(axis, "leftOut")).isEqualTo(List.of("xyz"));
    assertThat(JsonTree.at(axis, "words", 0, "token")).isEqualTo("west");
    assertThat(JsonTree.number(axis, "words", 0, "position")).isEqualTo(0);
    // rows at unit norm: north (0, 1) is (1, 1) from west, along (2, 0) by 2 of 4
    assertThat(JsonTree.at(axis, "words", 1, "token")).isEqualTo("north");
    assertThat(JsonTree.number(axis, "words", 1, "position")).isEqualTo(0.5);
    assertThat(JsonTree.number(axis, "words", 1, "cosine"))
        .isCloseTo(Math.sqrt(0.5), within(1e-12));
    // between (0.6, 0.8) is (1.6, 0.8) from west
    assertThat(JsonTree.number(axis, "words", 2, "position")).isCloseTo(0.8, within(1e-7));
    assertThat(JsonTree.number(axis, "words", 3, "position")).isEqualTo(1); // east
    assertThat(JsonTree.at(axis, "forward", 0, "token")).isEqualTo("between");
  }

  @Test
  void tellsHowAlikeTwoTokensAre() throws IOException {
    Object alike = server.json("/api/v1/similar?token=east&token=between");
    assertThat(JsonTree.number(alike, "cosine")).isEqualTo(0.6);
    assertThat(JsonTree.number(alike, "dot")).isEqualTo(3);
    assertThat(JsonTree.number(alike, "distance")).isCloseTo(Math.sqrt(20), within(1e-12));
    assertThat(JsonTree.at(alike, "rankFromA")).isEqualTo(1L); // nearest of east
    assertThat(JsonTree.at(alike, "rankFromB")).isEqualTo(2L); // north, by 0.8, is nearer
    assertThat(message("/api/v1/similar?token=east")).contains("two tokens");
  }

  @Test
  void findsTheOddOneOut() throws IOException {
    Object odd = server.json("/api/v1/doesnt-match?token=north&token=between&token=west&token=xyz");
    // the mean of (0, 1), (0.6, 0.8) and (−1, 0) points to (−0.4, 1.8)
    double norm = Math.hypot(0.4, 1.8);
    assertThat(JsonTree.at(odd, "ranked", 0, "token")).isEqualTo("west");
    assertThat(JsonTree.number(odd, "ranked", 0, "score")).isCloseTo(0.4 / norm, within(1e-7));
    assertThat(JsonTree.number(odd, "ranked", 2, "score")).isCloseTo(1.8 / norm, within(1e-7));
    assertThat(JsonTree.at(odd, "leftOut")).isEqualTo(List.of("xyz"));
  }

  @Test
  void tellsWhatTheTablesCost() throws IOException {
    Object params = server.json("/api/v1/params");
    assertThat(JsonTree.at(params, "tableParameters")).isEqualTo(10L); // 5 × 2, tied
    assertThat(JsonTree.number(params, "shareOfModel")).isEqualTo(0.5); // of 20
    assertThat(JsonTree.at(params, "secondTableBytes")).isEqualTo(40L);
    assertThat(JsonTree.at(params, "comparison")).isNull();
  }

  @Test
  void geometryNamesTheDirectionsInWhichRowsDiffer() throws IOException {
    Object geometry = MapEndpointsTest.event("geometry", server.get("/api/v1/geometry").body());
    // two dimensions: two directions hold all the variance
    assertThat(
            JsonTree.number(geometry, "topDirections", 0, "share")
                + JsonTree.number(geometry, "topDirections", 1, "share"))
        .isCloseTo(1, within(1e-9));
    // the mean row is (0.6, 1.2)
    assertThat(JsonTree.number(geometry, "meanRowNorm"))
        .isCloseTo(Math.hypot(0.6, 1.2), within(1e-6));
    List<String> wrong = new ArrayList<>();
    JsonTree.check(
        geometry,
        Map.of("$ref", "#/components/schemas/Geometry"),
        server.json("/api/v1/openapi.json"),
        "geometry",
        wrong);
    assertThat(wrong).isEmpty();
  }

  @Test
  void pictureOfAnAnalogyIsAParallelogram() throws IOException {
    Object told = server.json("/api/v1/analogy?expression=east%20-%20nowhere%20%2B%20north&k=1");
    assertThat(JsonTree.at(told, "picture", 0, "x")).isEqualTo(1.0); // a, along the first axis
    assertThat(JsonTree.at(told, "picture", 2, "y")).isEqualTo(2.0); // c, along the second
    assertThat(JsonTree.at(told, "picture", 3, "x")).isEqualTo(1.0); // the sum
    assertThat(JsonTree.at(told, "picture", 3, "y")).isEqualTo(2.0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:7171",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "",
        "127.0.0.1\r\nHost: evil.example"
      })
  void refusesForeignHost(String host) throws IOException {
    String answer = server.raw("GET " + NEAR + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertThat(answer).matches("(?s)HTTP/1\\.1 4\\d\\d .*").doesNotContain("between");
  }

  @Test
  void refusesRequestWithoutHost() throws IOException {
    assertThat(server.raw("GET " + NEAR + " HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.1 421")
        .doesNotContain("between");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1:1", "[::1]:7171", "LOCALHOST:9", "192.168.1.7"})
  void answersLocalAndNumericHosts(String host) throws IOException {
    assertThat(
            server.raw(
                "GET " + NEAR + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200")
        .contains("between");
  }

  @Test
  void refusesForeignOrigins() throws IOException {
    for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "file://")) {
      HttpResponse<String> response = server.get(NEAR, "Origin", origin);
      assertThat(response.statusCode()).as(origin).isEqualTo(403);
      assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }
    assertThat(server.get(NEAR, "Origin", "http://127.0.0.1:" + server.port()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void refusesWhatOtherSitesEmbed() throws IOException {
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(server.get(NEAR, "Sec-Fetch-Site", site).statusCode()).isEqualTo(403);
      // a link to data is refused, a link to a page is followed
      assertThat(
              server.get(NEAR, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate").statusCode())
          .isEqualTo(403);
      assertThat(
              server.get("/map", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate").statusCode())
          .isIn(200, 503); // 503 where the pages were not built
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../../../etc/passwd",
        "/assets/../../../../etc/passwd",
        "/assets/..%2f..%2f..%2fetc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%5c..%5cetc%5cpasswd",
        "/assets/%00",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/files.txt",
        "/api/v1/../../etc/passwd",
        "/api/v1/info?model=../../etc/passwd",
        "/api/v1/info?model=/etc/passwd",
        "/api/v1/info?model=hf:owner/name",
        "/package-info.class",
        "/META-INF/MANIFEST.MF"
      })
  void noPathLeavesTheList(String path) throws IOException {
    String answer =
        server.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer).matches("(?s)HTTP/1\\.1 40[04] .*").doesNotContain("root:");
  }

  @Test
  void refusesOtherMethodsAndBodies() throws IOException {
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "X")) {
      assertThat(
              server.raw(
                  method
                      + " "
                      + NEAR
                      + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .as(method)
          .matches("(?s)HTTP/1\\.1 (405|400) .*");
    }
    assertThat(
            server.raw(
                "GET "
                    + NEAR
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx"))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void refusesHugeHeadersAndAddresses() throws IOException {
    String long100k = "x".repeat(100_000);
    assertThat(server.raw("GET /?a=" + long100k + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .matches("(?s)HTTP/1\\.1 4(14|31) .*");
    assertThat(server.raw("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + long100k + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431");
  }

  @Test
  void parametersAreCheckedAndTheMessageSaysTheRange() throws IOException {
    assertThat(message("/api/v1/near")).contains("token is missing");
    assertThat(message("/api/v1/near?token=east&k=-1")).contains("[0, 1000]");
    assertThat(message("/api/v1/near?token=east&k=99999999999999999999")).contains("[0, 1000]");
    assertThat(message("/api/v1/near?token=east&metric=taxi")).contains("cosine, dot, euclidean");
    assertThat(message("/api/v1/near?token=east&centred=maybe")).contains("true or false");
    assertThat(message("/api/v1/near?token=east&colour=red")).contains("\"colour\"");
    assertThat(message("/api/v1/near?token=east&k=1&k=2")).contains("given 2 times");
    assertThat(message("/api/v1/near?token=" + "a".repeat(501))).contains("500 at most");
    assertThat(message("/api/v1/near?" + "token=east&".repeat(17))).contains("16 at most");
    assertThat(message("/api/v1/near?token=%23%F0%9F%98%80")).contains("no token");
    assertThat(message("/api/v1/near?token=soup")).contains("no token \"soup\"");
    assertThat(message("/api/v1/panel?from=6")).contains("[0, 5]");
    assertThat(message("/api/v1/analogy?expression=east%20-")).contains("ends without a token");
  }

  private static String message(String path) throws IOException {
    HttpResponse<String> response = server.get(path);
    assertThat(response.statusCode()).as(path).isEqualTo(400);
    return String.valueOf(JsonTree.at(JsonTree.parse(response.body()), "error", "message"));
  }

  @Test
  void refusesParametersThatAreNoUtf8() throws IOException {
    for (String bad : List.of("%ff%fe", "%e0%80", "%zz", "%")) {
      String answer =
          server.raw(
              "GET /api/v1/near?token="
                  + bad
                  + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(answer).as(bad).startsWith("HTTP/1.1 400");
    }
  }

  @Test
  void everyAnswerForbidsWhatThePagesDoNotNeed() throws IOException {
    for (String path : List.of("/", NEAR, "/api/v1/nothing", "/api/v1/near")) {
      HttpResponse<String> response = server.get(path);
      String policy = response.headers().firstValue("Content-Security-Policy").orElse("");
      assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe");
      assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(response.headers().firstValue("Server")).isEmpty();
    }
  }

  @Test
  void tagsAndCompressesAnswers() throws IOException {
    HttpResponse<String> first = server.get("/api/v1/openapi.json");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(server.get("/api/v1/openapi.json", "If-None-Match", tag).statusCode())
        .isEqualTo(304);
    assertThat(server.get("/api/v1/openapi.json", "If-None-Match", "W/\"other\"").statusCode())
        .isEqualTo(200);
    HttpResponse<String> packed = server.get("/api/v1/openapi.json", "Accept-Encoding", "gzip");
    assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(packed.headers().firstValueAsLong("Content-Length").orElseThrow())
        .isLessThan(first.body().length() / 3);
  }

  @Test
  void marksTheRowsThatAnAuditFound() throws IOException {
    assertThat(server.get("/api/v1/audit/marks?model=turned").statusCode()).isEqualTo(409);
    Object audit = MapEndpointsTest.event("audit", server.get("/api/v1/audit").body());
    int zero = 0;
    while (!"zero".equals(JsonTree.at(audit, "rules", zero, "rule"))) {
      zero++;
    }
    byte[] marks = server.get("/api/v1/audit/marks").body().getBytes(StandardCharsets.UTF_8);
    assertThat(marks).hasSize(5);
    assertThat(marks[4]).isEqualTo((byte) (zero + 1)); // nowhere
    assertThat(marks[2]).isZero();
  }

  @Test
  void describesItsAnswersAsTheyAre() throws IOException {
    Object document = server.json("/api/v1/openapi.json");
    Map<String, String> questions =
        Map.ofEntries(
            Map.entry("models", ""),
            Map.entry("info", ""),
            Map.entry("stats", ""),
            Map.entry("row", "?token=east&token=%234"),
            Map.entry("corner", "?rows=2"),
            Map.entry("names", "?count=2"),
            Map.entry("complete", "?text=e"),
            Map.entry("toy", ""),
            Map.entry("step", "?token=east"),
            Map.entry("near", "?token=east"),
            Map.entry("histogram", "?token=east"),
            Map.entry("analogy", "?expression=east%20-%20west%20%2B%20north"),
            Map.entry("axis", "?from=east&to=north&word=west"),
            Map.entry("score", "?token=east"),
            Map.entry("similar", "?token=east&token=west"),
            Map.entry("doesnt-match", "?token=east&token=west"),
            Map.entry("params", ""),
            Map.entry("compare/near", "?other=turned&token=east"),
            Map.entry("training", ""));
    List<String> wrong = new ArrayList<>();
    List<String> asked =
        new ArrayList<>(
            List.of(
                "/api/v1/tokens",
                "/api/v1/panel",
                "/api/v1/map",
                "/api/v1/audit",
                "/api/v1/audit/marks",
                "/api/v1/compare",
                "/api/v1/geometry",
                "/api/v1/map/points",
                "/api/v1/map/tokens",
                "/api/v1/training/start",
                "/api/v1/training/stop",
                "/api/v1/training/resume",
                "/api/v1/training/events",
                "/api/v1/training/look",
                "/api/v1/training/file"));
    for (Map.Entry<String, String> question : questions.entrySet()) {
      String path = "/api/v1/" + question.getKey();
      asked.add(path);
      Map<?, ?> schema =
          JsonTree.object(
              document,
              "paths",
              path,
              "get",
              "responses",
              "200",
              "content",
              "application/json",
              "schema");
      JsonTree.check(server.json(path + question.getValue()), schema, document, path, wrong);
    }
    assertThat(wrong).isEmpty();
    // no tokenizer here, binary, events and what changes something: tested elsewhere
    assertThat(JsonTree.object(document, "paths").keySet()).isEqualTo(java.util.Set.copyOf(asked));
    HttpResponse<String> refused = server.get("/api/v1/near");
    JsonTree.check(
        JsonTree.parse(refused.body()),
        Map.of("$ref", "#/components/schemas/Failure"),
        document,
        "failure",
        wrong);
    assertThat(wrong).isEmpty();
  }

  @Test
  void tokenKeepsEverybodyElseOut() throws IOException {
    String token = "0123456789abcdef";
    try (Server guarded = new Server(Optional.of(token))) {
      assertThat(guarded.get(NEAR).statusCode()).isEqualTo(401);
      assertThat(guarded.get("/").statusCode()).isEqualTo(401);
      assertThat(guarded.get("/?access=wrong").statusCode()).isEqualTo(401);
      assertThat(guarded.get(NEAR, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
      assertThat(guarded.get(NEAR + "&access=" + token).statusCode()).isEqualTo(401);
      assertThat(guarded.get(NEAR, "Authorization", "Bearer " + token).statusCode()).isEqualTo(200);
      assertThat(guarded.address()).endsWith("/?access=" + token);
      HttpResponse<String> visit = guarded.get("/map?access=" + token);
      assertThat(visit.statusCode()).isEqualTo(303);
      assertThat(visit.headers().firstValue("Location")).contains("/map");
      String cookie = visit.headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict");
      assertThat(guarded.get(NEAR, "Cookie", cookie.split(";", 2)[0]).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void otherMachinesNeedAToken() {
    assertThatThrownBy(() -> new ExplorerSettings("0.0.0.0", 0, Optional.empty(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a token");
    assertThatThrownBy(() -> new ExplorerSettings("127.0.0.1", 0, Optional.of("x"), List.of()))
        .hasMessageContaining("16 or more");
    assertThatThrownBy(() -> new ExplorerSettings("127.0.0.1", 65_536, Optional.empty(), List.of()))
        .hasMessageContaining("[0, 65535]");
  }

  @Test
  void saysWhatToDoWhereThePortIsTaken() {
    SmallModel model = new SmallModel();
    assertThatThrownBy(() ->
            Explorer.start(
                new ExplorerSettings("127.0.0.1", server.port(), Optional.empty(), List.of()),
                new ServedModels(Map.of("small", model), List.of(), _ -> model),
                TrainingPlaces.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--port");
    model.close();
  }

  @Test
  void manyClientsAtOnceGetTheSameAnswer() throws Exception {
    String want = server.get(NEAR).body();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        answers.add(clients.submit(() -> server.get(NEAR).body()));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).isEqualTo(want);
      }
    }
  }
}

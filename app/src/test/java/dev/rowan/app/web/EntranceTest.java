package dev.rowan.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntranceTest extends ServerFixture {
  private static final String NEAR = "/api/v1/near?token=east&k=2";

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
}

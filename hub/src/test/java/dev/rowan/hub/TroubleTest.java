package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Servers that are busy, stumble or lie. */
class TroubleTest extends HubFixture {
  /** Answers the first requests to one host with a status. */
  private static FakeHub.Rule first(int times, String host, int status) {
    AtomicInteger count = new AtomicInteger();
    return (asked, exchange) -> {
      if (asked.equals(host) && count.getAndIncrement() < times) {
        FakeHub.send(exchange, status, "no");
        return true;
      }
      return false;
    };
  }

  @Test
  void asksAgainWhenTheServerIsBusy() throws IOException {
    serveModel();
    server.rule = first(2, "front", 503);
    assertOpens();
    assertThat(notes.heard).anyMatch(n -> n.contains("HTTP 503") && n.contains("asking again"));
  }

  @Test
  void saysAtOnceThatAServerSpeaksPlainHttp() throws IOException {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> answerPlainly(plain));
      String host = "localhost:" + plain.getLocalPort();
      assertThatThrownBy(() -> open("https://" + host + "/model.safetensors"))
          .isInstanceOf(HubException.class)
          .hasMessageStartingWith(host + " speaks plain http, but the address says https");
    }
    assertThat(notes.heard).isEmpty();
  }

  /** What a server of plain http answers to the first message of TLS. */
  private static void answerPlainly(ServerSocket plain) {
    try (Socket caller = plain.accept()) {
      caller.getInputStream().skipNBytes(5);
      caller.getOutputStream().write(Sample.text("HTTP/1.1 400 Bad Request\r\n\r\n"));
      caller.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // the caller hung up, as it should
    }
  }

  @Test
  void asksAgainAfterTooManyRequests() throws IOException {
    serveModel();
    server.rule = first(3, "store", 429);
    assertOpens();
  }

  @Test
  void givesUpOnAServerThatStaysBroken() {
    serveModel();
    server.rule = first(1_000, "store", 500);
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("answers HTTP 500; asked 4 times, try again later");
  }

  @Test
  void doesNotWaitForHours() {
    server.rule =
        (_, exchange) -> {
          exchange.getResponseHeaders().set("Retry-After", "3600");
          FakeHub.send(exchange, 429, "");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("asks to wait for 3,600 seconds");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void readsPastAServerThatIgnoresRanges() throws IOException {
    serveModel();
    server.ranges = false;
    assertOpens();
    assertThat(notes.heard).anyMatch(n -> n.contains("sends no parts of files"));
  }

  @Test
  void refusesAPartThatWasNotAskedFor() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          exchange
              .getResponseHeaders()
              .set("Content-Range", "bytes 0-9/" + server.file("model.safetensors").length);
          FakeHub.send(exchange, 206, "0123456789");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("model.safetensors comes as bytes 0-9/");
  }

  @Test
  void refusesASizeThatContradictsTheListing() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          String range =
              FakeHub.header(exchange, "Range").orElseThrow().substring("bytes=".length());
          exchange.getResponseHeaders().set("Content-Range", "bytes " + range + "/99999999999");
          FakeHub.send(exchange, 206, "x");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("has 99,999,999,999 bytes, but ");
  }

  @Test
  void reportsAPartThatTheServerDoesNotHave() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          FakeHub.send(exchange, 416, "");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC)).isInstanceOf(HubException.class);
  }

  @Test
  void onlyAFileOfNoSizeCountsAsEmpty() {
    serveModel();
    server.rule = first(1_000, "store", 416);
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("no such part of ")
        .hasMessageContaining("(HTTP 416)");
    server.rule = first(1_000, "store", 416);
    assertThatThrownBy(() -> open(server.storeAddress() + "/x.safetensors"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("x.safetensors is an empty file");
  }

  @Test
  void refusesAHeaderLongerThanTheFile() {
    byte[] file = Sample.safetensors(TABLE);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 1L << 50);
    server.withLarge("model.safetensors", file);
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("header length 1125899906842624 lies past the end of the file");
  }

  @Test
  void refusesAnEncodedAnswer() {
    serveModel();
    server.rule =
        (_, exchange) -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          FakeHub.send(exchange, 200, "x");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("comes gzip-encoded");
  }

  @Test
  void reportsAnAnswerThatIsNoListing() {
    server.rule =
        (_, exchange) -> {
          FakeHub.send(exchange, 200, "[]");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("list of files of owner name");
    server.rule =
        (_, exchange) -> {
          FakeHub.send(exchange, 200, "<html>please log in</html>");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("answers with a web page instead of its list of files");
  }

  @Test
  void refusesAnIndexThatNamesAPartTheModelDoesNotHave() {
    server
        .withLarge("model-00001-of-00001.safetensors", Sample.safetensors(TABLE))
        .with(
            "model.safetensors.index.json",
            Sample.text("{\"weight_map\":{\"wte.weight\":\"../../../etc/passwd\"}}"));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("names \"../../../etc/passwd\", which the model does not have");
  }

  @Test
  void passesOverFilesWhoseNamesClimb() throws IOException {
    serveModel();
    server.with("../../evil.safetensors", new byte[10]).with("..\\\\x.safetensors", new byte[10]);
    assertOpens();
    assertThat(server.requests).noneMatch(r -> r.path().contains("evil"));
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.rowan.core.Lexicon;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servers that refuse, stumble, lie or fall silent. */
class TroubleTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";

  private static FakeHub.Rule refusal(int status, String code) {
    return (host, exchange) -> {
      if (host.equals("front")) {
        exchange.getResponseHeaders().set("X-Error-Code", code);
        FakeHub.send(exchange, status, "{}");
        return true;
      }
      return false;
    };
  }

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

  private static boolean isTable(String host, HttpExchange exchange) {
    return host.equals("store")
        && exchange.getRequestURI().getPath().endsWith("model.safetensors")
        && !FakeHub.header(exchange, "Range").orElse("").startsWith("bytes=0-");
  }

  private void assertOpens() throws IOException {
    try (Lexicon model = open(SPEC)) {
      for (int row : new int[] {0, 1_500, 2_999}) {
        assertThat(model.input().table().row(row)).containsExactly(TABLE.row(row));
      }
    }
  }

  @Test
  void sendsTheTokenToTheHubAndNobodyElse() throws IOException {
    serveModel();
    open(withToken("hf_secret"), SPEC, Tables.INPUT).close();
    assertThat(server.asked("front"))
        .isNotEmpty()
        .allMatch(r -> r.authorization().equals(java.util.Optional.of("Bearer hf_secret")));
    assertThat(server.asked("store")).isNotEmpty().allMatch(r -> r.authorization().isEmpty());
  }

  @Test
  void neverShowsTheTokenNorTheSignatureOfAnAddress() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (host.equals("store")) {
            FakeHub.send(exchange, 418, "no");
            return true;
          }
          return false;
        };
    HubSettings how = withToken("hf_secret");
    assertThat(how.toString()).doesNotContain("hf_secret");
    assertThatThrownBy(() -> open(how, SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void explainsAGatedModelWithoutAToken() {
    server.rule = refusal(401, "GatedRepo");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "hf:owner/name: this model is gated: its authors let in those who accept their terms. Accept them at %1$s/owner/name, then set HF_TOKEN to a token from %1$s/settings/tokens"
                .formatted(server.endpoint()));
  }

  @Test
  void explainsAGatedModelWhoseTermsTheAccountHasNotAccepted() {
    server.rule = refusal(403, "GatedRepo");
    assertThatThrownBy(() -> open(withToken("hf_secret"), SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("the account of the token in HF_TOKEN is not let in (yet)");
  }

  @Test
  void explainsThatAMissingModelMayBePrivate() {
    server.rule = refusal(401, "RepoNotFound");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining(
            "shows no such model (HTTP 401); check the spelling; if it is private,");
  }

  @Test
  void explainsARefusedToken() {
    server.rule = refusal(401, "");
    assertThatThrownBy(() -> open(withToken("hf_secret"), SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("does not accept the token in HF_TOKEN (HTTP 401)");
  }

  @Test
  void namesAMissingRevision() {
    server.rule = refusal(404, "RevisionNotFound");
    assertThatThrownBy(() -> open(SPEC + "@v9"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("this model has no revision \"v9\"");
  }

  @Test
  void saysThatThereIsNoSuchModel() {
    assertThatThrownBy(() -> open("hf:owner/other"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("shows no such model (HTTP 404)");
  }

  @Test
  void asksAgainWhenTheServerIsBusy() throws IOException {
    serveModel();
    server.rule = first(2, "front", 503);
    assertOpens();
    assertThat(notes.heard).anyMatch(n -> n.contains("HTTP 503") && n.contains("asking again"));
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
  void goesOnWhereAConnectionWasCut() throws IOException {
    serveModel();
    byte[] file = server.file("model.safetensors");
    AtomicInteger cut = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange) || cut.getAndIncrement() > 0) {
            return false;
          }
          String[] ends =
              FakeHub.header(exchange, "Range")
                  .orElseThrow()
                  .substring("bytes=".length())
                  .split("-", -1);
          int from = Integer.parseInt(ends[0]);
          int count = Integer.parseInt(ends[1]) + 1 - from;
          exchange
              .getResponseHeaders()
              .set("Content-Range", "bytes %s-%s/%d".formatted(ends[0], ends[1], file.length));
          exchange.sendResponseHeaders(206, count);
          exchange.getResponseBody().write(file, from, count / 2);
          exchange.getResponseBody().flush();
          return true; // and closes, though half is missing
        };
    assertOpens();
    assertThat(cut.get()).isEqualTo(5);
    assertThat(server.ranges("model.safetensors")).anyMatch(r -> r.endsWith("-" + end(r)));
    assertThat(bytesAskedBehindTheHeader()).isEqualTo(TABLE.bytes() + 25_000);
  }

  private static String end(String range) {
    return range.substring(range.indexOf('-') + 1);
  }

  private long bytesAskedBehindTheHeader() {
    return server.bytesAskedOf("model.safetensors") - Heads.FIRST;
  }

  @Test
  void givesUpOnAServerThatFallsSilent() throws IOException {
    serveModel();
    CountDownLatch over = new CountDownLatch(1);
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          byte[] file = server.file("model.safetensors");
          String range =
              FakeHub.header(exchange, "Range").orElseThrow().substring("bytes=".length());
          exchange.getResponseHeaders().set("Content-Range", "bytes " + range + "/" + file.length);
          String[] ends = range.split("-", -1);
          exchange.sendResponseHeaders(206, Long.parseLong(ends[1]) + 1 - Long.parseLong(ends[0]));
          exchange.getResponseBody().write(file, Integer.parseInt(ends[0]), 10);
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return true;
        };
    Patience little =
        new Patience(
            2,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofSeconds(5),
            Duration.ofMillis(200));
    try {
      assertThatThrownBy(() -> open(withPatience(little), SPEC, Tables.INPUT))
          .isInstanceOf(HubException.class)
          .hasMessageContaining("fell silent");
    } finally {
      over.countDown();
    }
  }

  @Test
  void goesOnAfterAnInterruptWithWhatIsThere() throws Exception {
    interruptAfterTwoChunks();
    open(oneConnection(), SPEC, Tables.INPUT).close();
    assertThat(server.bytesAskedOf("model.safetensors"))
        .isEqualTo(1 + TABLE.bytes() - 2 * 50_000); // 1: whether the server sends parts at all
    assertOpens();
  }

  @Test
  void doesNotTrustAJournalWhoseDownloadIsGone() throws Exception {
    interruptAfterTwoChunks();
    Files.delete(leftOver(".part"));
    open(oneConnection(), SPEC, Tables.INPUT).close();
    assertThat(server.bytesAskedOf("model.safetensors")).isEqualTo(1 + TABLE.bytes());
    assertOpens();
  }

  @Test
  void doesNotTrustAJournalOfAnotherDownload() throws Exception {
    interruptAfterTwoChunks();
    Path journal = leftOver(".journal");
    Files.writeString(journal, Files.readString(journal).replaceFirst("sha256-", "sha256-0"));
    open(oneConnection(), SPEC, Tables.INPUT).close();
    assertThat(server.bytesAskedOf("model.safetensors")).isEqualTo(1 + TABLE.bytes());
    assertOpens();
  }

  private Path leftOver(String suffix) throws IOException {
    try (Stream<Path> left = Files.walk(folder.resolve("cache/files"))) {
      return left.filter(f -> f.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }

  private HubSettings oneConnection() {
    return new HubSettings(
        settings.endpoint(),
        settings.token(),
        settings.network(),
        settings.cache(),
        settings.otherCaches(),
        settings.proxies(),
        settings.patience(),
        new HubSettings.Transfer(1, 50_000));
  }

  /** Interrupts a run while it waits for the third chunk of four. */
  private void interruptAfterTwoChunks() throws Exception {
    serveModel();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger served = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange) || served.incrementAndGet() <= 2) {
            return false;
          }
          reached.countDown();
          await(over);
          return true;
        };
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread run =
        Thread.ofVirtual()
            .start(() -> {
              try {
                open(oneConnection(), SPEC, Tables.INPUT).close();
                end.complete(new AssertionError("it was not interrupted"));
              } catch (IOException | RuntimeException e) {
                end.complete(e);
              }
            });
    assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
    run.interrupt();
    assertThat(end.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    over.countDown();
    server.rule = (_, _) -> false;
    server.requests.clear();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void readsPastAServerThatIgnoresRanges() throws IOException {
    serveModel();
    server.ranges = false;
    assertOpens();
    assertThat(notes.heard).anyMatch(n -> n.contains("sends no parts of files"));
  }

  @Test
  void asksForANewAddressWhenTheOldOneHasRunOut() throws IOException {
    serveModel();
    AtomicInteger refused = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          if (isTable(host, exchange) && refused.getAndIncrement() == 0) {
            FakeHub.send(exchange, 403, "expired");
            return true;
          }
          return false;
        };
    assertOpens();
    assertThat(server.asked("front").stream().filter(r -> r.path().endsWith("model.safetensors")))
        .hasSizeGreaterThan(1);
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
  void doesNotFollowARedirectToAnUnprotectedHost() {
    server.rule =
        (_, exchange) -> {
          exchange
              .getResponseHeaders()
              .set("Location", "http://203.0.113.1/model?signature=secret");
          exchange.sendResponseHeaders(302, -1);
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("redirects to http://203.0.113.1/model, which is not https");
  }

  @Test
  void doesNotRedirectForEver() {
    server.rule =
        (_, exchange) -> {
          exchange.getResponseHeaders().set("Location", "/again");
          exchange.sendResponseHeaders(302, -1);
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("redirects more than 10 times");
  }

  @Test
  void reportsAnAnswerThatIsNoListing() {
    server.rule =
        (_, exchange) -> {
          FakeHub.send(exchange, 200, "<html>please log in</html>");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("list of files of owner name");
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

  @Test
  void leavesNoUnfinishedFileUnderAFinishedName() {
    serveModel();
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          FakeHub.send(exchange, 500, "");
          return true;
        };
    assertThatThrownBy(() -> open(SPEC)).isInstanceOf(HubException.class);
    Path kept =
        folder.resolve("cache/files/sha256-" + FakeHub.sha256(server.file("model.safetensors")));
    assertThat(List.of(kept.toFile().list())).noneMatch(n -> n.endsWith(".safetensors"));
  }
}

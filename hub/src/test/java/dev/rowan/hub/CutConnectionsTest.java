package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
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

/** Transfers that are cut off, fall silent or are interrupted, and go on. */
class CutConnectionsTest extends HubFixture {
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
          FakeHub.sendHalf(exchange, file);
          return true;
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
          FakeHub.beginPart(exchange, server.file("model.safetensors"), 10);
          return silentUntil(over);
        };
    Patience little = shortPatience(2);
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
  void losesNoMoreThanAStepOfARequestThatWasUnderWay() throws Exception {
    serveModel();
    byte[] file = server.file("model.safetensors");
    CountDownLatch over = new CountDownLatch(1);
    server.rule =
        (host, exchange) -> {
          if (!isTable(host, exchange)) {
            return false;
          }
          FakeHub.beginPart(exchange, file, 25_000);
          await(over);
          return true;
        };
    HubSettings steps = with(new HubSettings.Transfer(1, 50_000, 10_000));
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread run = opening(steps, end);
    untilNoted(2);
    run.interrupt();
    assertThat(end.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    over.countDown();
    server.rule = (_, _) -> false;
    server.requests.clear();
    open(steps, SPEC, Tables.INPUT).close();
    assertThat(server.bytesAskedOf("model.safetensors")).isEqualTo(1 + TABLE.bytes() - 2 * 10_000);
    assertOpens();
  }

  /** Waits until so many steps are noted as being on disk. */
  private void untilNoted(int steps) throws IOException {
    long last = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    String identity = "sha256-" + FakeHub.sha256(server.file("model.safetensors"));
    File kept = folder.resolve("cache/files/" + identity).toFile();
    while (System.nanoTime() < last) {
      File[] journals = kept.listFiles((_, name) -> name.endsWith(".journal"));
      if (journals != null
          && journals.length > 0
          && Files.readAllLines(journals[0].toPath()).size() > steps) {
        return;
      }
    }
    throw new AssertionError("%d steps were never noted".formatted(steps));
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
    return with(new HubSettings.Transfer(1, 50_000, 50_000));
  }

  private HubSettings with(HubSettings.Transfer transfer) {
    return new HubSettings(
        settings.endpoint(),
        settings.token(),
        settings.network(),
        settings.cache(),
        settings.otherCaches(),
        settings.proxies(),
        settings.patience(),
        transfer);
  }

  private Thread opening(HubSettings how, CompletableFuture<Throwable> end) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            open(how, SPEC, Tables.INPUT).close();
            end.complete(new AssertionError("it was not interrupted"));
          } catch (IOException | RuntimeException e) {
            end.complete(e);
          }
        });
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
    Thread run = opening(oneConnection(), end);
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

  @Test
  void givesASilentServerASecondChanceAndNoMore() {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch over = new CountDownLatch(1);
    server.rule =
        (_, _) -> {
          asked.incrementAndGet();
          return silentUntil(over);
        };
    Patience six = shortPatience(6);
    try {
      assertThatThrownBy(() -> open(withPatience(six), SPEC, Tables.INPUT))
          .isInstanceOf(HubException.class)
          .hasMessageContaining("fell silent")
          .hasMessageContaining("asked 2 times");
      // on a busy machine the server may not get to the second question before it is given up
      assertThat(asked.get()).isBetween(1, 2);
    } finally {
      over.countDown();
    }
  }

  private static boolean silentUntil(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static Patience shortPatience(int tries) {
    return new Patience(
        tries,
        Duration.ofMillis(1),
        Duration.ofMillis(1),
        Duration.ofSeconds(5),
        Duration.ofMillis(200));
  }
}

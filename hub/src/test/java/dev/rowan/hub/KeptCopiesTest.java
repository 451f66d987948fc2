package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What is in a cache on this machine is not fetched again. */
class KeptCopiesTest extends HubFixture {
  @Test
  void asksOnlyForTheCommitWhenTheModelIsInTheCache() throws IOException {
    serveModel();
    open(SPEC).close();
    server.requests.clear();
    open(SPEC).close();
    assertThat(server.requests)
        .extracting(FakeHub.Request::path)
        .containsExactly("/api/models/owner/name/revision/main");
  }

  @Test
  void asksNothingForACommitInTheCache() throws IOException {
    serveModel();
    open(SPEC + "@" + FakeHub.COMMIT).close();
    server.requests.clear();
    open(SPEC + "@" + FakeHub.COMMIT).close();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void doesNotFetchTheSameFileAgainUnderANewCommit() throws IOException {
    serveModel();
    open(SPEC).close();
    server.requests.clear();
    server.commit = "f".repeat(40);
    open(SPEC).close();
    assertThat(server.requests)
        .extracting(FakeHub.Request::path)
        .containsExactly("/api/models/owner/name/revision/main");
  }

  @Test
  void opensFromTheCacheOffline() throws IOException {
    serveModel();
    open(SPEC).close();
    server.requests.clear();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(5)).containsExactly(TABLE.row(5));
    }
    assertThat(server.requests).isEmpty();
  }

  @Test
  void saysWhatToDoOfflineWithoutACopy() {
    assertThatThrownBy(() -> open(offline(), SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "hf:owner/name: HF_HUB_OFFLINE is set and this model is not in the cache; unset it, or fetch the model first with rowan pull");
  }

  @Test
  void takesTheCopyWhereTheServerIsGoneAndSaysSo() throws IOException {
    serveModel();
    open(SPEC).close();
    server.close();
    open(SPEC).close();
    assertThat(notes.heard).anyMatch(n -> n.contains("the copy in the cache serves"));
  }

  @Test
  void fetchesASmallFileOfAnotherSizeAgain() throws IOException {
    serveModel();
    open(SPEC).close();
    String identity = "sha256-" + FakeHub.sha256(server.file("tokenizer.json"));
    Files.writeString(folder.resolve("cache/files/" + identity + "/tokenizer.json"), "{}");
    try (Lexicon model = open(SPEC)) {
      assertThat(model.text(7)).isEqualTo("w7");
    }
    assertThat(notes.heard)
        .contains("the copy of tokenizer.json in the cache is damaged; it is fetched again");
  }

  @Test
  void saysThatItIsTheCacheThatCannotBeWritten() throws IOException {
    serveModel();
    Files.writeString(folder.resolve("cache"), "a file");
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageStartingWith("what is fetched cannot be kept in " + folder.resolve("cache"))
        .hasMessageEndingWith("make room there, or name another folder in ROWAN_CACHE");
  }

  @Test
  void takesTheCopyWhereTheServerIsBroken() throws IOException {
    serveModel();
    open(SPEC).close();
    server.rule =
        (_, exchange) -> {
          FakeHub.send(exchange, 503, "");
          return true;
        };
    open(SPEC).close();
    assertThat(notes.heard)
        .anyMatch(n -> n.contains("HTTP 503") && n.contains("the copy in the cache serves"));
  }

  @Test
  void saysOfWhatIsMissingOfflineThatThereMayBeMore() throws IOException {
    Path snapshot =
        Files.createDirectories(
            folder.resolve("hf/models--owner--name/snapshots/" + FakeHub.COMMIT));
    Files.writeString(snapshot.resolve("config.json"), "{}");
    HubSettings how =
        with(HubSettings.Network.OFFLINE, Optional.empty(), List.of(folder.resolve("hf")));
    assertThatThrownBy(() -> open(how, SPEC + "@" + FakeHub.COMMIT, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("no weights that can be read")
        .hasMessageContaining("HF_HUB_OFFLINE is set");
  }

  @Test
  void namesTheProxyThatCannotBeReached() {
    int port = server.endpoint().getPort();
    server.close();
    HubSettings how =
        new HubSettings(
            URI.create("http://hub.invalid"),
            Optional.empty(),
            HubSettings.Network.ONLINE,
            settings.cache(),
            List.of(),
            ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
            settings.patience(),
            settings.transfer());
    assertThatThrownBy(() -> open(how, SPEC, Tables.INPUT))
        .isInstanceOf(HubException.class)
        .hasMessageContaining(
            "the proxy localhost:%d, which should lead to hub.invalid, cannot be reached"
                .formatted(port));
  }

  @Test
  void fetchesOnceForTwoWhoAskAtTheSameTime() throws Exception {
    serveModel();
    Callable<float[]> ask =
        () -> {
          try (Lexicon model = open(SPEC)) {
            return model.input().table().row(9);
          }
        };
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (var answer : threads.invokeAll(List.of(ask, ask, ask, ask))) {
        assertThat(answer.get()).containsExactly(TABLE.row(9));
      }
    }
    assertThat(server.ranges("model.safetensors").stream().filter(r -> !r.startsWith("bytes=0-")))
        .hasSize(4); // the table's chunks, each once
  }

  @Test
  void opensWhatHuggingFaceKeepsOnThisMachineWithoutCopyingIt() throws IOException {
    serveModel();
    Path cache = huggingFaceCache("model.safetensors", "config.json", "tokenizer.json");
    try (Lexicon model = open(withOtherCache(cache), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(3)).containsExactly(TABLE.row(3));
      assertThat(model.text(4)).isEqualTo("w4");
      assertThat(model.origin().path().toRealPath()).startsWith(cache.toRealPath());
    }
    assertThat(server.asked("store")).isEmpty();
  }

  @Test
  void opensACheckpointThatHuggingFaceKeepsWhereItIs() throws IOException {
    server
        .withLarge("pytorch_model.bin", TorchSample.zip(LAYER, TABLE))
        .with("config.json", Sample.config(3_000));
    Path cache = huggingFaceCache("pytorch_model.bin", "config.json");
    try (Lexicon model = open(withOtherCache(cache), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(3)).containsExactly(TABLE.row(3));
      assertThat(model.origin().path().toRealPath()).startsWith(cache.toRealPath());
    }
    assertThat(server.asked("store")).isEmpty();
  }

  @Test
  void opensWhatHuggingFaceKeepsOnThisMachineOffline() throws IOException {
    serveModel();
    Path cache = huggingFaceCache("model.safetensors", "config.json", "tokenizer.json");
    HubSettings how = with(HubSettings.Network.OFFLINE, settings.token(), List.of(cache));
    try (Lexicon model = open(how, SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(3)).containsExactly(TABLE.row(3));
    }
    assertThat(server.requests).isEmpty();
  }

  @Test
  void fetchesWhatHuggingFacesCacheLacks() throws IOException {
    serveModel();
    Path cache = huggingFaceCache("model.safetensors", "config.json");
    try (Lexicon model = open(withOtherCache(cache), SPEC, Tables.INPUT)) {
      assertThat(model.text(4)).isEqualTo("w4");
    }
    assertThat(server.asked("store"))
        .extracting(FakeHub.Request::path)
        .containsExactly("/tokenizer.json");
  }

  private Path huggingFaceCache(String... names) throws IOException {
    Path cache = folder.resolve("huggingface");
    Path model = cache.resolve("models--owner--name");
    Path snapshot = Files.createDirectories(model.resolve("snapshots").resolve(FakeHub.COMMIT));
    Path blobs = Files.createDirectories(model.resolve("blobs"));
    Files.createDirectories(model.resolve("refs"));
    Files.writeString(model.resolve("refs/main"), FakeHub.COMMIT);
    for (String name : names) {
      Path blob = blobs.resolve(FakeHub.sha256(server.file(name)));
      Files.write(blob, server.file(name));
      Files.createSymbolicLink(snapshot.resolve(name), blob);
    }
    return cache;
  }

  @Test
  void learnsIdentitiesFromAMirrorThatListsNone() throws IOException {
    serveModel();
    server.blobs = false;
    open(SPEC).close();
    Path kept =
        folder.resolve("cache/files/sha256-" + FakeHub.sha256(server.file("model.safetensors")));
    assertThat(kept).isDirectory();
    server.requests.clear();
    open(SPEC).close();
    assertThat(server.requests)
        .extracting(FakeHub.Request::path)
        .containsExactly("/api/models/owner/name/revision/main");
  }

  @Test
  void fetchesADamagedTableAgain() throws IOException {
    serveModel();
    open(SPEC).close();
    Path kept = HubCache.of(settings).models().getFirst().folder().resolve("model.safetensors");
    byte[] good = Files.readAllBytes(kept);
    byte[] overwritten = good.clone();
    overwritten[9] ^= 0x55;
    for (byte[] damaged : List.of(Arrays.copyOf(good, good.length / 2), overwritten)) {
      Files.write(kept, damaged); // the same file under both its names
      try (Lexicon model = open(SPEC)) {
        assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      }
      assertThat(Files.readAllBytes(kept)).isEqualTo(good);
    }
    assertThat(notes.heard).anyMatch(note -> note.contains("in the cache is damaged"));
  }
}

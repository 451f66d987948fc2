package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HubCacheTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";

  @Test
  void listsWhatWasOpened() throws IOException {
    serveModel();
    open(SPEC).close();
    Cached model = HubCache.of(settings).models().getFirst();
    assertThat(model.source()).isEqualTo(SPEC);
    assertThat(model.commit()).isEqualTo(FakeHub.COMMIT);
    assertThat(model.tables()).containsExactly("wte.weight");
    assertThat(model.bytes()).isBetween(192_000L, 300_000L);
  }

  @Test
  void isEmptyBeforeTheFirstModel() throws IOException {
    assertThat(HubCache.of(settings).models()).isEmpty();
    assertThat(HubCache.of(settings).bytes()).isZero();
  }

  @Test
  void prunesAModelAndItsFiles() throws IOException {
    serveModel();
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    HubCache.Pruned pruned = cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    assertThat(pruned.models()).hasSize(1);
    assertThat(pruned.bytes()).isGreaterThan(192_000);
    assertThat(cache.models()).isEmpty();
    open(SPEC).close();
    assertThat(cache.models()).hasSize(1);
  }

  @Test
  void prunesAllThatNobodyIsFetching() throws IOException {
    serveModel();
    open(SPEC).close();
    Path files = Files.createDirectories(folder.resolve("cache/files/sha256-" + "a".repeat(64)));
    Files.writeString(files.resolve("young.part"), "x");
    HubCache cache = HubCache.of(settings);
    cache.prune(_ -> true, HubCache.LeftOvers.ALL, HubCache.Mode.REMOVE);
    assertThat(cache.bytes()).isZero();
    assertOpens();
  }

  @Test
  void prunesEveryNameOfAFile() throws IOException {
    server
        .withLarge(
            "0_StaticEmbedding/model.safetensors",
            Sample.safetensors(TABLE.named("embedding.weight")))
        .with("modules.json", Sample.text("[]"))
        .with("vocab.json", Sample.text("{\"a\":0}"))
        .with("merges.txt", Sample.text("#version: 0.2\n"));
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    assertThat(cache.models().getFirst().bytes()).isGreaterThan(192_000);
    cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    try (Stream<Path> left = Files.walk(folder.resolve("cache"))) {
      assertThat(left.filter(Files::isRegularFile).map(f -> f.getFileName().toString()))
          .noneMatch(n -> n.endsWith(".safetensors") || n.equals("vocab.json"));
    }
  }

  @Test
  void onlyRehearsesWhenAskedTo() throws IOException {
    serveModel();
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    long before = cache.bytes();
    assertThat(cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REHEARSE).bytes())
        .isGreaterThan(192_000);
    assertThat(cache.bytes()).isEqualTo(before);
    assertThat(cache.models()).hasSize(1);
  }

  @Test
  void keepsFilesThatAnotherModelUses() throws IOException {
    serveModel();
    open(SPEC).close();
    server.commit = "f".repeat(40);
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    assertThat(cache.models()).hasSize(2);
    cache.prune(
        m -> m.commit().equals(FakeHub.COMMIT), HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    server.requests.clear();
    open(SPEC).close();
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void sparesWhatIsNewAndTakesOldLeftOvers() throws IOException {
    serveModel();
    open(SPEC).close();
    Path files = folder.resolve("cache/files/sha256-" + "a".repeat(64));
    Files.createDirectories(files);
    Path young = Files.writeString(files.resolve("young.part"), "x");
    Path old = Files.writeString(files.resolve("old.part"), "x");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    HubCache.Pruned pruned =
        HubCache.of(settings).prune(_ -> false, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    assertThat(pruned.files()).isEqualTo(1);
    assertThat(young).exists();
    assertThat(old).doesNotExist();
  }

  @Test
  void leavesADownloadInProgressAlone() throws IOException {
    String identity = "sha256-" + "a".repeat(64);
    Path files = Files.createDirectories(folder.resolve("cache/files/" + identity));
    Path part = Files.writeString(files.resolve("x.part"), "x");
    Files.setLastModifiedTime(part, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    Path lock = folder.resolve("cache/locks/" + identity + ".lock");
    HubCache cache = HubCache.of(settings);
    Thread other = Thread.currentThread();
    try (Locks _ = Locks.take(lock, other::interrupt)) {
      var threads = java.util.concurrent.Executors.newSingleThreadExecutor();
      try (threads) {
        threads
            .submit(() -> cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE))
            .get();
      } catch (java.util.concurrent.ExecutionException | InterruptedException e) {
        throw new IOException(e);
      }
    }
    assertThat(part).exists();
  }

  @Test
  void makesNoCopiesOfWhatItKeeps() throws IOException {
    serveModel();
    open(SPEC).close();
    Path opened = HubCache.of(settings).models().getFirst().folder();
    try (Stream<Path> files = Files.list(opened)) {
      for (Path file : files.filter(f -> !f.endsWith("rowan.json")).toList()) {
        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
      }
    }
  }

  @Test
  void listsAModelOnceHoweverManyOfItsTablesWereOpened() throws IOException {
    server
        .withLarge(
            "model.safetensors",
            Sample.safetensors(TABLE, LAYER, Sample.Tensor.of("lm_head.weight", 3_000, 16, 5)))
        .with("config.json", Sample.config(3_000));
    open(SPEC).close();
    open(settings, SPEC, Tables.INPUT_AND_OUTPUT).close();
    HubCache cache = HubCache.of(settings);
    assertThat(cache.models()).hasSize(1);
    Cached model = cache.models().getFirst();
    assertThat(model.tables()).containsExactlyInAnyOrder("wte.weight", "lm_head.weight");
    assertThat(model.folders()).hasSize(2);
    assertThat(model.bytes()).isLessThanOrEqualTo(cache.bytes());
    assertThat(cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE).models())
        .hasSize(1);
    assertThat(cache.models()).isEmpty();
  }

  @Test
  void theWholeIsNoLessThanItsParts() throws IOException {
    serveModel();
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    // files with several names lie on the disk once
    Set<Object> keys = new HashSet<>();
    long onDisk = 0;
    try (Stream<Path> all = Files.walk(folder.resolve("cache"))) {
      for (Path file : all.filter(f -> f.toString().matches(".*/(files|opened)/.*[^/]")).toList()) {
        if (Files.isDirectory(file)) {
          continue;
        }
        var facts = Files.readAttributes(file, BasicFileAttributes.class);
        onDisk += keys.add(facts.fileKey()) ? facts.size() : 0;
      }
    }
    assertThat(cache.bytes()).isEqualTo(onDisk);
    assertThat(cache.models().getFirst().bytes()).isBetween(192_000L, onDisk);
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** What hubs list, and what lies in a cache that something else wrote into. */
class RecordsFuzzTest {
  private static final String COMMIT = "0123456789012345678901234567890123456789";

  static Stream<byte[]> seeds() {
    return Stream.of(
            "{\"sha\":\"%s\",\"siblings\":[{\"rfilename\":\"model.safetensors\",\"size\":9,\"blobId\":\"%s\",\"lfs\":{\"sha256\":\"%s\",\"size\":9}}]}"
                .formatted(COMMIT, COMMIT, "ab".repeat(32)),
            "{\"sha\":\"%s\",\"siblings\":[{\"rfilename\":\"a/../b\"},{\"rfilename\":\"x\",\"size\":-1}]}"
                .formatted(COMMIT),
            "{\"commit\":\"%s\",\"files\":[{\"name\":\"config.json\",\"size\":2,\"identity\":\"git-%s\",\"uri\":\"https://example.org/config.json\"}]}"
                .formatted(COMMIT, COMMIT),
            "{\"version\":1,\"source\":\"hf:a/b\",\"commit\":\"%s\",\"tables\":[\"wte\"],\"files\":[\"git-%s/model\"]}"
                .formatted(COMMIT, COMMIT),
            "git-1 abc 100 50\n0\n1\n12345678\n")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void listingsAreReadOrRefused(byte[] bytes) {
    Path what = Path.of("list of files");
    try {
      Listing listing =
          Listing.ofHub(
              what,
              MemorySegment.ofArray(bytes),
              (commit, name) ->
                  URI.create("https://hub/%s/%s".formatted(commit, Addresses.encoded(name))));
      for (Entry entry : listing.entries()) {
        assertThat(Path.of("folder").resolve(entry.name()).normalize())
            .startsWithRaw(Path.of("folder"));
        assertThat(entry.identity().map(Identity::isSafe).orElse(true)).isTrue();
      }
    } catch (FormatException e) {
      assertThat(e).hasMessageStartingWith("list of files: ");
    }
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "4m")
  void cachesOfAnyContentAreListedAndPruned(byte[] bytes) throws IOException {
    Path folder = Files.createTempDirectory("rowan");
    try {
      Path model = folder.resolve("models/hf--hub--a--b");
      Path opened = Files.createDirectories(model.resolve("opened/0123-4567"));
      Files.write(opened.resolve(OpenedFolder.RECORD), bytes);
      Files.createDirectories(model.resolve("listings"));
      Files.write(model.resolve("listings").resolve(COMMIT + ".json"), bytes);
      Files.createDirectories(model.resolve("refs"));
      Files.write(model.resolve("refs/main"), bytes);
      Store store = new Store(folder);
      store.listing("hf--hub--a--b", COMMIT);
      store.commit("hf--hub--a--b", "main");
      Path notes = Files.write(folder.resolve("x.journal"), bytes);
      try (Journal journal = Journal.open(notes, "git-1 abc 100 50")) {
        journal.has(1);
      }
      HubCache cache = HubCache.of(settings(folder));
      cache.models();
      cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
      assertThat(cache.models()).isEmpty();
    } finally {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static HubSettings settings(Path folder) {
    return new HubSettings(
        URI.create("http://127.0.0.1:9"),
        Optional.empty(),
        HubSettings.Network.OFFLINE,
        folder,
        List.of(),
        ProxySelector.of(null),
        Patience.USUAL,
        HubSettings.Transfer.USUAL);
  }
}

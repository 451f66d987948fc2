package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Weights of kinds that cannot be read in part. */
class WholeModelTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";

  /** Returns word vectors as text: w0, w1 and so on. */
  private static byte[] vectors(Sample.Tensor table, int rows, int width) {
    StringBuilder text = new StringBuilder("%d %d\n".formatted(rows, width));
    for (int row = 0; row < rows; row++) {
      text.append('w').append(row);
      for (float number : table.row(row)) {
        text.append(' ').append(number);
      }
      text.append('\n');
    }
    return Sample.text(text.toString());
  }

  private void serveVectors() {
    server
        .withLarge("table.vec", vectors(TABLE, 3_000, 16))
        .with("README.md", Sample.text("never asked for"));
  }

  @Test
  void fetchesWeightsOfOtherKindsWholeAndSaysSo() throws IOException {
    serveVectors();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(4)).isEqualTo("w4");
      assertThat(model.notes()).anyMatch(n -> n.startsWith("comes from hf:owner/name, version"));
    }
    assertThat(notes.heard)
        .containsExactly(
            "the weights (table.vec) cannot be read in part, so all their %,d bytes are fetched"
                .formatted(server.file("table.vec").length));
  }

  @Test
  void opensFromTheCacheWithoutTheNetwork() throws IOException {
    serveVectors();
    open(SPEC).close();
    server.requests.clear();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(7)).containsExactly(TABLE.row(7));
    }
    assertThat(server.requests).isEmpty();
    assertThat(HubCache.of(settings).models())
        .singleElement()
        .satisfies(model -> {
          assertThat(model.source()).isEqualTo(SPEC);
          assertThat(model.bytes()).isGreaterThan(TABLE.bytes());
        });
    HubCache.of(settings).prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    assertThat(HubCache.of(settings).bytes()).isZero();
  }

  @Test
  void inspectionSaysWhatIsInside() throws IOException {
    serveVectors();
    Inspection seen = inspect(SPEC);
    assertThat(seen.format()).isEqualTo("word2vec-text");
    assertThat(seen.input().shape()).containsExactly(3_000L, 16L);
    assertThat(seen.vocabulary().orElseThrow().tokens()).isEqualTo(3_000);
  }

  @Test
  void opensWordVectorsByNameAndAddress() throws IOException {
    server.with("words.txt", Sample.text("2 3\ncat 1 2 3\ndog 4 5 6\n"));
    try (Lexicon model = open(SPEC + ":words.txt")) {
      assertThat(model.vocabulary().orElseThrow().id("dog")).hasValue(1);
    }
    try (Lexicon model = open(server.storeAddress() + "/words.txt")) {
      assertThat(model.input().table().row(1)).containsExactly(4, 5, 6);
    }
  }

  @Test
  void refusesManyBytesThatNobodyAskedFor() throws IOException {
    server.rule =
        (host, exchange) -> {
          if (exchange.getRequestURI().getPath().startsWith("/api/models/")) {
            String answer =
                "{\"sha\":\"%s\",\"siblings\":[{\"rfilename\":\"model.h5\",\"size\":2000000000,\"blobId\":\"%s\"}]}"
                    .formatted(FakeHub.COMMIT, FakeHub.COMMIT);
            FakeHub.send(exchange, 200, answer);
            return true;
          }
          return false;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("whole they are 2,000,000,000 bytes")
        .hasMessageContaining("rowan pull hf:owner/name");
    assertThat(server.requests).hasSize(1);
  }

  @Test
  void pullFetchesWhateverItIs() throws IOException {
    serveVectors();
    try (Hub hub = Hub.of(settings);
        Lexicon model = hub.pull(hub.parse(SPEC), Tables.INPUT, OpenOptions.DEFAULT, notes)) {
      assertThat(model.input().table().rows()).isEqualTo(3_000);
      assertThat(Files.exists(model.origin().path())).isTrue();
    }
  }

  @Test
  void knowsWhichFilesBelongTogether() {
    Listing listing =
        listing(
            "model.ckpt.index",
            "model.ckpt.data-00000-of-00002",
            "model.ckpt.data-00001-of-00002",
            "model.ckpt.meta",
            "onnx/model.onnx",
            "onnx/model.onnx_data",
            "optimizer.bin");
    assertThat(WholeFiles.candidates(listing))
        .extracting(Entry::name)
        .containsExactly("onnx/model.onnx");
    assertThat(WholeFiles.of(listing, listing.find("onnx/model.onnx").orElseThrow()))
        .extracting(Entry::name)
        .containsExactly("onnx/model.onnx", "onnx/model.onnx_data");
    assertThat(WholeFiles.of(listing, listing.find("model.ckpt.index").orElseThrow()))
        .extracting(Entry::name)
        .containsExactly(
            "model.ckpt.index", "model.ckpt.data-00000-of-00002", "model.ckpt.data-00001-of-00002");
  }

  private static Listing listing(String... names) {
    return new Listing(
        FakeHub.COMMIT,
        Stream.of(names)
            .map(name ->
                new Entry(
                    name,
                    OptionalLong.of(1),
                    Optional.empty(),
                    URI.create("https://example.org/x")))
            .toList());
  }
}

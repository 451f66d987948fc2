package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.OpenOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Weights of kinds that cannot be read in part. */
class WholeModelTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";

  /** Returns a .npy file (version 1.0) of float32 rows. */
  private static byte[] npy(Sample.Tensor table, int rows, int width) {
    String dict =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }".formatted(rows, width);
    String header = dict + " ".repeat(64 - (10 + dict.length() + 1) % 64) + "\n";
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.write(header.length() & 0xFF);
    file.write(header.length() >> 8);
    file.writeBytes(Sample.text(header));
    ByteBuffer numbers = ByteBuffer.allocate(table.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    numbers.asFloatBuffer().put(table.numbers());
    file.writeBytes(numbers.array());
    return file.toByteArray();
  }

  private void serveNpy() {
    server
        .withLarge("table.npy", npy(TABLE, 3_000, 16))
        .withLarge("tokenizer.json", Sample.tokenizer(3_000))
        .with("README.md", Sample.text("never asked for"));
  }

  @Test
  void fetchesWeightsOfOtherKindsWholeAndSaysSo() throws IOException {
    serveNpy();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(4)).isEqualTo("w4");
      assertThat(model.notes()).anyMatch(n -> n.startsWith("comes from hf:owner/name, version"));
    }
    assertThat(notes.heard)
        .containsExactly(
            "the weights (table.npy) cannot be read in part, so all their %,d bytes are fetched"
                .formatted(server.file("table.npy").length));
  }

  @Test
  void opensFromTheCacheWithoutTheNetwork() throws IOException {
    serveNpy();
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
    HubCache.of(settings).prune(_ -> true, HubCache.Mode.REMOVE);
    assertThat(HubCache.of(settings).bytes()).isZero();
  }

  @Test
  void inspectionSaysWhatIsInside() throws IOException {
    serveNpy();
    Inspection seen = inspect(SPEC);
    assertThat(seen.format()).isEqualTo("npy");
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
    serveNpy();
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

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** PyTorch checkpoints of one file: of zip archives only the table is fetched. */
class PytorchTest extends HubFixture {
  private static final String FILE = "pytorch_model.bin";

  /** What is read besides the table: the start, the end, and where the table starts. */
  private static final long SMALL_PARTS = (128 << 10) + (82 << 10);

  private void serve(byte[] checkpoint) {
    server
        .withLarge(FILE, checkpoint)
        .with("config.json", Sample.config(3_000))
        .with("tokenizer.json", Sample.tokenizer(2_990));
  }

  private static byte[] model() {
    return TorchSample.zip(LAYER, TABLE, LAYER.named("h.1.mlp.weight"));
  }

  @Test
  void fetchesTheTableAlone() throws IOException {
    serve(model());
    assertOpens();
    assertThat(server.bytesAskedOf(FILE))
        .isBetween((long) TABLE.bytes(), TABLE.bytes() + SMALL_PARTS);
    assertThat(notes.heard).isEmpty();
  }

  @Test
  void speaksOfTheWholeModel() throws IOException {
    serve(model());
    try (Lexicon model = open(SPEC)) {
      assertThat(model.origin().format()).isEqualTo("pytorch");
      assertThat(model.modelParameters()).hasValue(2 * 750 * 1_000 + 3_000 * 16);
      assertThat(model.input().tensor()).isEqualTo("wte.weight");
      assertThat(model.text(7)).isEqualTo("w7");
    }
  }

  @Test
  void opensFromTheCacheWithoutTheNetwork() throws IOException {
    serve(model());
    assertOpens();
    server.requests.clear();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(5)).containsExactly(TABLE.row(5));
    }
    assertThat(server.requests).isEmpty();
  }

  @Test
  void inspectionListsEveryTensorWithoutNumbers() throws IOException {
    serve(model());
    Inspection seen = inspect(SPEC);
    assertThat(seen.format()).isEqualTo("pytorch");
    assertThat(seen.tensors())
        .extracting(TensorInfo::name)
        .containsExactly("h.0.mlp.weight", "wte.weight", "h.1.mlp.weight");
    assertThat(seen.storedParameters()).hasValue(2 * 750 * 1_000 + 3_000 * 16);
    assertThat(server.bytesAskedOf(FILE)).isLessThan(SMALL_PARTS);
    server.requests.clear();
    inspect(SPEC);
    assertThat(server.bytesAskedOf(FILE)).isZero();
  }

  @Test
  void fetchesTheTensorThatTheUserNames() throws IOException {
    serve(model());
    OpenOptions named = OpenOptions.DEFAULT.withTensor("h.1.mlp.weight");
    try (Hub hub = Hub.of(settings);
        Lexicon model = hub.open(hub.parse(SPEC), Tables.INPUT, named, notes)) {
      assertThat(model.input().table().row(749)).containsExactly(LAYER.row(749));
    }
    assertThat(server.bytesAskedOf(FILE))
        .isBetween((long) LAYER.bytes(), LAYER.bytes() + SMALL_PARTS);
  }

  @Test
  void twoNamesOfOneStorageAreTiedAndFetchedOnce() throws IOException {
    Sample.Tensor output = TABLE.named("lm_head.weight");
    byte[] pickle =
        TorchSample.pickle(
            List.of(
                TorchSample.entry(LAYER, "0"),
                TorchSample.entry(TABLE, "1"),
                TorchSample.entry(output, "1")));
    serve(TorchSample.zip(TorchSample.Packing.STORED, pickle, LAYER, TABLE));
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED);
      assertThat(model.tieEvidence())
          .isEqualTo("the file gives \"wte.weight\" and \"lm_head.weight\" the same bytes");
      assertThat(model.output()).isEmpty();
      assertThat(model.modelParameters()).hasValue(750 * 1_000 + 3_000 * 16);
    }
    assertThat(server.bytesAskedOf(FILE)).isLessThan(TABLE.bytes() + SMALL_PARTS);
    assertThat(inspect(SPEC).output()).isEmpty();
  }

  @Test
  void twoTablesAreComparedInPart() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    serve(TorchSample.zip(TABLE, LAYER, output));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.output()).isEmpty();
    }
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.output().orElseThrow().table().row(2)).containsExactly(output.row(2));
    }
  }

  @Test
  void takesAFileThatIsMostlyTableWhole() throws IOException {
    serve(TorchSample.zip(TABLE));
    assertOpens();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.origin().path().resolve(FILE)).exists();
    }
    server.lieAboutDigest = true;
    server.commit = "f".repeat(40);
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("arrived damaged");
  }

  @Test
  void readsAnAddress() throws IOException {
    server.withLarge("model.pt", model()).with("config.json", Sample.config(3_000));
    try (Lexicon model = open(server.storeAddress() + "/model.pt")) {
      assertThat(model.input().table().row(9)).containsExactly(TABLE.row(9));
    }
    assertThat(server.bytesAskedOf("model.pt")).isLessThan(TABLE.bytes() + SMALL_PARTS);
  }

  @Test
  void readsADirectoryAndAPickleOfManyEntries() throws IOException {
    Sample.Tensor[] tensors = new Sample.Tensor[1_201];
    for (int i = 0; i < 1_200; i++) {
      tensors[i] =
          Sample.Tensor.of("h.%d.a.name.as.long.as.they.come.bias".formatted(i), 1, 256, i);
    }
    tensors[1_200] = TABLE;
    serve(TorchSample.zip(tensors));
    assertOpens();
    assertThat(inspect(SPEC).tensors()).hasSize(1_201);
    assertThat(server.bytesAskedOf(FILE)).isLessThan(server.file(FILE).length / 2);
  }

  private void assertComesWhole(String why) throws IOException {
    assertOpens();
    assertThat(notes.heard)
        .containsExactly(
            "the weights (%s) cannot be read in part (%s), so all their %,d bytes are fetched"
                .formatted(FILE, why, server.file(FILE).length));
  }

  @Test
  void fetchesOldCheckpointsWhole() throws IOException {
    serve(TorchSample.legacy(LAYER, TABLE));
    assertComesWhole("pytorch_model.bin is no zip archive");
  }

  @Test
  void fetchesWholeWhatIsCompressed() throws IOException {
    serve(
        TorchSample.zip(
            TorchSample.Packing.DEFLATED, TorchSample.pickle(LAYER, TABLE), LAYER, TABLE));
    assertComesWhole("\"wte.weight\" is not stored as plain rows");
  }

  @Test
  void fetchesWholeWhereTheServerSendsNoParts() throws IOException {
    server.ranges = false;
    serve(model());
    assertComesWhole("its server sends no parts of files");
  }

  @Test
  void refusesManyBytesOfAnOldCheckpointThatNobodyAskedFor() throws IOException {
    byte[] start = TorchSample.legacy(TABLE);
    server.rule =
        (host, exchange) -> {
          boolean listing = exchange.getRequestURI().getPath().startsWith("/api/models/");
          if (listing) {
            String answer =
                "{\"sha\":\"%s\",\"siblings\":[{\"rfilename\":\"pytorch_model.bin\",\"size\":2000000000,\"blobId\":\"%s\"}]}"
                    .formatted(FakeHub.COMMIT, FakeHub.COMMIT);
            FakeHub.send(exchange, 200, answer);
          } else {
            exchange.getResponseHeaders().set("Content-Range", "bytes 0-131071/2000000000");
            exchange.sendResponseHeaders(206, 128 << 10);
            exchange.getResponseBody().write(start, 0, 128 << 10);
          }
          return true;
        };
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "hf:owner/name: its weights (pytorch_model.bin) cannot be read in part (pytorch_model.bin is no zip archive), and whole they are 2,000,000,000 bytes; fetch them with rowan pull hf:owner/name, or name a safetensors or GGUF variant of the model");
    assertThat(server.requests).hasSize(2);
  }

  @Test
  void fetchesATransposedTableWhole() throws IOException {
    byte[] pickle =
        TorchSample.pickle(
            List.of(
                TorchSample.entry(TABLE, "0", TorchSample.pair(16, 3_000), TorchSample.pair(1, 16)),
                TorchSample.entry(LAYER, "1")));
    serve(TorchSample.zip(TorchSample.Packing.STORED, pickle, TABLE, LAYER));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(0)[2_999]).isEqualTo(TABLE.row(2_999)[0]);
    }
    assertThat(notes.heard).hasSize(1);
  }

  @Test
  void partsOfWhatIsHereWholeNeedNoNetwork() throws IOException {
    server.ranges = false;
    serve(model());
    assertOpens();
    server.ranges = true;
    server.requests.clear();
    try (Lexicon model = open(offline(), SPEC, Tables.INPUT)) {
      assertThat(model.input().table().row(3)).containsExactly(TABLE.row(3));
    }
    assertThat(server.requests).isEmpty();
  }

  @Test
  void noticesAFileThatChangesBetweenLooks() throws IOException {
    server.withLarge("model.pt", model()).with("config.json", Sample.config(3_000));
    AtomicInteger looks = new AtomicInteger();
    server.rule =
        (host, exchange) -> {
          if (exchange.getRequestURI().getPath().endsWith("model.pt")) {
            exchange
                .getResponseHeaders()
                .set("ETag", "\"version-%d\"".formatted(looks.incrementAndGet() / 3));
          }
          return false;
        };
    assertThatThrownBy(() -> open(server.storeAddress() + "/model.pt"))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("model.pt changed on the server while it was read; try again");
  }

  @Test
  void goesOnWithTheTableWhereAFailedRunStopped() throws IOException {
    serve(model());
    // whoever comes to the last chunk has brought another one before
    server.rule =
        (host, exchange) -> {
          boolean last = bytesOf(exchange) == TABLE.bytes() % 50_000;
          if (last) {
            FakeHub.send(exchange, 403, "no");
          }
          return last;
        };
    assertThatThrownBy(() -> open(SPEC)).isInstanceOf(HubException.class);
    server.rule = (_, _) -> false;
    server.requests.clear();
    assertOpens();
    assertThat(server.bytesAskedOf(FILE)).isLessThanOrEqualTo(TABLE.bytes() - 50_000 + 1);
  }

  private static long bytesOf(HttpExchange exchange) {
    String range = FakeHub.header(exchange, "Range").orElse("bytes=0-");
    String[] ends = range.substring("bytes=".length()).split("-", -1);
    return ends[1].isEmpty() ? -1 : Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
  }

  @Test
  void refusesTorchScriptBeforeFetchingIt() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("archive/data.pkl", TorchSample.pickle(List.of()));
    entries.put("archive/constants.pkl", new byte[] {1});
    entries.put("archive/code", new byte[1_000_000]);
    serve(TorchSample.archive(TorchSample.Packing.STORED, entries));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith("pytorch_model.bin: is a TorchScript program");
    assertThat(server.bytesAskedOf(FILE)).isLessThan(SMALL_PARTS);
  }

  @Test
  void runsNothingThatThePickleNames() throws IOException {
    byte[] pickle = TorchSample.latin("\u0080\u0002cposix\nsystem\nX\u0004\0\0\0true\u0085R.");
    serve(TorchSample.zip(TorchSample.Packing.STORED, pickle, LAYER, TABLE));
    assertThatThrownBy(() -> inspect(SPEC))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageStartingWith("pytorch_model.bin: holds a pickle that names \"posix.system\"");
  }

  @Test
  void pruningKeepsWhatAnOpenedModelNeedsOffline() throws IOException {
    serve(model());
    open(SPEC).close();
    HubCache cache = HubCache.of(settings);
    try (Stream<Path> files = Files.walk(folder.resolve("cache/files"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
      }
    }
    cache.prune(_ -> false, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    open(offline(), SPEC, Tables.INPUT).close();
    cache.prune(_ -> true, HubCache.LeftOvers.OLD, HubCache.Mode.REMOVE);
    assertThat(cache.bytes()).isZero();
  }

  @Test
  void looksAtNoMoreThanTheLimit() throws IOException {
    serve(model());
    try (Hub hub = Hub.of(settings)) {
      assertThatThrownBy(() ->
              hub.inspect(hub.parse(SPEC), OpenOptions.DEFAULT.withHeaderLimit(20_000), notes))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith(
              "pytorch_model.bin: what describes the tensors is above the limit of 20,000 bytes; raise the limit (ROWAN_HEADER_LIMIT)");
    }
    assertThat(server.bytesAskedOf(FILE)).isEqualTo(128 << 10);
  }
}

package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class HubTest extends HubFixture {
  private static final String SPEC = "hf:owner/name";

  @Test
  void opensTheTableWithItsTokens() throws IOException {
    serveModel();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().tensor()).isEqualTo("wte.weight");
      assertThat(model.input().table().rows()).isEqualTo(3_000);
      assertThat(model.input().table().row(0)).containsExactly(TABLE.row(0));
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.text(2_989)).isEqualTo("w2989");
      assertThat(model.rowsWithoutToken()).isEqualTo(10);
    }
  }

  @Test
  void asksForNoMoreThanHeaderAndTable() throws IOException {
    serveModel();
    open(SPEC).close();
    assertThat(server.bytesAskedOf("model.safetensors"))
        .isEqualTo(Heads.FIRST + TABLE.bytes())
        .isLessThan(server.file("model.safetensors").length / 10);
    assertThat(server.requests).noneMatch(r -> r.path().endsWith("README.md"));
  }

  @Test
  void fetchesTheTableInSeveralRanges() throws IOException {
    serveModel();
    open(SPEC).close();
    // 192,000 bytes in chunks of 50,000, behind the header
    assertThat(server.ranges("model.safetensors")).hasSize(1 + 4);
  }

  @Test
  void reportsTheWholeModelsParameters() throws IOException {
    serveModel();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000);
    }
  }

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
  void asksForTheHeadersOfAllShardsAndTheTableOfOne() throws IOException {
    Sample.Tensor layer = Sample.Tensor.of("h.0.mlp.weight", 750, 1_000, 3);
    server
        .withLarge("model-00001-of-00002.safetensors", Sample.safetensors(layer))
        .withLarge(
            "model-00002-of-00002.safetensors",
            Sample.safetensors(TABLE, layer.named("h.1.mlp.weight")))
        .withLarge("consolidated.safetensors", Sample.safetensors(TABLE))
        .with(
            "model.safetensors.index.json",
            Sample.text(
                """
                {"metadata":{},"weight_map":{
                 "h.0.mlp.weight":"model-00001-of-00002.safetensors",
                 "h.1.mlp.weight":"model-00002-of-00002.safetensors",
                 "wte.weight":"model-00002-of-00002.safetensors"}}
                """));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(77)).containsExactly(TABLE.row(77));
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000);
    }
    assertThat(server.bytesAskedOf("model-00001-of-00002.safetensors")).isEqualTo(Heads.FIRST);
    assertThat(server.bytesAskedOf("model-00002-of-00002.safetensors"))
        .isEqualTo(Heads.FIRST + TABLE.bytes());
    assertThat(server.requests).noneMatch(r -> r.path().contains("consolidated"));
  }

  @Test
  void takesAFileThatIsMostlyTableWholeAndChecksItsDigest() throws IOException {
    server.withLarge("model.safetensors", Sample.safetensors(TABLE));
    server.lieAboutDigest = true;
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("model.safetensors arrived damaged: its digest is not sha256 000");
    server.lieAboutDigest = false;
    server.commit = "f".repeat(40); // what a commit lists does not change
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(1)).containsExactly(TABLE.row(1));
    }
  }

  @Test
  void checksTheDigestOfSmallFiles() {
    serveModel();
    server.lieAboutDigest = true;
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining(" arrived damaged: its digest is not ");
    assertThat(folder.resolve("cache/files/git-" + "f".repeat(40) + "/config.json")).doesNotExist();
  }

  @Test
  void inspectsWithoutTheTable() throws IOException {
    serveModel();
    Inspection seen = inspect(SPEC);
    assertThat(seen.input().shape()).containsExactly(3_000L, 16L);
    assertThat(seen.vocabulary().orElseThrow().tokens()).isEqualTo(2_990);
    assertThat(seen.rowsWithoutToken()).isEqualTo(10);
    assertThat(seen.tie().tie()).isEqualTo(Tie.TIED);
    assertThat(seen.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000);
    assertThat(server.bytesAskedOf("model.safetensors")).isEqualTo(Heads.FIRST);
  }

  @Test
  void tellsUntiedTablesApartByAFewParts() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server.withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.output()).isEmpty();
    }
    assertThat(server.bytesAskedOf("model.safetensors"))
        .isEqualTo(Heads.FIRST + TABLE.bytes() + 2 * 3 * 32_768);
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.output().orElseThrow().table().row(8)).containsExactly(output.row(8));
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
    }
  }

  @Test
  void excerptOpenedByItsPathNeverCallsAnUntiedModelTied() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server
        .withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output))
        .with("config.json", Sample.config(3_000)); // silent, which would count as tied
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(excerpt.output()).isEmpty();
      assertThat(excerpt.tie()).isEqualTo(Tie.NO_OUTPUT);
      assertThat(excerpt.tieEvidence()).contains("its source had an output table of its own");
    }
  }

  @Test
  void shardThatHoldsTheTableAloneNeverCallsAnUntiedModelTied() throws IOException {
    Sample.Tensor output = Sample.Tensor.of("lm_head.weight", 3_000, 16, 9);
    server
        .withLarge("model-00001-of-00002.safetensors", Sample.safetensors(TABLE))
        .withLarge("model-00002-of-00002.safetensors", Sample.safetensors(LAYER, output))
        .with("config.json", Sample.config(3_000));
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(excerpt.tie().isTied()).isFalse();
    }
  }

  @Test
  void excerptOfATiedModelStaysTied() throws IOException {
    serveModel();
    try (Lexicon model = open(SPEC);
        Lexicon excerpt = Models.open(model.origin().path())) {
      assertThat(model.tie()).isEqualTo(Tie.TIED);
      assertThat(excerpt.tie()).isEqualTo(Tie.TIED);
    }
  }

  @Test
  void inspectionListsEveryTensorOfTheModel() throws IOException {
    serveModel();
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactlyInAnyOrder("wte.weight", "h.0.mlp.weight", "h.1.mlp.weight");
  }

  @Test
  void comparesTablesWhosePartsAreEqualInFull() throws IOException {
    float[] almost = TABLE.numbers().clone();
    almost[10_000] += 1; // byte 40,000: in none of the parts that are compared first
    Sample.Tensor output = new Sample.Tensor("lm_head.weight", 3_000, 16, almost);
    server.withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE, output));
    assertThat(inspect(SPEC).tie().tie()).isEqualTo(Tie.UNKNOWN);
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.tieEvidence()).contains("differ from byte 40000");
    }
  }

  @Test
  void countsATableThatIsStoredTwiceOnce() throws IOException {
    server.withLarge(
        "model.safetensors", Sample.safetensors(LAYER, TABLE, TABLE.named("lm_head.weight")));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.tie()).isEqualTo(Tie.TIED_STORED_TWICE);
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 750 * 1_000);
    }
  }

  @Test
  void takesTheTensorThatTheUserNames() throws IOException {
    serveModel();
    try (Hub hub = Hub.of(settings);
        Lexicon model =
            hub.open(
                hub.parse(SPEC),
                Tables.INPUT,
                OpenOptions.DEFAULT.withTensor("h.0.mlp.weight"),
                notes)) {
      assertThat(model.input().table().row(749)).containsExactly(LAYER.row(749));
    }
  }

  @Test
  void asksWhichOfSeveralFiles() throws IOException {
    server
        .withLarge("a.safetensors", Sample.safetensors(LAYER, TABLE))
        .withLarge("b.safetensors", Sample.safetensors(LAYER, TABLE));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "hf:owner/name: the model has several weights files (a.safetensors, b.safetensors); name one, such as hf:owner/name:a.safetensors");
    open(SPEC + ":b.safetensors").close();
    assertThat(server.requests).noneMatch(r -> r.path().endsWith("/a.safetensors"));
  }

  @Test
  void saysWhatAModelWithoutReadableWeightsHas() {
    server.withLarge("flax_model.msgpack", new byte[100]).with("config.json", Sample.config(3));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("so nothing was fetched; it has flax_model.msgpack, config.json");
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
  void readsATokenizerOfSeveralFiles() throws IOException {
    server
        .withLarge("model.safetensors", Sample.safetensors(LAYER, TABLE))
        .with("vocab.json", Sample.text("{\"a\":0,\"b\":1,\"ab\":2}"))
        .with("merges.txt", Sample.text("#version: 0.2\na b\n"))
        .with("vocab.txt", Sample.text("not\nthis\n"));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.text(2)).isEqualTo("ab");
      assertThat(model.origin().path().resolve("merges.txt")).exists();
    }
    assertThat(server.requests).noneMatch(r -> r.path().endsWith("vocab.txt"));
  }

  @Test
  void keepsTheFolderThatTellsAStaticModel() throws IOException {
    server
        .withLarge(
            "0_StaticEmbedding/model.safetensors",
            Sample.safetensors(TABLE.named("embedding.weight")))
        .with("0_StaticEmbedding/tokenizer.json", Sample.tokenizer(3_000))
        .with("modules.json", Sample.text("[]"));
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(7)).containsExactly(TABLE.row(7));
      assertThat(model.text(7)).isEqualTo("w7");
      assertThat(model.origin().path().resolve("0_StaticEmbedding/model.safetensors")).exists();
    }
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
}

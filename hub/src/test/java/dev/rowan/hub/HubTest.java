package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is fetched of a model. */
class HubTest extends HubFixture {
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
  void fetchesATableOnceByWhateverNameItIsAskedFor() throws IOException {
    serveModel();
    open(SPEC).close();
    server.requests.clear();
    for (String same : List.of("@main", "@" + FakeHub.COMMIT, ":model.safetensors")) {
      open(SPEC + same).close();
    }
    server.commit = "f".repeat(40);
    open(SPEC).close();
    assertThat(server.bytesAskedOf("model.safetensors")).isZero();
  }

  @Test
  void reportsTheWholeModelsParameters() throws IOException {
    serveModel();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000);
    }
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
  void inspectionListsEveryTensorOfTheModel() throws IOException {
    serveModel();
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactlyInAnyOrder("wte.weight", "h.0.mlp.weight", "h.1.mlp.weight");
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
}

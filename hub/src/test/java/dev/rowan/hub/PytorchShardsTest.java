package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** PyTorch checkpoints in shards: only those with tables are read. */
class PytorchShardsTest extends HubFixture {
  private static final String INDEX = "pytorch_model.bin.index.json";
  private static final Sample.Tensor OUTPUT = Sample.Tensor.of("lm_head.weight", 3_000, 16, 5);

  private static String shard(int number) {
    return "pytorch_model-%05d-of-00003.bin".formatted(number);
  }

  private void serve(byte[] first, byte[] second, byte[] third) {
    String index =
        """
        {"metadata": {"total_size": 1}, "weight_map": {
          "wte.weight": "%1$s", "h.0.mlp.weight": "%1$s", "h.1.mlp.weight": "%2$s",
          "lm_head.weight": "%3$s", "gone": "%3$s"}}
        """
            .formatted(shard(1), shard(2), shard(3));
    server
        .with(INDEX, Sample.text(index))
        .withLarge(shard(1), first)
        .withLarge(shard(2), second)
        .withLarge(shard(3), third)
        .with("training_args.bin", Sample.text("never asked for"))
        .with("config.json", Sample.config(3_000))
        .withLarge("tokenizer.json", Sample.tokenizer(2_990));
  }

  private void serveZips() {
    serve(
        TorchSample.zip(TABLE, LAYER),
        TorchSample.zip(LAYER.named("h.1.mlp.weight")),
        TorchSample.zip(LAYER.named("h.2.mlp.weight"), OUTPUT));
  }

  private void serveLegacy() {
    serve(
        TorchSample.legacy(TABLE, LAYER),
        TorchSample.legacy(LAYER.named("h.1.mlp.weight")),
        TorchSample.legacy(LAYER.named("h.2.mlp.weight"), OUTPUT));
  }

  @Test
  void fetchesTheTablesOfTheirShardsAlone() throws IOException {
    serveZips();
    try (Lexicon model = open(settings, SPEC, Tables.INPUT_AND_OUTPUT)) {
      assertThat(model.input().table().row(2_999)).containsExactly(TABLE.row(2_999));
      assertThat(model.output().orElseThrow().table().row(1)).containsExactly(OUTPUT.row(1));
      assertThat(model.tie()).isEqualTo(Tie.UNTIED);
      assertThat(model.modelParameters()).hasValue(3 * 750_000 + 2 * 48_000);
      assertThat(model.notes())
          .contains("the index lists 1 tensor that no shard holds, such as \"gone\"; left out");
    }
    long looks = (128 << 10) + (82 << 10);
    long samples = 3 * (32 << 10);
    assertThat(server.bytesAskedOf(shard(1))).isLessThan(TABLE.bytes() + looks + samples);
    assertThat(server.bytesAskedOf(shard(2))).isLessThan(looks);
    assertThat(server.bytesAskedOf(shard(3))).isLessThan(OUTPUT.bytes() + looks + samples);
    assertThat(server.requests).noneMatch(request -> request.path().contains("training_args"));
  }

  @Test
  void inspectionListsTheTensorsOfAllShards() throws IOException {
    serveZips();
    assertThat(inspect(SPEC).tensors())
        .extracting(TensorInfo::name)
        .containsExactly(
            "wte.weight", "h.0.mlp.weight", "h.1.mlp.weight", "h.2.mlp.weight", "lm_head.weight");
  }

  @Test
  void readsTheIndexAtAnAddress() throws IOException {
    serveZips();
    try (Lexicon model = open(server.storeAddress() + "/" + INDEX)) {
      assertThat(model.input().table().row(4)).containsExactly(TABLE.row(4));
    }
    assertThat(server.bytesAskedOf(shard(2))).isLessThan(200 << 10);
  }

  @Test
  void fetchesOnlyTheOldShardsThatHoldTables() throws IOException {
    serveLegacy();
    try (Lexicon model = open(SPEC)) {
      assertThat(model.input().table().row(7)).containsExactly(TABLE.row(7));
      assertThat(model.output().orElseThrow().table().row(7)).containsExactly(OUTPUT.row(7));
      assertThat(model.origin().storedParameters()).isEmpty();
      assertThat(model.notes())
          .contains(
              "2 of the model's 3 shards are here, those that hold its tables; it has more tensors than are listed");
    }
    assertThat(server.bytesAskedOf(shard(2))).isLessThanOrEqualTo(128 << 10);
    assertThat(notes.heard)
        .singleElement()
        .asString()
        .contains("cannot be read in part (pytorch_model-00001")
        .contains(" is no zip archive), so all their ");
    server.requests.clear();
    open(offline(), SPEC, Tables.INPUT).close();
    assertThat(server.requests).isEmpty();
  }

  @Test
  void fetchesTheOldShardOfATensorThatTheUserNames() throws IOException {
    serveLegacy();
    OpenOptions named = OpenOptions.DEFAULT.withTensor("h.1.mlp.weight");
    try (Hub hub = Hub.of(settings);
        Lexicon model = hub.open(hub.parse(SPEC), Tables.INPUT, named, notes)) {
      assertThat(model.input().table().row(3)).containsExactly(LAYER.row(3));
    }
    assertThat(server.bytesAskedOf(shard(1))).isLessThanOrEqualTo(128 << 10);
  }

  @Test
  void refusesAShardThatTheModelDoesNotHave() throws IOException {
    serveZips();
    server.with(INDEX, Sample.text("{\"weight_map\": {\"wte.weight\": \"../../secret.bin\"}}"));
    assertThatThrownBy(() -> open(SPEC))
        .isInstanceOf(HubException.class)
        .hasMessage(
            "the index pytorch_model.bin.index.json names \"../../secret.bin\", which the model does not have");
    assertThatThrownBy(() -> open(server.storeAddress() + "/" + INDEX))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("leaves the model's folder");
  }
}

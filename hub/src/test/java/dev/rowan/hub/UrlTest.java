package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowan.core.Lexicon;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Weights that lie somewhere on the web. */
class UrlTest extends HubFixture {
  private String address(String name) {
    // the other host: for it there is no hub
    return server.storeAddress() + "/" + name;
  }

  @Test
  void opensTheTableWithWhatLiesBesideIt() throws IOException {
    serveModel();
    try (Lexicon model = open(address("model.safetensors"))) {
      assertThat(model.input().table().row(2_000)).containsExactly(TABLE.row(2_000));
      assertThat(model.text(7)).isEqualTo("w7");
      assertThat(model.origin().architecture()).contains("gpt2");
    }
    // its first byte says which version it is, then header and table
    assertThat(server.bytesAskedOf("model.safetensors")).isEqualTo(1 + Heads.FIRST + TABLE.bytes());
  }

  @Test
  void opensWithoutConfigAndTokenizer() throws IOException {
    server.withLarge("weights.safetensors", Sample.safetensors(LAYER, TABLE));
    try (Lexicon model = open(address("weights.safetensors"))) {
      assertThat(model.vocabulary()).isEmpty();
    }
  }

  @Test
  void asksForOneByteWhenTheFileIsInTheCache() throws IOException {
    serveModel();
    open(address("model.safetensors")).close();
    server.requests.clear();
    open(address("model.safetensors")).close();
    assertThat(server.requests).hasSize(1);
    assertThat(server.ranges("model.safetensors")).containsExactly("bytes=0-0");
  }

  @Test
  void fetchesAFileThatChanged() throws IOException {
    serveModel();
    open(address("model.safetensors")).close();
    Sample.Tensor other = Sample.Tensor.of("wte.weight", 3_000, 16, 77);
    server.withLarge("model.safetensors", Sample.safetensors(LAYER, other));
    try (Lexicon model = open(address("model.safetensors"))) {
      assertThat(model.input().table().row(4)).containsExactly(other.row(4));
    }
  }

  @Test
  void opensAnIndexAndItsShards() throws IOException {
    server
        .withLarge("a.safetensors", Sample.safetensors(LAYER))
        .withLarge("b.safetensors", Sample.safetensors(TABLE, LAYER.named("other.weight")))
        .withLarge(
            "model.safetensors.index.json",
            Sample.text(
                """
                {"weight_map":{"h.0.mlp.weight":"a.safetensors","wte.weight":"b.safetensors",
                 "other.weight":"b.safetensors"}}
                """));
    try (Lexicon model = open(address("model.safetensors.index.json"))) {
      assertThat(model.input().table().row(4)).containsExactly(TABLE.row(4));
      assertThat(model.modelParameters()).hasValue(3_000 * 16 + 2 * 750 * 1_000);
    }
  }

  @Test
  void doesNotSendTheTokenThere() throws IOException {
    serveModel();
    open(withToken("hf_secret"), address("model.safetensors"), Tables.INPUT).close();
    assertThat(server.requests).isNotEmpty().allMatch(r -> r.authorization().isEmpty());
  }

  @Test
  void namesAFileThatIsNotThere() {
    assertThatThrownBy(() -> open(address("model.safetensors")))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("there is no model.safetensors at localhost:");
  }

  @Test
  void doesNotTakeABrokenServerForAMissingFile() {
    serveModel();
    server.rule =
        (_, exchange) -> {
          if (exchange.getRequestURI().getPath().endsWith("config.json")) {
            FakeHub.send(exchange, 500, "");
            return true;
          }
          return false;
        };
    assertThatThrownBy(() -> open(address("model.safetensors")))
        .isInstanceOf(HubException.class)
        .hasMessageContaining("HTTP 500");
  }

  @Test
  void worksOfflineFromTheCache() throws IOException {
    serveModel();
    open(address("model.safetensors")).close();
    server.requests.clear();
    open(offline(), address("model.safetensors"), Tables.INPUT).close();
    assertThat(server.requests).isEmpty();
  }
}

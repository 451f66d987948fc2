package dev.rowan.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.rowan.core.Lexicon;
import dev.rowan.formats.OpenOptions;
import java.io.IOException;
import java.net.ProxySelector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A hub, a cache, and settings that do not wait long. */
abstract class HubFixture {
  static final String SPEC = "hf:owner/name";

  /** 3,000 rows of 16 numbers: 192,000 bytes. */
  static final Sample.Tensor TABLE = Sample.Tensor.of("wte.weight", 3_000, 16, 1);

  /** Three million bytes that nobody asks for. */
  static final Sample.Tensor LAYER = Sample.Tensor.of("h.0.mlp.weight", 750, 1_000, 2);

  static final Patience SHORT =
      new Patience(
          4,
          Duration.ofMillis(1),
          Duration.ofMillis(20),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20));

  @TempDir Path folder;
  FakeHub server;
  HubSettings settings;
  final Notes notes = new Notes();

  /** Remembers what it hears. */
  static final class Notes implements HubListener {
    final List<String> heard = new java.util.concurrent.CopyOnWriteArrayList<>();

    @Override
    public void noted(String note) {
      heard.add(note);
    }
  }

  @BeforeEach
  void startServer() throws IOException {
    server = new FakeHub();
    settings =
        new HubSettings(
            server.endpoint(),
            Optional.empty(),
            HubSettings.Network.ONLINE,
            folder.resolve("cache"),
            List.of(),
            ProxySelector.of(null),
            SHORT,
            new HubSettings.Transfer(3, 50_000, 50_000));
  }

  @AfterEach
  void stopServer() {
    server.close();
  }

  /** Puts a model of one file on the server: a large layer, the table, another layer. */
  void serveModel() {
    server
        .withLarge(
            "model.safetensors", Sample.safetensors(LAYER, TABLE, LAYER.named("h.1.mlp.weight")))
        .with("config.json", Sample.config(3_000))
        .withLarge("tokenizer.json", Sample.tokenizer(2_990))
        .with("README.md", Sample.text("never asked for"));
  }

  Lexicon open(String spec) throws IOException {
    return open(settings, spec, Tables.INPUT);
  }

  Lexicon open(HubSettings how, String spec, Tables tables) throws IOException {
    try (Hub hub = Hub.of(how)) {
      return hub.open(hub.parse(spec), tables, OpenOptions.DEFAULT, notes);
    }
  }

  Inspection inspect(String spec) throws IOException {
    try (Hub hub = Hub.of(settings)) {
      return hub.inspect(hub.parse(spec), OpenOptions.DEFAULT, notes);
    }
  }

  /** Checks that rows of the model on the server are as they are there. */
  void assertOpens() throws IOException {
    try (Lexicon model = open(SPEC)) {
      for (int row : new int[] {0, 1_500, 2_999}) {
        assertThat(model.input().table().row(row)).containsExactly(TABLE.row(row));
      }
    }
  }

  /** Tells whether somebody asks the store for a part of the table. */
  static boolean isTable(String host, HttpExchange exchange) {
    return host.equals("store")
        && exchange.getRequestURI().getPath().endsWith("model.safetensors")
        && !FakeHub.header(exchange, "Range").orElse("").startsWith("bytes=0-");
  }

  HubSettings offline() {
    return with(HubSettings.Network.OFFLINE, settings.token(), settings.otherCaches());
  }

  HubSettings withToken(String token) {
    return with(settings.network(), Optional.of(Token.of(token)), settings.otherCaches());
  }

  HubSettings withOtherCache(Path cache) {
    return with(settings.network(), settings.token(), List.of(cache));
  }

  HubSettings with(HubSettings.Network network, Optional<Token> token, List<Path> caches) {
    return new HubSettings(
        settings.endpoint(),
        token,
        network,
        settings.cache(),
        caches,
        settings.proxies(),
        settings.patience(),
        settings.transfer());
  }

  HubSettings withPatience(Patience patience) {
    return new HubSettings(
        settings.endpoint(),
        settings.token(),
        settings.network(),
        settings.cache(),
        settings.otherCaches(),
        settings.proxies(),
        patience,
        settings.transfer());
  }
}

package dev.rowan.app.web;

import dev.rowan.analysis.map.MapMethod;
import dev.rowan.analysis.map.Mapper;
import dev.rowan.analysis.map.PcaSettings;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.map.TsneSettings;
import dev.rowan.analysis.map.UmapSettings;
import dev.rowan.app.answers.Asking;
import dev.rowan.core.NamedTable;
import dev.rowan.core.RowStatistics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Maps: computed while the visitor watches, then fetched as numbers. */
final class MapEndpoints {
  private static final int MOST_WORDS_TEXT = 12_000; // what an address can carry

  private final ServedModels models;
  private final MapStore store = new MapStore();

  MapEndpoints(ServedModels models) {
    this.models = models;
  }

  /** The tokens of a map's points, in their order. */
  record MapTokens(List<String> tokens) {}

  List<Endpoint> all() {
    Parameter key = Parameter.text("key", 64, "The key of a map, from its event.");
    return List.of(
        Endpoint.of(
            Api.ROOT + "map",
            "Computes a map while the connection lasts. Events: progress, frame (where the points"
                + " are by now), map (it is ready; its key fetches points and tokens), failed, done.",
            List.of(
                Api.model(),
                Parameter.choice("method", List.of("pca", "tsne", "umap"), "How it is drawn."),
                Parameter.text("words", MOST_WORDS_TEXT, "Words with spaces between them.")
                    .optional(),
                Parameter.whole(
                    "first",
                    0,
                    0,
                    10_000_000,
                    "The first rows of the table instead of words; 0 for all rows."),
                Parameter.choice(
                    "metric", List.of("cosine", "euclidean"), "How rows are compared."),
                Parameter.whole("seed", 1, 0, Long.MAX_VALUE, "Of everything random in it."),
                Parameter.whole("perplexity", 30, 1, 1000, "t-SNE: neighbours taken seriously."),
                Parameter.whole("iterations", 750, 1, 10_000, "t-SNE: steps of the layout."),
                Parameter.whole("neighbours", 15, 2, 1000, "UMAP: rows of a neighbourhood.")),
            Endpoint.EVENTS,
            Optional.of(Mapped.class),
            this::map),
        Endpoint.of(
            Api.ROOT + "map/points",
            "The points of a map, little-endian, one array after the other: id as int32, then x, y,"
                + " reliability and norm as float32 (reliability NaN where it was not measured).",
            List.of(key),
            Endpoint.BINARY,
            Optional.empty(),
            this::points),
        Endpoint.json(
            Api.ROOT + "map/tokens",
            "The tokens of a map's points, in their order.",
            MapTokens.class,
            this::tokens,
            key));
  }

  private Answer map(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    MapMethod method = method(question);
    Optional<String> words = question.optionalText("words").filter(w -> !w.isBlank());
    long rows = served.table().table().rows();
    long first = question.whole("first") == 0 ? rows : Math.min(rows, question.whole("first"));
    String key = key(served.name() + "\n" + method + "\n" + words.orElse("#" + first));
    Optional<MapStore.Stored> known = store.find(key);
    if (known.isPresent()) {
      return new Answer.Events(listener -> listener.event("map", Mapped.of(known.get())));
    }
    Mapped.Listed listed =
        words.isPresent() ? listed(served, words.get()) : new Mapped.Listed(List.of(), List.of());
    long[] ids =
        words.isPresent()
            ? listed.ids().stream()
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .distinct()
                .toArray()
            : LongStream.range(0, first).toArray();
    if (ids.length == 0) {
      throw new Refusal(400, "none of the words is a single token of this model");
    }
    return new Answer.Events(listener -> {
      Mapper mapper = Mapper.over(served.table().table(), served.workers());
      MapWatch watch = new MapWatch(listener, ids.length);
      TableMap map =
          ids.length == rows ? mapper.mapAll(method, watch) : mapper.map(method, watch, ids);
      MapStore.Stored stored = new MapStore.Stored(key, served, map, listed);
      store.keep(stored);
      listener.event("map", Mapped.of(stored));
    });
  }

  private static MapMethod method(Question question) {
    long seed = question.whole("seed");
    var metric =
        dev.rowan.core.Metric.valueOf(question.choice("metric").toUpperCase(java.util.Locale.ROOT));
    return switch (question.choice("method")) {
      case "pca" -> new PcaSettings(metric, seed);
      case "umap" ->
          UmapSettings.defaults()
              .withMetric(metric)
              .withSeed(seed)
              .withNeighbours((int) question.whole("neighbours"));
      default ->
          TsneSettings.defaults()
              .withMetric(metric)
              .withSeed(seed)
              .withPerplexity((double) question.whole("perplexity"))
              .withSchedule(
                  TsneSettings.Schedule.DEFAULT.withIterations((int) question.whole("iterations")));
    };
  }

  private static Mapped.Listed listed(ServedModel served, String words) throws IOException {
    Asking asking = new Asking(served, served.table());
    List<OptionalLong> ids = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (String word : words.strip().split("\\s+", -1)) {
      try {
        ids.add(OptionalLong.of(asking.named(word).id()));
      } catch (IllegalArgumentException _) {
        ids.add(OptionalLong.empty()); // no single token: said beside the map
        leftOut.add(word);
      }
    }
    return new Mapped.Listed(ids, leftOut);
  }

  private static String key(String asked) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(asked.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private MapStore.Stored stored(Question question) {
    return store
        .find(question.text("key"))
        .orElseThrow(() -> new Refusal(404, "there is no such map any more; ask for it again"));
  }

  private Answer points(Question question) throws IOException {
    MapStore.Stored stored = stored(question);
    TableMap map = stored.map();
    NamedTable table = stored.model().table();
    RowStatistics statistics = table.table().statistics(stored.model().workers());
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(map.points(), 5 * 4)).order(ByteOrder.LITTLE_ENDIAN);
    for (long id : map.ids()) {
      bytes.putInt((int) id);
    }
    for (double x : map.x()) {
      bytes.putFloat((float) x);
    }
    for (double y : map.y()) {
      bytes.putFloat((float) y);
    }
    for (float reliability : map.quality().reliability()) {
      bytes.putFloat(reliability);
    }
    for (long id : map.ids()) {
      bytes.putFloat(statistics.norm(id));
    }
    return new Answer.Bytes(bytes.array(), Endpoint.BINARY);
  }

  private MapTokens tokens(Question question) throws IOException {
    MapStore.Stored stored = stored(question);
    List<String> tokens = new ArrayList<>();
    for (long id : stored.map().ids()) {
      tokens.add(stored.model().asked().text(id));
    }
    return new MapTokens(tokens);
  }
}

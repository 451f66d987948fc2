package dev.rowan.hub;

import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.convention.TableNames;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Those shards of a model that hold its tables by what their names say, where shards can only be
 * fetched whole.
 *
 * @param shardOf which of them holds which tensor
 * @param all how many shards the model has
 */
record NeededShards(Map<String, String> shardOf, int all) {

  /** Returns what fetches a model whole, or the shards that are needed of it. */
  static WholeModel of(
      RemoteSpec spec, Fetcher fetcher, Weights weights, OpenOptions options, NotInParts why)
      throws IOException {
    Optional<String> reason = Optional.ofNullable(why.getMessage());
    if (weights.index().isEmpty()) {
      return new WholeModel(spec, fetcher, weights.whole(), reason, Optional.empty());
    }
    Map<String, String> shardOf = RemoteModel.shardOf(fetcher, weights);
    Weights used = RemoteModel.used(weights, shardOf.values());
    WholeModel whole = new WholeModel(spec, fetcher, used.whole(), reason, Optional.empty());
    Set<String> shards = shards(shardOf, options.tensor());
    int count = used.files().size();
    if (whole.elsewhere().isPresent() || shards.isEmpty() || shards.size() == count) {
      return whole;
    }
    Map<String, String> kept = new LinkedHashMap<>(shardOf);
    kept.values().retainAll(shards);
    Weights needed = RemoteModel.used(used, shards);
    return new WholeModel(
        spec, fetcher, needed.whole(), reason, Optional.of(new NeededShards(kept, count)));
  }

  /** Returns the shards of what may be tables, none if no name says so. */
  private static Set<String> shards(Map<String, String> shardOf, Optional<String> named) {
    Set<String> shards = new HashSet<>();
    boolean input = named.isPresent() && shardOf.containsKey(named.get());
    for (var entry : shardOf.entrySet()) {
      boolean isInput =
          named.isPresent()
              ? entry.getKey().equals(named.get())
              : TableNames.isInput(entry.getKey());
      input |= isInput;
      if (isInput || TableNames.isOutput(entry.getKey())) {
        shards.add(entry.getValue());
      }
    }
    return input ? shards : Set.of();
  }

  /** Returns an index of these shards alone. */
  String index() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeObjectPropertyStart("weight_map");
      shardOf.forEach(json::writeStringProperty);
      json.writeEndObject();
      json.writeEndObject();
    }
    return text.toString();
  }

  /** Returns what a user should know. */
  String note() {
    return "%,d of the model's %,d shards are here, those that hold its tables; it has more tensors than are listed"
        .formatted(Set.copyOf(shardOf.values()).size(), all);
  }
}

package dev.rowan.app.cli;

import dev.rowan.core.Lexicon;
import dev.rowan.formats.OpenOptions;
import dev.rowan.hub.Hub;
import dev.rowan.hub.HubSettings;
import dev.rowan.hub.Inspection;
import dev.rowan.hub.Tables;
import java.io.IOException;

/** Models that lie on the web. Nothing here is loaded before the user names one. */
final class RemoteModels {
  private final Surroundings surroundings;

  RemoteModels(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Opens a model with the tables that are wanted, fetching what the cache does not have. */
  Lexicon open(String spec, Tables tables, OpenOptions options) throws IOException {
    try (Hub hub = Hub.of(settings());
        FetchProgress progress = new FetchProgress(surroundings)) {
      return hub.open(hub.parse(spec), tables, options, progress);
    }
  }

  /** As {@link #open}, whatever it costs. */
  Lexicon pull(String spec, Tables tables, OpenOptions options) throws IOException {
    try (Hub hub = Hub.of(settings());
        FetchProgress progress = new FetchProgress(surroundings)) {
      return hub.pull(hub.parse(spec), tables, options, progress);
    }
  }

  /** Reads what a model's headers say. */
  Inspection inspect(String spec, OpenOptions options) throws IOException {
    try (Hub hub = Hub.of(settings());
        FetchProgress progress = new FetchProgress(surroundings)) {
      return hub.inspect(hub.parse(spec), options, progress);
    }
  }

  private HubSettings settings() {
    return HubSettings.of(surroundings.environment());
  }
}

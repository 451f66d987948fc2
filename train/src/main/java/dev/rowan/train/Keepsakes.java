package dev.rowan.train;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a checkpoint tells before any text is read, whatever the training learns.
 *
 * @param settings of the training by name, as its settings write themselves as text
 * @param texts those of {@link CheckpointPlan#keepsakes}; empty if there were none
 */
public record Keepsakes(Map<String, String> settings, Map<String, String> texts) {
  /** Of a training that begins. */
  public static final Keepsakes NONE = new Keepsakes(Map.of(), Map.of());

  /** Copies both. */
  public Keepsakes {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
  }

  /** Returns a text, if there is one of that name. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(texts.get(name));
  }

  /**
   * Reads them. Cost: the header and the texts.
   *
   * @throws FormatException if the file is no checkpoint, or damaged
   */
  public static Keepsakes of(Path checkpoint) throws IOException {
    try (CheckpointFile file = CheckpointFile.openAny(checkpoint)) {
      return new Keepsakes(file.settings(), file.keepsakes());
    }
  }
}

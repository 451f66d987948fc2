package dev.rowan.core;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where a lexicon came from.
 *
 * @param path the file or folder that was opened
 * @param format the file format, such as {@code safetensors} or {@code onnx}
 * @param architecture what the model's config calls itself, such as {@code gpt2}
 * @param storedParameters how many parameters the file stores, a table stored twice counted twice;
 *     see {@link Lexicon#modelParameters} for the model's own number
 * @param notes one sentence each on anything a user should know about how the file was read
 * @param texts what the file says of itself, by name in its order, such as {@code general.license}
 */
public record Origin(
    Path path,
    String format,
    Optional<String> architecture,
    OptionalLong storedParameters,
    List<String> notes,
    Map<String, String> texts) {

  /** The text that says from where a remote model was fetched, such as {@code hf:owner/name}. */
  public static final String REMOTE = "rowan.source.model";

  /** The text that says which version of a remote model that was. */
  public static final String VERSION = "rowan.source.version";

  /** Copies notes and texts. */
  public Origin {
    notes = List.copyOf(notes);
    texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
  }

  /** Returns where a lexicon came from whose file says nothing of itself. */
  public Origin(
      Path path,
      String format,
      Optional<String> architecture,
      OptionalLong storedParameters,
      List<String> notes) {
    this(path, format, architecture, storedParameters, notes, Map.of());
  }
}

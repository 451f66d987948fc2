package dev.rowan.formats;

import dev.rowan.core.Workers;
import dev.rowan.formats.safetensors.SafetensorsHeader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How to open a model where its own files do not say, or say something else.
 *
 * @param tensor the name of the tensor to take as the input table, whatever the conventions say
 * @param tokenizer the tokenizer file to take, instead of the one beside the model
 * @param headerLimit the longest safetensors header to accept, in bytes, 2 or more
 * @param workers who parses text formats; if empty, one thread per processor while a file is opened
 */
public record OpenOptions(
    Optional<String> tensor,
    Optional<Path> tokenizer,
    long headerLimit,
    Optional<Workers> workers) {
  /** Find everything, accept headers as the reference implementation does. */
  public static final OpenOptions DEFAULT =
      new OpenOptions(
          Optional.empty(), Optional.empty(), SafetensorsHeader.DEFAULT_LIMIT, Optional.empty());

  /** Checks the limit. */
  public OpenOptions {
    if (headerLimit < 2) {
      throw new IllegalArgumentException(
          "header limit %,d is below 2, the shortest header".formatted(headerLimit));
    }
  }

  /** Returns these options with the input table's tensor chosen by name. */
  public OpenOptions withTensor(String name) {
    return new OpenOptions(Optional.of(name), tokenizer, headerLimit, workers);
  }

  /** Returns these options with another tokenizer file. */
  public OpenOptions withTokenizer(Path file) {
    return new OpenOptions(tensor, Optional.of(file), headerLimit, workers);
  }

  /** Returns these options with another limit for safetensors headers, in bytes. */
  public OpenOptions withHeaderLimit(long bytes) {
    return new OpenOptions(tensor, tokenizer, bytes, workers);
  }

  /** Returns these options with the threads that parse text formats; they are not closed here. */
  public OpenOptions withWorkers(Workers workers) {
    return new OpenOptions(tensor, tokenizer, headerLimit, Optional.of(workers));
  }
}

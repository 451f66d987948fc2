package dev.rowan.hub;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A model in the cache.
 *
 * @param source the model, as it was asked for
 * @param commit its version
 * @param tables the tensors that are here
 * @param bytes that it takes; what several models share counts for each
 * @param lastUsed when it was last opened
 * @param folder where it is
 * @param files the files that it uses, as {@code IDENTITY/NAME}
 */
public record Cached(
    String source,
    String commit,
    List<String> tables,
    long bytes,
    Instant lastUsed,
    Path folder,
    List<String> files) {

  /** Copies the lists. */
  public Cached {
    tables = List.copyOf(tables);
    files = List.copyOf(files);
  }
}

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
 * @param bytes that it takes on the disk; what several models share counts for each
 * @param lastUsed when it was last opened
 * @param folders where it is: one for each set of tables it was opened with, the last used first
 * @param files the files that it uses, as {@code IDENTITY/NAME}
 */
public record Cached(
    String source,
    String commit,
    List<String> tables,
    long bytes,
    Instant lastUsed,
    List<Path> folders,
    List<String> files) {

  /** Copies the lists. */
  public Cached {
    folders = List.copyOf(folders);
    tables = List.copyOf(tables);
    files = List.copyOf(files);
  }

  /** Returns the folder that was opened last. */
  public Path folder() {
    return folders.getFirst();
  }
}

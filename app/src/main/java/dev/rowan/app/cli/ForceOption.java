package dev.rowan.app.cli;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Whether files that are there already may be replaced: the same rule for every verb that writes.
 * Folders are never replaced; only an empty one is written into.
 */
final class ForceOption {
  @Option(names = "--force", description = "Replace files that are there already.")
  boolean force;

  /**
   * Checks a file to be written, before anything is computed; a folder is for its writer to check.
   *
   * @throws UseException if it is there and may not be replaced
   */
  void check(Path file) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(file)) {
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UseException(
          "%s is a device or a pipe; name a file, which is written beside it and then renamed"
              .formatted(file));
    }
    if (!force) {
      throw new UseException(
          "%s is there already; --force replaces it, or name another file".formatted(file));
    }
  }
}

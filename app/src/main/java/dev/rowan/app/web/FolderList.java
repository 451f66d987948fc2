package dev.rowan.app.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files under a folder that visitors may name. Links in it are not followed. */
final class FolderList {
  private static final int MOST = 500;

  private FolderList() {}

  /**
   * Returns files by what visitors call them, sorted: the folder's name, then the way in it.
   *
   * @param root a folder, as it really is
   * @param depth how deep to look
   * @param wanted which files count
   */
  static Map<String, Path> of(Path root, int depth, Predicate<Path> wanted) throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    Path name = root.getFileName();
    try (Stream<Path> walk = Files.walk(root, depth)) {
      walk.filter(Files::isRegularFile)
          .filter(file -> !Files.isSymbolicLink(file))
          .filter(wanted)
          .sorted()
          .limit(MOST)
          .forEach(file ->
              files.put(
                  (name == null ? "" : name + "/")
                      + root.relativize(file).toString().replace('\\', '/'),
                  file));
    } catch (UncheckedIOException e) {
      throw new IOException("%s cannot be searched".formatted(root), e);
    }
    return files;
  }

  /** Returns what stands behind the last dot of a file's name, in lower case; empty without one. */
  static String ending(Path file) {
    return ending(file.getFileName().toString());
  }

  /** Returns what stands behind the last dot of a name, in lower case; empty without one. */
  static String ending(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
  }
}

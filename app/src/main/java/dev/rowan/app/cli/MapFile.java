package dev.rowan.app.cli;

import dev.rowan.analysis.picture.Drawing;
import dev.rowan.formats.file.NewFile;
import dev.rowan.hub.CacheFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A file that a map is written to.
 *
 * @param path where
 * @param kind what, by the ending of the name
 */
record MapFile(Path path, Kind kind) {
  private static final double PNG_SCALE = 2; // 192 pixels to the inch

  /** What a file holds. */
  enum Kind {
    svg,
    png,
    json,
    tsv
  }

  /** Checks what the user typed, before anything is computed. */
  static MapFile of(String typed) {
    Path path;
    try {
      path = Path.of(typed);
    } catch (InvalidPathException e) {
      throw new UseException("%s is no path: %s".formatted(Visible.quoted(typed), e.getReason()));
    }
    String name = typed.toLowerCase(Locale.ROOT);
    Kind kind =
        Arrays.stream(Kind.values())
            .filter(k -> name.endsWith("." + k))
            .findFirst()
            .orElseThrow(() ->
                new UseException(
                    "the ending of %s names no format; it takes %s"
                        .formatted(
                            Visible.quoted(typed),
                            Arrays.stream(Kind.values())
                                .map(k -> "." + k)
                                .collect(Collectors.joining(", ")))));
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UseException(
          "there is no folder %s to write %s into; make it first"
              .formatted(folder, Visible.quoted(typed)));
    }
    if (Files.isDirectory(path)) {
      throw new UseException("%s is a folder; name a file in it".formatted(Visible.quoted(typed)));
    }
    return new MapFile(path, kind);
  }

  /** Returns the picture of the tour in the cache folder, which is made if it is not there. */
  static MapFile inCache(Map<String, String> environment) throws IOException {
    Path folder = CacheFolder.of(environment);
    Files.createDirectories(folder);
    return new MapFile(folder.resolve("tour-map.svg"), Kind.svg);
  }

  /**
   * Writes the map: whole, or not at all.
   *
   * @param place where: the path, or a name that it has until it is whole
   */
  void write(Path place, WordMap map, Drawing drawing) throws IOException {
    byte[] bytes =
        switch (kind) {
          case svg -> drawing.svg();
          case png -> drawing.png(PNG_SCALE);
          case json ->
              (Json.object(json -> MapAnswer.write(json, map)) + "\n")
                  .getBytes(StandardCharsets.UTF_8);
          case tsv -> MapAnswer.tsv(map).getBytes(StandardCharsets.UTF_8);
        };
    NewFile.write(place, file -> file.append(MemorySegment.ofArray(bytes)));
  }
}

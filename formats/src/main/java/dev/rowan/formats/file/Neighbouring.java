package dev.rowan.formats.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Finds files that a model file names as its own parts (shards, external data). The names come from
 * the file and are not trusted: a part must lie in the model's folder, also once symbolic links are
 * followed.
 *
 * <p>Download caches keep the folder's own files as links into a store of blobs. So if the model
 * file is itself a link, its parts may also lie where the model file really lies.
 */
public final class Neighbouring {
  private Neighbouring() {}

  /**
   * Returns the place of a part by its name alone, without looking at the disk.
   *
   * @param model the file that names the part
   * @param part the name, relative to the model's folder, with {@code /} between folders
   * @throws FormatException if the name is empty, absolute, or climbs with {@code ..}
   */
  public static Path named(Path model, String part) {
    if (part.isBlank()) {
      throw new FormatException(model, "names a part of the model with an empty file name");
    }
    boolean drive = part.length() > 1 && part.charAt(1) == ':';
    if (part.startsWith("/") || drive || part.indexOf('\\') >= 0 || part.indexOf('\0') >= 0) {
      throw new FormatException(model, refusal(part, "is not a plain relative path"));
    }
    Path relative;
    try {
      relative = Path.of(part);
    } catch (InvalidPathException e) {
      throw new FormatException(model, refusal(part, "is not a path here: " + e.getReason()));
    }
    if (relative.isAbsolute()) {
      throw new FormatException(model, refusal(part, "is not a plain relative path"));
    }
    for (Path step : relative) {
      if (step.toString().equals("..")) {
        throw new FormatException(model, refusal(part, "leaves the model's folder"));
      }
    }
    return folder(model).resolve(relative);
  }

  /**
   * Returns the file of a part, checked to lie in the model's folder once links are followed.
   *
   * @throws FormatException if the name is not allowed, no such file is there, or links lead
   *     outside
   */
  public static Path find(Path model, String part) throws IOException {
    Path place = named(model, part);
    boolean link = Files.isSymbolicLink(model);
    if (!Files.exists(place) && link) {
      place = named(model.toRealPath(), part);
    }
    if (!Files.isRegularFile(place)) {
      throw new FormatException(
          model,
          "its part \"%s\" is missing from %s; copy or download the whole model"
              .formatted(part, folder(model)));
    }
    Path real = place.toRealPath();
    boolean inside = real.startsWith(folder(model).toRealPath());
    boolean inStore = link && real.startsWith(folder(model.toRealPath()));
    if (!inside && !inStore) {
      throw new FormatException(model, refusal(part, "is a link that leads out of the folder"));
    }
    return place;
  }

  private static String refusal(String part, String why) {
    return "names a part of the model \"%s\", which %s; it is not opened".formatted(part, why);
  }

  private static Path folder(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IllegalArgumentException("\"" + file + "\" lies in no folder");
    }
    return parent;
  }
}

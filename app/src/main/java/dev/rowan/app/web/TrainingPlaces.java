package dev.rowan.app.web;

import dev.rowan.app.answers.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where a training started from the pages may read and write. A visitor names a text by its entry
 * in {@link #texts}, and results are named by this program, so no text of a request becomes a path.
 *
 * @param corpora folders whose texts may be learned from; links in them are not followed
 * @param save where results stay; without it they are gone when the server ends
 */
public record TrainingPlaces(List<Path> corpora, Optional<Path> save) {
  private static final int DEPTH = 3;
  private static final Set<String> TEXTS = Set.of("txt", "text", "md");
  private static final Set<String> PACKED = Set.of("gz", "zst");

  /** Neither texts nor a place for results. */
  public static final TrainingPlaces NONE = new TrainingPlaces(List.of(), Optional.empty());

  /** Copies the list. */
  public TrainingPlaces {
    corpora = List.copyOf(corpora);
  }

  /**
   * Returns the same places with the folders as they really are.
   *
   * @throws IOException if one of them is no folder
   */
  public TrainingPlaces checked() throws IOException {
    for (Path folder : Stream.concat(corpora.stream(), save.stream()).toList()) {
      if (!Files.isDirectory(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
    }
    return this;
  }

  /** Returns the texts of the folders by what visitors call them, as they are now. */
  Map<String, Path> texts() throws IOException {
    Map<String, Path> texts = new LinkedHashMap<>();
    for (Path folder : corpora) {
      FolderList.of(folder.toRealPath(), DEPTH, TrainingPlaces::isText).forEach(texts::putIfAbsent);
    }
    return texts;
  }

  /**
   * Returns a text.
   *
   * @throws Refusal if there is none of that name
   */
  Path text(String name) throws IOException {
    Path text = texts().get(name);
    if (text == null) {
      throw new Refusal(
          404,
          "there is no text %s here; /api/v1/training lists them".formatted(Shown.quoted(name)));
    }
    return text;
  }

  /** A packed file is what the ending before tells; one without is taken for text. */
  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    String ending = FolderList.ending(name);
    if (name.startsWith(".")) {
      return false;
    }
    if (!PACKED.contains(ending)) {
      return TEXTS.contains(ending);
    }
    String packed = FolderList.ending(name.substring(0, name.length() - ending.length() - 1));
    return packed.isEmpty() || TEXTS.contains(packed);
  }
}

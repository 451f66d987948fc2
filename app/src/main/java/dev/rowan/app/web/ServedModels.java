package dev.rowan.app.web;

import dev.rowan.app.answers.OpenModel;
import dev.rowan.app.answers.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The models that visitors may ask: those named when the server started, and those found under the
 * allowed folders. A visitor names a model by its entry in {@link #names}; what is no entry is
 * refused, so no text of a request becomes a path.
 *
 * <p>Safe for any number of threads.
 */
public final class ServedModels {
  private static final int DEPTH = 4;
  private static final int MOST_OPEN = 8;
  private static final Set<String> ENDINGS =
      Set.of("safetensors", "onnx", "gguf", "bin", "pt", "pth", "npy", "npz", "vec");

  private final Map<String, ServedModel> open = new LinkedHashMap<>();
  private final Map<String, Path> found = new LinkedHashMap<>();
  private final Opener opener;
  private int openedLater;

  /** Opens a model of an allowed folder. */
  @FunctionalInterface
  public interface Opener {
    /** Opens the model; it stays open as long as the server runs. */
    OpenModel open(Path path) throws IOException;
  }

  /**
   * Names the models.
   *
   * @param named what to call the models that were named at start, and the models; one or more
   * @param roots folders whose models may be opened; links in them are not followed
   * @param opener opens those
   * @throws IOException if a folder cannot be read
   */
  public ServedModels(Map<String, ? extends OpenModel> named, List<Path> roots, Opener opener)
      throws IOException {
    if (named.isEmpty()) {
      throw new IllegalArgumentException("there is no model to serve; name one or more");
    }
    named.forEach((name, model) -> open.put(name, new ServedModel(name, model)));
    this.opener = opener;
    for (Path root : roots) {
      FolderList.of(root.toRealPath(), DEPTH, file -> ENDINGS.contains(FolderList.ending(file)))
          .forEach(found::putIfAbsent);
    }
  }

  /** Lets visitors open a table that was trained here; returns what to call it. */
  synchronized String trained(String name, Path file) {
    String called = "trained/" + name;
    found.putIfAbsent(called, file);
    return called;
  }

  /** Returns what visitors may name, the usual model first. */
  synchronized List<String> names() {
    Set<String> names = new LinkedHashSet<>(open.keySet());
    names.addAll(found.keySet());
    return List.copyOf(names);
  }

  /** Returns whether a model is open already. */
  synchronized boolean isOpen(String name) {
    return open.containsKey(name);
  }

  /**
   * Returns a model; the first one if no name is given.
   *
   * @throws Refusal if there is none of that name, or too many are open
   */
  synchronized ServedModel model(Optional<String> name) throws IOException {
    if (name.isEmpty()) {
      return open.values().iterator().next();
    }
    ServedModel known = open.get(name.get());
    if (known != null) {
      return known;
    }
    Path path = found.get(name.get());
    if (path == null) {
      throw new Refusal(
          404,
          "there is no model %s here; /api/v1/models lists them"
              .formatted(Shown.quoted(name.get())));
    }
    if (openedLater >= MOST_OPEN) {
      throw new Refusal(
          503,
          "%d further models are open and no more are opened; start the server anew"
              .formatted(MOST_OPEN));
    }
    ServedModel opened = new ServedModel(name.get(), opener.open(path));
    opened.lexicon(); // a file that cannot be read is refused here and not counted
    openedLater++;
    open.put(name.get(), opened);
    return opened;
  }
}

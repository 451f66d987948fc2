package dev.rowan.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What huggingface_hub keeps on this machine, read only:
 *
 * <pre>
 *   models--owner--name/refs/REVISION        the commit, 40 hexadecimal digits
 *   models--owner--name/snapshots/COMMIT/…   the files, mostly links into ../../blobs
 * </pre>
 */
final class HuggingFaceCache {
  private static final long LONGEST_REF = 200;

  private final List<Path> folders;

  HuggingFaceCache(List<Path> folders) {
    this.folders = folders;
  }

  /** Returns where such caches are, by huggingface_hub's own rules; they need not exist. */
  static List<Path> folders(Map<String, String> environment) {
    String home = System.getProperty("user.home", ".");
    List<Path> folders = new ArrayList<>();
    String direct = environment.getOrDefault("HF_HUB_CACHE", "");
    String older = environment.getOrDefault("HUGGINGFACE_HUB_CACHE", "");
    String hfHome = environment.getOrDefault("HF_HOME", "");
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (!direct.isEmpty()) {
      folders.add(Path.of(expanded(direct, home)));
    } else if (!older.isEmpty()) {
      folders.add(Path.of(expanded(older, home)));
    } else if (!hfHome.isEmpty()) {
      folders.add(Path.of(expanded(hfHome, home), "hub"));
    } else if (!xdg.isEmpty()) {
      folders.add(Path.of(expanded(xdg, home), "huggingface", "hub"));
    } else {
      folders.add(Path.of(home, ".cache", "huggingface", "hub"));
    }
    return folders;
  }

  private static String expanded(String path, String home) {
    return path.startsWith("~/") ? home + path.substring(1) : path;
  }

  /** Returns the commit that a revision stood for when it was last fetched. */
  Optional<String> commit(String repository, String revision) {
    for (Path model : models(repository)) {
      Path ref = model.resolve("refs").resolve(revision);
      try {
        if (ref.normalize().startsWith(model)
            && Files.isRegularFile(ref)
            && Files.size(ref) <= LONGEST_REF) {
          String commit = Files.readString(ref).strip();
          if (HubSpec.isCommit(commit)) {
            return Optional.of(commit);
          }
        }
      } catch (IOException e) {
        System.getLogger(HuggingFaceCache.class.getName())
            .log(System.Logger.Level.DEBUG, "a cache that cannot be read holds nothing for us", e);
      }
    }
    return Optional.empty();
  }

  /** Returns the folder of a commit's files, which may be some of them only. */
  Optional<Path> snapshot(String repository, String commit) {
    return models(repository).stream()
        .map(model -> model.resolve("snapshots").resolve(commit))
        .filter(Files::isDirectory)
        .findFirst();
  }

  /** Returns a file of a commit. */
  Optional<Path> file(String repository, String commit, String name) {
    return snapshot(repository, commit)
        .map(folder -> folder.resolve(name))
        .filter(Files::isRegularFile);
  }

  private List<Path> models(String repository) {
    String name = "models--" + repository.replace("/", "--");
    return folders.stream().map(folder -> folder.resolve(name)).filter(Files::isDirectory).toList();
  }
}

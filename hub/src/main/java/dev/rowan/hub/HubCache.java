package dev.rowan.hub;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is kept of remote models: lists it and makes room. Safe beside running downloads; a model
 * that is open elsewhere stays readable there on systems that allow removing open files, and stays
 * in the cache on others.
 */
public final class HubCache {
  /** What no model uses may just be about to be used, so it is left alone for a while. */
  private static final Duration GRACE = Duration.ofHours(1);

  private final Store store;

  private HubCache(Store store) {
    this.store = store;
  }

  /** Returns the cache of these settings. */
  public static HubCache of(HubSettings settings) {
    return new HubCache(new Store(settings.cache()));
  }

  /** Which of the files that no model uses are removed. */
  public enum LeftOvers {
    /** Those that nobody touched for an hour; others may be about to be used. */
    OLD,
    /** All but those that are being fetched right now. */
    ALL
  }

  /** Whether to remove or only to say what would be removed. */
  public enum Mode {
    /** Remove. */
    REMOVE,
    /** Only say. */
    REHEARSE
  }

  /**
   * What pruning did.
   *
   * @param models those removed
   * @param files how many files went
   * @param bytes how many bytes they took
   */
  public record Pruned(List<Cached> models, long files, long bytes) {
    /** Copies the list. */
    public Pruned {
      models = List.copyOf(models);
    }
  }

  /** Returns the folder. */
  public Path folder() {
    return store.folder();
  }

  /**
   * Returns how many bytes the models and all that was fetched take, unfinished downloads included.
   * A file of several names counts once.
   */
  public long bytes() throws IOException {
    Usage usage = new Usage();
    usage.add(store.files());
    for (Path key : entries(store.models())) {
      usage.add(key.resolve("opened"));
    }
    return usage.bytes();
  }

  /**
   * Returns the models, the one used last first. One that was opened with its input table and then
   * with both is one model.
   */
  public List<Cached> models() throws IOException {
    Map<List<String>, List<Opened>> byVersion = new LinkedHashMap<>();
    for (Path key : entries(store.models())) {
      for (Path folder : entries(key.resolve("opened"))) {
        read(folder)
            .ifPresent(opened ->
                byVersion
                    .computeIfAbsent(List.of(opened.source, opened.commit), _ -> new ArrayList<>())
                    .add(opened));
      }
    }
    List<Cached> models = new ArrayList<>();
    for (List<Opened> folders : byVersion.values()) {
      models.add(together(folders));
    }
    models.sort(Comparator.comparing(Cached::lastUsed).reversed().thenComparing(Cached::source));
    return models;
  }

  /**
   * Removes models, then what no model uses any more: files, headers that were only looked at, and
   * downloads that nobody went on with.
   *
   * @param unwanted which models to remove
   */
  public Pruned prune(Predicate<Cached> unwanted, LeftOvers leftOvers, Mode mode)
      throws IOException {
    List<Cached> gone = new ArrayList<>();
    Set<String> used = new HashSet<>();
    Set<String> freed = new HashSet<>();
    for (Cached model : models()) {
      if (unwanted.test(model)) {
        gone.add(model);
        freed.addAll(model.files());
      } else {
        used.addAll(model.files());
      }
    }
    Instant old = leftOvers == LeftOvers.ALL ? Instant.MAX : Instant.now().minus(GRACE);
    if (mode == Mode.REMOVE) {
      for (Cached model : gone) {
        for (Path folder : model.folders()) {
          removeFolder(folder);
        }
      }
    }
    if (mode == Mode.REMOVE) {
      removeOldNames(old, gone);
    }
    long files = 0;
    long bytes = 0;
    for (Path folder : entries(store.files())) {
      String identity = folder.getFileName().toString();
      Optional<Locks> lock =
          Identity.isSafe(identity) ? Locks.tryTake(store.lock(identity)) : Optional.empty();
      if (lock.isEmpty()) {
        continue; // somebody is fetching it
      }
      try (Locks _ = lock.get()) {
        for (Path file : entries(folder)) {
          String name = identity + "/" + file.getFileName();
          if (used.contains(name) || !(freed.contains(name) || isOlder(file, old))) {
            continue;
          }
          long size = size(file);
          if (mode == Mode.REHEARSE || remove(file)) {
            files++;
            bytes += size;
          }
        }
        if (mode == Mode.REMOVE) {
          removeIfEmpty(folder);
        }
      }
    }
    return new Pruned(gone, files, bytes);
  }

  /** Second names of files would keep these on the disk; they are made again when needed. */
  private void removeOldNames(Instant old, List<Cached> gone) throws IOException {
    for (Path key : entries(store.models())) {
      boolean pruned = gone.stream().anyMatch(model -> model.folder().startsWith(key));
      for (Path folder : entries(key.resolve("beside"))) {
        if (pruned || isOlder(folder, old)) {
          for (Path name : entries(folder)) {
            remove(name);
          }
          removeIfEmpty(folder);
        }
      }
    }
  }

  /** One folder of a model: it was opened with these tables. */
  private record Opened(
      String source,
      String commit,
      List<String> tables,
      List<String> files,
      Instant used,
      Path folder) {}

  private static Cached together(List<Opened> folders) throws IOException {
    List<Opened> ordered =
        folders.stream()
            .sorted(Comparator.comparing(Opened::used).reversed().thenComparing(Opened::folder))
            .toList();
    Opened last = ordered.getFirst();
    Usage usage = new Usage();
    for (Opened opened : ordered) {
      usage.add(opened.folder);
    }
    return new Cached(
        last.source,
        last.commit,
        ordered.stream().flatMap(o -> o.tables.stream()).distinct().toList(),
        usage.bytes(),
        last.used,
        ordered.stream().map(Opened::folder).toList(),
        ordered.stream().flatMap(o -> o.files.stream()).distinct().toList());
  }

  private static Optional<Opened> read(Path folder) throws IOException {
    Path record = folder.resolve(OpenedFolder.RECORD);
    if (!Files.isRegularFile(record)) {
      return Optional.empty(); // just being put together
    }
    String source = "";
    String commit = "";
    List<String> tables = new ArrayList<>();
    List<String> files = new ArrayList<>();
    try (MappedFile file = MappedFile.open(record)) {
      JsonReader json = JsonReader.over(record, file.bytes(), 0);
      json.enterObject("the record");
      while (json.nextName()) {
        String field = json.name();
        json.nextValue();
        switch (field) {
          case "source" -> source = json.text(field);
          case "commit" -> commit = json.text(field);
          case "tables" -> texts(json, tables);
          case "files" -> texts(json, files);
          default -> json.skip();
        }
      }
    } catch (NoSuchFileException | FormatException e) {
      return Optional.empty(); // pruned meanwhile, or damaged: its files count as unused
    }
    Instant used = Files.getLastModifiedTime(record).toInstant();
    return Optional.of(new Opened(source, commit, tables, files, used, folder));
  }

  private static void texts(JsonReader json, List<String> texts) {
    if (!json.isArray()) {
      throw json.wrong("should be an array");
    }
    while (json.nextValue()) {
      texts.add(json.text("a name"));
    }
  }

  static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  static long size(Path file) throws IOException {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (NoSuchFileException e) {
      return 0; // gone meanwhile
    }
  }

  private static boolean isOlder(Path file, Instant time) throws IOException {
    try {
      return Files.getLastModifiedTime(file).toInstant().isBefore(time);
    } catch (NoSuchFileException e) {
      return false; // gone meanwhile
    }
  }

  /** The record goes last, so that a folder that is only half removed can be pruned again. */
  private static void removeFolder(Path folder) throws IOException {
    for (Path file : entries(folder)) {
      if (!file.endsWith(OpenedFolder.RECORD)) {
        for (Path inner : entries(file)) {
          remove(inner);
        }
        remove(file);
      }
    }
    remove(folder.resolve(OpenedFolder.RECORD));
    removeIfEmpty(folder);
  }

  /** Returns whether it went; a system may refuse for a file that is open. */
  private static boolean remove(Path file) throws IOException {
    try {
      return Files.deleteIfExists(file);
    } catch (FileSystemException e) {
      return false;
    }
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    if (entries(folder).isEmpty()) {
      remove(folder);
    }
  }
}

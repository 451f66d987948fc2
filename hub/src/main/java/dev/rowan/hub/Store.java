package dev.rowan.hub;

import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The folder that keeps what was fetched.
 *
 * <pre>
 *   files/IDENTITY/NAME                 bytes of a remote file, or an excerpt; named by content
 *   files/IDENTITY/NAME.part, .journal  a download that is not done yet
 *   locks/IDENTITY.lock                 who fetches it now
 *   models/KEY/refs/REVISION            the commit that a branch or tag last stood for
 *   models/KEY/listings/COMMIT.json     the files of that commit
 *   models/KEY/beside/COMMIT/…          second names of config and tokenizer files
 *   models/KEY/opened/VARIANT/…         a model's folder: second names (hard links) of the above,
 *                                       and rowan.json, which says where it all came from
 * </pre>
 *
 * <p>Everything gets its name when it is complete, so what has a name can be used.
 */
record Store(Path folder) {

  /** Makes a file. */
  interface Maker {
    void into(Path part) throws IOException;
  }

  /** Something that uses the cache. */
  interface Use<T> {
    T run() throws IOException;
  }

  /**
   * Uses the cache, and says that it is the cache where that fails.
   *
   * @throws HubException if it cannot be written or read, or nobody gives what was asked for
   */
  <T> T guarded(Use<T> use) throws IOException {
    try {
      return use.run();
    } catch (Retries.Unreachable e) {
      throw e.refusal();
    } catch (HubException | ClosedChannelException | FileLockInterruptionException e) {
      throw e;
    } catch (FileSystemException e) {
      String file = String.valueOf(e.getFile());
      // a parent that is no folder, or may not be written, is named instead of what it should hold
      boolean ours = file.startsWith(folder.toString()) || folder.startsWith(file);
      throw ours ? unusable(e, e.getReason() == null ? e.toString() : e.getReason()) : e;
    } catch (IOException e) {
      throw unusable(e, String.valueOf(e.getMessage()));
    }
  }

  private HubException unusable(IOException cause, String reason) {
    return new HubException(
        "what is fetched cannot be kept in %s: %s; make room there, or name another folder in ROWAN_CACHE"
            .formatted(folder, reason),
        cause);
  }

  /**
   * Returns a file of a content, made first if it is not there yet.
   *
   * @param called what it is made of, for who waits
   */
  Path obtain(String identity, String name, String called, Maker maker, HubListener listener)
      throws IOException {
    Path file = file(identity, name);
    if (Files.isRegularFile(file)) {
      return file;
    }
    Runnable waiting =
        () ->
            listener.noted("another run of Rowan is fetching %s; waiting for it".formatted(called));
    try (Locks _ = Locks.take(lock(identity), waiting)) {
      if (!Files.isRegularFile(file)) {
        Files.createDirectories(Kept.parent(file));
        Path part = file.resolveSibling(name + ".part");
        maker.into(part);
        Kept.finish(part, file);
      }
    }
    return file;
  }

  boolean has(String identity, String name) {
    return Files.isRegularFile(file(identity, name));
  }

  /** Returns the files of a content whose names are wanted. */
  List<Path> named(String identity, Predicate<String> wanted) throws IOException {
    Path folder = Kept.parent(file(identity, "any"));
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(file -> wanted.test(file.getFileName().toString())).sorted().toList();
    }
  }

  Path file(String identity, String name) {
    if (!Identity.isSafe(identity)) {
      throw new IllegalArgumentException("\"%s\" is no identity of a file".formatted(identity));
    }
    return files().resolve(identity).resolve(name);
  }

  Path files() {
    return folder.resolve("files");
  }

  Path models() {
    return folder.resolve("models");
  }

  Path lock(String identity) {
    return folder.resolve("locks").resolve(identity + ".lock");
  }

  /** Returns a folder where the small files of a version lie side by side. */
  Path beside(String key, String commit) {
    return models().resolve(key).resolve("beside").resolve(commit.substring(0, 12));
  }

  /** Returns the folder of an opened model. */
  Path opened(String key, String variant) {
    return models().resolve(key).resolve("opened").resolve(variant);
  }

  Optional<String> commit(String key, String revision) throws IOException {
    Path ref = ref(key, revision);
    return Files.isRegularFile(ref) && Files.size(ref) < 200
        // any bytes: what is no commit is no use, but no failure either
        ? Optional.of(Files.readString(ref, StandardCharsets.ISO_8859_1).strip())
        : Optional.empty();
  }

  void keepCommit(String key, String revision, String commit) throws IOException {
    if (!commit(key, revision).equals(Optional.of(commit))) {
      Kept.write(ref(key, revision), commit + "\n");
    }
  }

  private Path ref(String key, String revision) {
    // a branch may be named feature/x; its name must not become folders
    return models().resolve(key).resolve("refs").resolve(revision.replace("/", "%2F"));
  }

  Optional<Listing> listing(String key, String commit) throws IOException {
    Path path = listingPath(key, commit);
    if (!Files.isRegularFile(path)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Listing.read(path));
    } catch (FormatException | IllegalArgumentException e) {
      Files.deleteIfExists(path); // it can be had again
      return Optional.empty();
    }
  }

  void keepListing(String key, Listing listing) throws IOException {
    Kept.write(listingPath(key, listing.commit()), listing.write());
  }

  private Path listingPath(String key, String commit) {
    if (!commit.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
      throw new IllegalArgumentException("\"%s\" is no commit".formatted(commit));
    }
    return models().resolve(key).resolve("listings").resolve(commit + ".json");
  }
}

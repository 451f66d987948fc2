package dev.rowan.hub;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Gets files and parts of files of one version of a remote model into the cache.
 *
 * @param catalog where they are
 * @param listing the version
 * @param store the cache
 * @param settings how to split downloads
 * @param listener hears how it goes
 */
record Fetcher(
    Catalog catalog, Listing listing, Store store, HubSettings settings, HubListener listener) {

  private static final String WHOLE = ".whole";

  /** Makes a file of the cache from a remote one. */
  interface Maker {
    void make(ByteSource source, Path part) throws IOException;
  }

  /** Returns this without anybody who hears how it goes. */
  Fetcher quietly() {
    return new Fetcher(catalog, listing, store, settings, HubListener.SILENT);
  }

  /** Returns something made from a file, from the cache if it is there. */
  Path obtain(Entry file, String name, Maker maker) throws IOException {
    return store.obtain(
        file.known(), name, file.name(), part -> maker.make(source(file), part), listener);
  }

  /** Parts of what is here whole come from there. */
  private ByteSource source(Entry file) throws IOException {
    return file.size().isPresent() && hasWhole(file)
        ? new LocalFile(whole(file))
        : catalog.source(listing, file);
  }

  /**
   * Returns a whole small file, checked against its digest where the hub gives one.
   *
   * @param limit the most bytes to accept
   */
  Path small(Entry file, long limit) throws IOException {
    Path kept = store.file(file.known(), file.lastName());
    if (Files.isRegularFile(kept) && file.size().orElse(Files.size(kept)) != Files.size(kept)) {
      forget(file, kept);
    }
    return obtain(
        file,
        file.lastName(),
        (source, part) -> {
          try (FileChannel channel =
              FileChannel.open(
                  part,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.TRUNCATE_EXISTING)) {
            Sink sink =
                bytes -> {
                  while (bytes.hasRemaining()) {
                    channel.write(bytes);
                  }
                  return true;
                };
            if (source instanceof RemoteFile remote) {
              remote.readAll(limit, sink);
            } else {
              source.read(0, source.size(), sink, _ -> {});
            }
          }
          check(file, part);
        });
  }

  /** Returns an excerpt of a file; all of it is checked against its digest. */
  Path excerpt(Entry file, Excerpt excerpt, String suffix) throws IOException {
    forgetDamaged(file, store.file(file.known(), excerpt.name() + suffix), excerpt);
    return obtain(
        file,
        excerpt.name() + suffix,
        (source, part) -> {
          new ExcerptFetch(source, excerpt, settings.transfer(), listener).into(part, file.known());
          if (isWhole(file, excerpt)) {
            check(file, part);
          }
        });
  }

  /** Something else may have cut off or overwritten what is kept; it can be had again. */
  private void forgetDamaged(Entry file, Path kept, Excerpt excerpt) throws IOException {
    if (Files.isRegularFile(kept) && !excerpt.isIn(kept)) {
      forget(file, kept);
    }
  }

  private void forget(Entry file, Path kept) throws IOException {
    listener.noted(
        "the copy of %s in the cache is damaged; it is fetched again".formatted(file.name()));
    Files.deleteIfExists(kept);
  }

  /**
   * Returns a few bytes of a file.
   *
   * @throws NotInParts if the server would send all that lies before
   */
  Path glimpses(Entry file, Excerpt few, String suffix) throws IOException {
    String name = few.name() + suffix;
    forgetDamaged(file, store.file(file.known(), name), few);
    return obtain(
        file,
        name,
        (source, part) -> {
          if (!source.readsParts()) {
            throw new NotInParts("its server sends no parts of files");
          }
          new ExcerptFetch(source, few, settings.transfer(), listener).into(part, file.known());
        });
  }

  /** Returns a whole file, fetched in parts side by side and checked. */
  Path whole(Entry file) throws IOException {
    return excerpt(file, Excerpt.whole(file.size().orElseThrow()), WHOLE);
  }

  boolean hasWhole(Entry file) {
    Excerpt all = Excerpt.whole(file.size().orElseThrow());
    return store.has(file.known(), all.name() + WHOLE);
  }

  private static boolean isWhole(Entry file, Excerpt excerpt) {
    return excerpt.hasOnlyPieces() && excerpt.fetched() == file.size().orElse(-1);
  }

  private void check(Entry file, Path part) throws IOException {
    if (!Identity.fits(file.known(), part)) {
      Files.deleteIfExists(part);
      throw new HubException(
          "%s arrived damaged: its digest is not %s; it was thrown away, try again"
              .formatted(file.name(), file.known().replace('-', ' ')));
    }
  }
}

package dev.rowan.hub;

import dev.rowan.formats.file.Neighbouring;
import dev.rowan.formats.safetensors.SafetensorsIndex;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A weights file somewhere on the web, and the files beside it: the shards that an index names, and
 * config and tokenizer where the server has them.
 */
final class UrlCatalog implements Catalog {
  private static final String LATEST = "latest";
  private static final long LONGEST_INDEX = 256 << 20;

  private final UrlSpec spec;
  private final Contact contact;
  private final Store store;
  private final HubListener listener;
  private final Map<String, RemoteFile> remotes = new ConcurrentHashMap<>();

  UrlCatalog(UrlSpec spec, Contact contact, Store store, HubListener listener) {
    this.spec = spec;
    this.contact = contact;
    this.store = store;
    this.listener = listener;
  }

  @Override
  public String key() {
    String host = Addresses.host(spec.uri()).replaceAll("[^A-Za-z0-9.-]", "_");
    String address = Identity.digest(Addresses.shown(spec.uri())).substring(0, 12);
    return "url--" + host.toLowerCase(Locale.ROOT) + "--" + address;
  }

  @Override
  public Listing listing() throws IOException {
    if (contact.transport().settings().offline()) {
      return cached()
          .orElseThrow(() ->
              new HubException(
                  "%s: HF_HUB_OFFLINE is set and this file is not in the cache; unset it, or fetch the file first with rowan pull"
                      .formatted(spec)));
    }
    Entry weights;
    try {
      weights = identified(entry(Addresses.lastName(spec.uri())));
    } catch (Retries.Unreachable e) {
      Listing copy = cached().orElseThrow(e::refusal);
      listener.noted(e.getMessage() + "; the copy in the cache serves");
      return copy;
    }
    String version = Identity.digest(weights.known());
    Optional<Listing> known = store.listing(key(), version);
    if (known.isPresent()) {
      store.keepCommit(key(), LATEST, version);
      return addressed(known.get());
    }
    Listing listing = new Listing(version, files(weights));
    store.keepListing(key(), listing);
    store.keepCommit(key(), LATEST, version);
    return listing;
  }

  private Optional<Listing> cached() throws IOException {
    Optional<String> version = store.commit(key(), LATEST).filter(Identity::isSha256);
    return version.isPresent()
        ? store.listing(key(), version.get()).map(this::addressed)
        : Optional.empty();
  }

  /** The query of an address may be a signature that runs out, so it comes from the user anew. */
  private Listing addressed(Listing listing) {
    return new Listing(
        listing.commit(),
        listing.entries().stream()
            .map(e -> new Entry(e.name(), e.size(), e.identity(), address(e.name())))
            .toList());
  }

  private List<Entry> files(Entry weights) throws IOException {
    List<Entry> wanted = new ArrayList<>();
    List<Entry> found = new ArrayList<>();
    found.add(weights);
    if (weights.name().endsWith(".index.json")) {
      for (String shard : shards(weights)) {
        wanted.add(entry(shard));
      }
    }
    for (String part : Weights.otherParts(weights.name())) {
      wanted.add(entry(part));
    }
    List<Together.Task> tasks = new ArrayList<>();
    for (Entry entry : wanted) {
      tasks.add(() -> add(found, identified(entry)));
    }
    for (String name : WholeFiles.guesses(weights.name())) {
      tasks.add(() -> addIfThere(found, entry(name)));
    }
    if (!weights.name().endsWith(".gguf")) {
      for (String name : Weights.GUESSES) {
        tasks.add(() -> addIfThere(found, entry(name)));
      }
    }
    Together.run(tasks);
    return found;
  }

  private static void add(List<Entry> found, Entry entry) {
    synchronized (found) {
      found.add(entry);
    }
  }

  private void addIfThere(List<Entry> found, Entry entry) throws IOException {
    try {
      add(found, identified(entry));
    } catch (HubException e) {
      if (!e.isAbsent()) {
        throw e;
      }
    }
  }

  private List<String> shards(Entry index) throws IOException {
    Path file =
        store.obtain(
            index.known(),
            "index.json",
            index.name(),
            part -> {
              try (FileChannel channel =
                  FileChannel.open(
                      part,
                      StandardOpenOption.CREATE,
                      StandardOpenOption.WRITE,
                      StandardOpenOption.TRUNCATE_EXISTING)) {
                contact
                    .file(index.name(), index.uri(), index.size())
                    .readAll(
                        LONGEST_INDEX,
                        bytes -> {
                          while (bytes.hasRemaining()) {
                            channel.write(bytes);
                          }
                          return true;
                        });
              }
            },
            listener);
    LinkedHashSet<String> names = new LinkedHashSet<>();
    for (String name : SafetensorsIndex.read(file).shardOf().values()) {
      Path place = Neighbouring.named(file, name);
      if (!Kept.parent(place).equals(Kept.parent(file)) || Files.isDirectory(place)) {
        throw new HubException(
            "%s: its index names a part \"%s\" in another folder; it is not fetched"
                .formatted(spec, name));
      }
      names.add(name);
    }
    return List.copyOf(names);
  }

  /** One object a file: what it learns of its server serves for all that is read of it. */
  private RemoteFile remote(Entry entry) {
    return remotes.computeIfAbsent(
        entry.name(), name -> contact.file(name, entry.uri(), entry.size()));
  }

  private Entry entry(String name) {
    return new Entry(name, OptionalLong.empty(), Optional.empty(), address(name));
  }

  @Override
  public Entry unlisted(String name) {
    return entry(name);
  }

  private URI address(String name) {
    return name.equals(Addresses.lastName(spec.uri()))
        ? spec.uri()
        : Addresses.sibling(spec.uri(), name);
  }

  @Override
  public ByteSource source(Listing listing, Entry entry) {
    return remote(entry);
  }

  @Override
  public Entry identified(Entry entry) throws IOException {
    if (entry.identity().isPresent() && entry.size().isPresent()) {
      return entry;
    }
    RemoteFile file = remote(entry);
    long size = file.size();
    String identity = Identity.of(file.reply(), Addresses.shown(entry.uri()), size);
    return new Entry(entry.name(), OptionalLong.of(size), Optional.of(identity), entry.uri());
  }
}

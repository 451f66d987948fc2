package dev.rowan.hub;

import dev.rowan.formats.file.FileKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The files of a model of the hub, by the hub's own interface. */
final class HubCatalog implements Catalog {
  private static final long LONGEST_ANSWER = 64 << 20;
  private static final int MOST_LOCAL_FILES = 10_000;

  private final HubSpec spec;
  private final Contact contact;
  private final HubSettings settings;
  private final Store store;
  private final HuggingFaceCache others;
  private final HubListener listener;
  private final Map<String, RemoteFile> files = new ConcurrentHashMap<>();
  private volatile Refusals.About about = Refusals.About.REMEMBERED_FILE;

  HubCatalog(HubSpec spec, Contact contact, Store store, HubListener listener) {
    this.spec = spec;
    this.contact = contact;
    this.settings = contact.transport().settings();
    this.store = store;
    this.others = new HuggingFaceCache(settings.otherCaches());
    this.listener = listener;
  }

  @Override
  public String key() {
    String host = Addresses.host(settings.endpoint()).replace(':', '_');
    return "hf--" + host.toLowerCase(Locale.ROOT) + "--" + spec.repository().replace("/", "--");
  }

  @Override
  public Listing listing() throws IOException {
    if (HubSpec.isCommit(spec.asked())) {
      Optional<Listing> known = known(spec.asked());
      if (known.isPresent()) {
        return known.get();
      }
    }
    if (settings.offline()) {
      return cached()
          .orElseThrow(() ->
              new HubException(
                  "%s: HF_HUB_OFFLINE is set and this model is not in the cache; unset it, or fetch the model first with rowan pull"
                      .formatted(spec)));
    }
    Listing told;
    try {
      told = ask();
    } catch (Retries.Unreachable e) {
      Listing copy = cached().orElseThrow(e::refusal);
      listener.noted(
          "%s; the copy in the cache serves, commit %s"
              .formatted(e.getMessage(), copy.commit().substring(0, 12)));
      return copy;
    }
    about = Refusals.About.LISTED_FILE;
    store.keepCommit(key(), spec.asked(), told.commit());
    Optional<Listing> known = store.listing(key(), told.commit());
    if (known.isEmpty()) {
      store.keepListing(key(), told);
    }
    return known.orElse(told);
  }

  private Optional<Listing> cached() throws IOException {
    Optional<String> commit =
        HubSpec.isCommit(spec.asked())
            ? Optional.of(spec.asked())
            : store
                .commit(key(), spec.asked())
                .filter(HubSpec::isCommit)
                .or(() -> others.commit(spec.repository(), spec.asked()));
    return commit.isPresent() ? known(commit.get()) : Optional.empty();
  }

  private Optional<Listing> known(String commit) throws IOException {
    Optional<Listing> own = store.listing(key(), commit);
    if (own.isPresent()) {
      return own;
    }
    Optional<Path> folder =
        settings.offline() ? others.snapshot(spec.repository(), commit) : Optional.empty();
    return folder.isPresent() ? Optional.of(local(folder.get(), commit)) : Optional.empty();
  }

  /** Lists what huggingface_hub has of a commit; the links there lead to blobs named by content. */
  private Listing local(Path folder, String commit) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> found = Files.walk(folder, 3)) {
      for (Path file : found.filter(Files::isRegularFile).limit(MOST_LOCAL_FILES).toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        long size = Files.size(file);
        String blob = file.toRealPath().getFileName().toString();
        String identity =
            Identity.isSha256(blob)
                ? Identity.sha256(blob)
                : Identity.isSha1(blob)
                    ? Identity.git(blob)
                    : Identity.version(commit + "/" + name, "", size);
        entries.add(
            new Entry(name, OptionalLong.of(size), Optional.of(identity), address(commit, name)));
      }
    }
    return new Listing(commit, entries);
  }

  private Listing ask() throws IOException {
    URI uri =
        URI.create(
            "%s/api/models/%s/revision/%s?blobs=true"
                .formatted(
                    settings.endpoint(),
                    spec.repository(),
                    Addresses.encoded(spec.asked()).replace("/", "%2F")));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    contact
        .file("its list of files", uri, OptionalLong.empty())
        .readAll(LONGEST_ANSWER, buffer -> Heads.append(bytes, buffer));
    MemorySegment answer = MemorySegment.ofArray(bytes.toByteArray());
    if (FileKind.of(answer) == FileKind.MARKUP) {
      throw new HubException(
          "%s: %s answers with a web page instead of its list of files; is that the address of a hub (HF_ENDPOINT), or is a login or a proxy in between?"
              .formatted(spec, settings.endpoint()));
    }
    Path what = Path.of("list of files of " + spec.repository().replace('/', ' '));
    return Listing.ofHub(what, answer, this::address);
  }

  private URI address(String commit, String name) {
    return URI.create(
        "%s/%s/resolve/%s/%s"
            .formatted(settings.endpoint(), spec.repository(), commit, Addresses.encoded(name)));
  }

  @Override
  public Entry unlisted(String name) throws HubException {
    throw new HubException(
        "%s: its weights name \"%s\", which the model does not have".formatted(spec, name));
  }

  @Override
  public ByteSource source(Listing listing, Entry entry) {
    Optional<Path> file = others.file(spec.repository(), listing.commit(), entry.name());
    return file.isPresent() ? new LocalFile(file.get()) : remote(entry);
  }

  /** One object a file: what it learns of its server serves for all that is read of it. */
  private RemoteFile remote(Entry entry) {
    return files.computeIfAbsent(
        entry.name(), name -> contact.file(name, entry.uri(), entry.size(), about));
  }

  /** Returns the folder in which huggingface_hub keeps the files of a commit. */
  Optional<Path> snapshot(String commit) {
    return others.snapshot(spec.repository(), commit);
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

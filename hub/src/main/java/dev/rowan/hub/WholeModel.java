package dev.rowan.hub;

import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.Inventory;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A remote model whose weights are of a kind that is not read in part: they are fetched whole, with
 * their digest checked where the hub tells it, and opened as a model on disk.
 *
 * @param spec the model
 * @param fetcher gets its files
 * @param weights the weights and what they need beside them; the first leads to the others
 * @param why why they cannot be read in part, if not because of their kind
 * @param needed what the index is to say, where only some shards are fetched
 */
record WholeModel(
    RemoteSpec spec,
    Fetcher fetcher,
    Weights weights,
    Optional<String> why,
    Optional<NeededShards> needed) {
  /** The most bytes of weights to fetch unless the user asked for just that. */
  static final long MOST_UNASKED = 1 << 30;

  private static final long LONGEST_COMPANION = 512 << 20;

  WholeModel(RemoteSpec spec, Fetcher fetcher, Weights weights) {
    this(spec, fetcher, weights, Optional.empty(), Optional.empty());
  }

  /** Opens the model, which is here or is fetched if it has no more bytes than may be. */
  Lexicon open(OpenOptions options, long most) throws IOException {
    Optional<Path> local = elsewhere();
    if (local.isEmpty()) {
      announce(most);
    }
    NamedFiles named = new NamedFiles(fetcher, weights);
    if (!named.mayBeMore()) {
      return open(options, local);
    }
    WholeModel all = new WholeModel(spec, fetcher, named.all(local), why, needed);
    all.announceMore(weights.files().size(), most);
    return all.open(options, all.elsewhere());
  }

  private Lexicon open(OpenOptions options, Optional<Path> local) throws IOException {
    if (local.isPresent()) {
      return described(Models.open(local.get(), options), local.get());
    }
    Path folder = folder();
    List<Path> used = fetch(folder);
    Path place = folder.resolve(weights.files().getFirst().name());
    Lexicon opened = Models.open(place, options);
    try {
      Inventory all = Models.tensors(place, options);
      OpenedFolder.keepRecord(
          folder,
          fetcher.store(),
          used,
          files ->
              new ModelRecord(
                  spec,
                  fetcher.listing().commit(),
                  weights.files(),
                  List.of(opened.input().tensor()),
                  storedParameters(all.storedParameters()),
                  all.tensors(),
                  files));
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    return described(opened, place);
  }

  /** Fetches the model like {@link #open} and says what is in it. */
  Inspection inspect(OpenOptions options) throws IOException {
    try (Lexicon model = open(options, MOST_UNASKED)) {
      Inventory all = Models.tensors(model.origin().path(), options);
      return new Inspection(
          spec.text(),
          fetcher.listing().commit(),
          all.format(),
          all.architecture(),
          tensor(all, model.input()),
          model.output().map(output -> tensor(all, output)),
          new TieDecision(model.tie(), model.tieEvidence()),
          model.vocabulary(),
          storedParameters(all.storedParameters()),
          model.notes(),
          all.tensors());
    }
  }

  /** Returns how a table is stored; some are made of several tensors. */
  private static TensorInfo tensor(Inventory all, NamedTable table) {
    return all.tensors().stream()
        .filter(tensor -> tensor.name().equals(table.tensor()))
        .findFirst()
        .orElseGet(() -> {
          var rows = table.table();
          int bits = Math.toIntExact(8 * rows.bytes() / (rows.rows() * rows.width()));
          return new TensorInfo(
              table.tensor(),
              Dtype.rows(rows.format().label(), bits, rows.format()),
              List.of(rows.rows(), (long) rows.width()),
              all.path(),
              0,
              rows.bytes());
        });
  }

  /** Some shards do not tell how many parameters all of them store. */
  private OptionalLong storedParameters(OptionalLong here) {
    return needed.isPresent() ? OptionalLong.empty() : here;
  }

  private Lexicon described(Lexicon opened, Path place) {
    Origin origin = opened.origin();
    List<String> notes = new ArrayList<>(origin.notes());
    needed.ifPresent(shards -> notes.add(shards.note()));
    notes.add(
        "comes from %s, version %s".formatted(spec, fetcher.listing().commit().substring(0, 12)));
    return opened.withOrigin(
        new Origin(
            place,
            origin.format(),
            origin.architecture(),
            storedParameters(origin.storedParameters()),
            notes,
            texts(origin.texts(), spec, fetcher.listing())));
  }

  /** Adds where a model comes from to what its file says of itself. */
  static Map<String, String> texts(Map<String, String> said, RemoteSpec spec, Listing listing) {
    Map<String, String> texts = new LinkedHashMap<>(said);
    texts.put(Origin.REMOTE, spec.text());
    texts.put(Origin.VERSION, listing.commit());
    return texts;
  }

  private static long bytes(List<Entry> files) {
    return files.stream().mapToLong(file -> file.size().orElse(0)).sum();
  }

  /** Says what is fetched, if anything is, or refuses to. */
  private void announce(long most) throws HubException {
    if (areMissing(weights.files())) {
      checkBytes(most);
      fetcher
          .listener()
          .noted(
              "the weights (%s) cannot be read in part%s, so all their %,d bytes are fetched"
                  .formatted(names(), reason(), bytes(weights.files())));
    }
  }

  /** The same of the files that those named of which was known before. */
  private void announceMore(int known, long most) throws HubException {
    List<Entry> more = weights.files().subList(known, weights.files().size());
    if (areMissing(more)) {
      checkBytes(most);
      fetcher
          .listener()
          .noted(
              "%s names %s more, whose %,d bytes are fetched too"
                  .formatted(
                      weights.files().getFirst().name(),
                      Counted.of(more.size(), "file"),
                      bytes(more)));
    }
  }

  private boolean areMissing(List<Entry> files) {
    return !files.stream().allMatch(fetcher::hasWhole);
  }

  private void checkBytes(long most) throws HubException {
    long bytes = bytes(weights.files());
    if (bytes > most) {
      throw new HubException(
          "%s: its weights (%s) cannot be read in part%s, and whole they are %,d bytes; fetch them with rowan pull %s, or name a safetensors or GGUF variant of the model"
              .formatted(spec, names(), reason(), bytes, spec.text()));
    }
  }

  private List<Path> fetch(Path folder) throws IOException {
    List<Path> used = new ArrayList<>();
    List<Entry> beside = weights.companions(fetcher.listing());
    for (Entry entry : beside) {
      used.add(link(folder, entry, fetcher.small(entry, LONGEST_COMPANION)));
    }
    for (Entry file : weights.files()) {
      Path kept = fetcher.whole(file);
      used.add(kept);
      if (needed.isPresent() && file.equals(weights.files().getFirst())) {
        Kept.write(folder.resolve(file.name()), needed.get().index());
      } else {
        link(folder, file, kept);
      }
    }
    return used;
  }

  private String reason() {
    return why.map(" (%s)"::formatted).orElse("");
  }

  /** Files lie as they do in the model: exporters and readers go by that. */
  private static Path link(Path folder, Entry entry, Path kept) throws IOException {
    Kept.link(folder.resolve(entry.name()), kept);
    return kept;
  }

  private String names() {
    String first =
        weights.files().stream().limit(3).map(Entry::name).collect(Collectors.joining(", "));
    int more = weights.files().size() - 3;
    return more > 0 ? "%s and %,d more".formatted(first, more) : first;
  }

  private Path folder() {
    String what = weights.files().stream().map(Entry::known).collect(Collectors.joining("\n"));
    String commit = fetcher.listing().commit().substring(0, 12);
    String variant = commit + "-" + Identity.digest(what).substring(0, 8);
    return fetcher.store().opened(fetcher.catalog().key(), variant);
  }

  /** What huggingface_hub keeps in full is opened where it is. */
  Optional<Path> elsewhere() throws IOException {
    if (needed.isPresent()) {
      return Optional.empty(); // the index there asks for all shards
    }
    List<Entry> all = new ArrayList<>(weights.files());
    all.addAll(weights.companions(fetcher.listing()));
    Optional<Path> place = Optional.empty();
    for (Entry file : all) {
      if (!(fetcher.catalog().source(fetcher.listing(), file) instanceof LocalFile local)
          || local.size() != file.size().orElse(-1)) {
        return Optional.empty();
      }
      place = place.or(() -> Optional.of(local.path()));
    }
    return place;
  }
}

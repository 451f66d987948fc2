package dev.rowan.hub;

import dev.rowan.formats.TableChoice;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.onnx.OnnxFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tensorflow.TensorflowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The files that the index of a TensorFlow checkpoint or an ONNX graph names: their names need not
 * tell that they belong to it, and a server that lists no files has to be asked for each.
 *
 * @param fetcher gets them
 * @param weights those that are known to belong together
 */
record NamedFiles(Fetcher fetcher, Weights weights) {
  private static final long LONGEST_INDEX = 512 << 20;

  /** Returns the weights with the files that hold the tables. */
  Weights holding(TableChoice choice) throws IOException {
    return switch (weights.kind()) {
      case TENSORFLOW, ONNX ->
          with(
              Stream.of(choice.input(), choice.output(), choice.transposedOutput())
                  .flatMap(Optional::stream)
                  .map(TensorInfo::file)
                  .map(NamedFiles::text)
                  .toList());
      case SAFETENSORS, GGUF, PYTORCH, NUMPY, WHOLE -> weights;
    };
  }

  /** Returns whether the first file may name others. */
  boolean mayBeMore() {
    String first = weights.files().getFirst().name();
    return WholeFiles.isTensorflowIndex(first) || first.endsWith(".onnx");
  }

  /**
   * Returns the weights with all files that the first one names, which is fetched.
   *
   * @param here where it is, if it need not be fetched
   * @throws dev.rowan.formats.file.FormatException if it names files outside its folder
   */
  Weights all(Optional<Path> here) throws IOException {
    Entry first = weights.files().getFirst();
    if (WholeFiles.isTensorflowIndex(first.name())) {
      return with(numbers(fetcher.small(first, LONGEST_INDEX)));
    }
    return with(external(here.isPresent() ? here.get() : fetcher.whole(first)));
  }

  private List<String> numbers(Path index) throws IOException {
    try (MappedFile bytes = MappedFile.open(index)) {
      if (!TensorflowFile.isIndex(bytes.bytes())) {
        return List.of(); // of another kind, whatever its name says
      }
    }
    try (TensorflowFile checkpoint = TensorflowFile.open(index)) {
      return checkpoint.numberFiles().stream().map(name -> weights.folder() + name).toList();
    }
  }

  private List<String> external(Path graph) throws IOException {
    try (MappedFile bytes = MappedFile.open(graph)) {
      if (FileKind.of(bytes.bytes()) != FileKind.ONNX) {
        return List.of();
      }
    }
    Path folder = Kept.parent(graph);
    try (OnnxFile model = OnnxFile.open(graph)) {
      return model.tensors().stream()
          .map(TensorInfo::file)
          .filter(file -> !file.equals(graph))
          .map(file -> weights.folder() + text(folder.relativize(file.toAbsolutePath())))
          .distinct()
          .toList();
    }
  }

  private static String text(Path file) {
    return file.normalize().toString().replace('\\', '/');
  }

  private Weights with(List<String> names) throws IOException {
    Set<String> more = new LinkedHashSet<>(names);
    weights.files().forEach(file -> more.remove(file.name()));
    weights.index().ifPresent(index -> more.remove(index.name()));
    if (more.isEmpty()) {
      return weights;
    }
    List<Entry> files = new ArrayList<>(weights.files());
    files.addAll(entries(more));
    return new Weights(weights.kind(), files, weights.index(), weights.folder());
  }

  /** Finds files, and keeps with the listing what the server says of them. */
  private List<Entry> entries(Set<String> names) throws IOException {
    List<Entry> unknown = new ArrayList<>();
    for (String name : names) {
      if (!HubSpec.isPlainFile(name)) {
        throw new HubException(
            "%s names \"%s\", which cannot be a file of the model; it is not fetched"
                .formatted(weights.files().getFirst().name(), name));
      }
      Optional<Entry> listed = fetcher.listing().find(name);
      unknown.add(listed.isPresent() ? listed.get() : fetcher.catalog().unlisted(name));
    }
    Map<String, Entry> known = new ConcurrentHashMap<>();
    List<Together.Task> tasks = new ArrayList<>();
    for (List<Entry> some : Heads.shared(fetcher, unknown)) {
      tasks.add(() -> {
        for (Entry entry : some) {
          known.put(entry.name(), fetcher.catalog().identified(entry));
        }
      });
    }
    Together.run(tasks);
    List<Entry> found =
        unknown.stream().map(entry -> known.getOrDefault(entry.name(), entry)).toList();
    if (!found.equals(unknown)) {
      keep(found);
    }
    return found;
  }

  private void keep(List<Entry> found) throws IOException {
    String key = fetcher.catalog().key();
    Listing listing = fetcher.listing();
    Listing kept = fetcher.store().listing(key, listing.commit()).orElse(listing);
    for (Entry entry : found) {
      kept = kept.with(entry);
    }
    fetcher.store().keepListing(key, kept);
  }
}

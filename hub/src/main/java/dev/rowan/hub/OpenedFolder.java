package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.formats.model2vec.StaticModel;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.zip.ZipPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Puts a model's folder together in the cache: config and tokenizer, and weights that hold just the
 * tables. A weights file that is hardly larger than its tables is taken whole, so that its digest
 * can be checked.
 */
final class OpenedFolder {
  static final String RECORD = "rowan.json";

  private final RemoteModel model;
  private final List<TensorInfo> tables;
  private final Tie tie;

  /**
   * Prepares a folder.
   *
   * @param tie how the whole model's tables relate, as far as it is known
   */
  OpenedFolder(RemoteModel model, List<TensorInfo> tables, Tie tie) {
    this.model = model;
    this.tables = tables;
    this.tie = tie;
  }

  /** Returns whether nothing is missing. */
  boolean isMade() throws IOException {
    return elsewhere().isPresent() || Files.exists(folder().resolve(RECORD));
  }

  /** Returns what to open; fetches what is missing. */
  Path make() throws IOException {
    Optional<Path> place = elsewhere();
    if (place.isPresent()) {
      return place.get();
    }
    Map<Entry, List<TensorInfo>> byFile = new LinkedHashMap<>();
    for (Entry file : model.weights().files()) {
      List<TensorInfo> inside = tables.stream().filter(t -> model.holder(t).equals(file)).toList();
      if (!inside.isEmpty()) {
        byFile.put(file, inside);
      }
    }
    Path folder = folder();
    List<Path> used = new ArrayList<>();
    for (var companion : model.companions().files().entrySet()) {
      Kept.link(folder.resolve(companion.getKey()), companion.getValue());
      used.add(companion.getValue());
    }
    used.addAll(looks());
    int number = 0;
    for (var entry : byFile.entrySet()) {
      boolean whole = isWhole(entry.getKey(), entry.getValue());
      Path kept = fetch(entry.getKey(), entry.getValue(), whole, byFile.size());
      used.add(kept);
      number++;
      String name =
          model.weights().kind() == Weights.Kind.NUMPY
              ? entry.getKey().lastName() // an array is named after its file
              : place(number, byFile.size(), whole);
      Kept.link(folder.resolve(name), kept);
    }
    keepRecord(folder, used);
    return folder;
  }

  /** What describes the tensors is needed whenever the model is opened again. */
  private List<Path> looks() throws IOException {
    List<Path> looks = new ArrayList<>();
    List<Entry> described = new ArrayList<>(model.weights().files());
    model.weights().index().ifPresent(described::add);
    for (Entry file : described) {
      looks.addAll(
          model.fetcher().store().named(file.known(), name -> isLook(name, file.lastName())));
    }
    return looks;
  }

  private static boolean isLook(String name, String whole) {
    return name.equals(Heads.HEAD)
        || name.endsWith(Glimpses.SUFFIX)
        || name.endsWith(Samples.SUFFIX)
        || name.endsWith(TokensInside.SUFFIX)
        || name.equals(whole);
  }

  private Path fetch(Entry file, List<TensorInfo> inside, boolean whole, int files)
      throws IOException {
    boolean numbersAndMore =
        switch (model.weights().kind()) {
          case PYTORCH, NUMPY -> true;
          case SAFETENSORS, GGUF, TENSORFLOW, ONNX, WHOLE -> false;
        };
    if (whole && numbersAndMore) {
      return model.fetcher().whole(file);
    }
    Excerpt excerpt =
        whole ? Excerpt.whole(file.size().orElseThrow()) : excerpt(file, inside, files);
    return model.fetcher().excerpt(file, excerpt, suffix(whole));
  }

  private boolean isWhole(Entry file, List<TensorInfo> inside) {
    long size = file.size().orElseThrow();
    long wanted =
        model.weights().kind() == Weights.Kind.NUMPY
            ? part(inside).map(arrays -> Excerpt.ofZip(arrays).fetched()).orElse(size)
            : inside.stream().mapToLong(TensorInfo::bytes).sum();
    boolean alone = model.weights().files().size() == 1;
    // a whole shard would not tell of an output table in another one, and a part of a split GGUF
    // file asks for the others
    boolean enough =
        switch (model.weights().kind()) {
          case SAFETENSORS -> alone || hasAll();
          case GGUF, PYTORCH, NUMPY -> alone;
          case TENSORFLOW, ONNX, WHOLE -> false; // numbers alone are no model
        };
    return wanted >= size - size / 5 && enough;
  }

  /** Returns what makes an archive of arrays; empty for an array alone, which is taken whole. */
  private Optional<ZipPart> part(List<TensorInfo> inside) {
    return model.tensors() instanceof NumpyFile arrays ? arrays.part(inside) : Optional.empty();
  }

  private boolean hasAll() {
    return model.output().isEmpty() || tables.contains(model.output().get());
  }

  private Excerpt excerpt(Entry file, List<TensorInfo> inside, int files) throws IOException {
    return switch (model.weights().kind()) {
      case SAFETENSORS, PYTORCH, TENSORFLOW, ONNX -> Excerpt.ofSafetensors(tie, inside);
      case NUMPY -> Excerpt.ofZip(part(inside).orElseThrow());
      case WHOLE -> throw new IllegalStateException("not read in part: " + file.name());
      case GGUF -> {
        Map<String, Excerpt.Piece> wanted = new LinkedHashMap<>();
        inside.stream()
            .sorted(Comparator.comparingLong(TensorInfo::offset))
            .forEach(
                t -> wanted.put(t.name(), new Excerpt.Piece(t.offset(), t.offset() + t.bytes())));
        Entry first = model.weights().files().getFirst();
        yield GgufWalk.excerpt(
            Path.of(file.name()),
            head(file),
            wanted,
            file.size().orElseThrow(),
            new GgufWalk.Setting(head(first), files, tie));
      }
    };
  }

  private byte[] head(Entry file) throws IOException {
    return Files.readAllBytes(model.fetcher().store().file(file.known(), Heads.HEAD));
  }

  private String suffix(boolean whole) {
    return switch (model.weights().kind()) {
      case SAFETENSORS, TENSORFLOW, ONNX -> ".safetensors";
      case GGUF -> ".gguf";
      case PYTORCH -> whole ? ".bin" : ".safetensors";
      case NUMPY -> ".npz";
      case WHOLE -> throw new IllegalStateException("has files of its own");
    };
  }

  /** Where a static model keeps its table says what it is, so that place is kept. */
  private String place(int number, int of, boolean whole) {
    String telling = StaticModel.FOLDER + "/";
    String folder = model.weights().folder().equals(telling) ? telling : "";
    String suffix = suffix(whole);
    String name = suffix.equals(".bin") ? "pytorch_model" : "model";
    return folder
        + (of == 1 ? name + suffix : "%s-%05d-of-%05d%s".formatted(name, number, of, suffix));
  }

  private Path folder() {
    Fetcher fetcher = model.fetcher();
    String what =
        model.weights().files().stream().map(Entry::known).collect(Collectors.joining("\n"))
            + tables.stream().map(t -> "\n" + t.name()).collect(Collectors.joining());
    String commit = fetcher.listing().commit().substring(0, 12);
    String variant = commit + "-" + Identity.digest(what).substring(0, 8);
    return fetcher.store().opened(fetcher.catalog().key(), variant);
  }

  /** What huggingface_hub keeps in full is opened where it is. */
  private Optional<Path> elsewhere() throws IOException {
    Fetcher fetcher = model.fetcher();
    Weights weights = model.weights();
    List<Entry> needed = new ArrayList<>(weights.files());
    weights.index().ifPresent(needed::add);
    weights.companion(fetcher.listing(), "config.json").ifPresent(needed::add);
    Path place = null;
    for (Entry file : needed) {
      if (!(fetcher.catalog().source(fetcher.listing(), file) instanceof LocalFile local)
          || local.size() != file.size().orElse(-1)) {
        return Optional.empty();
      }
      boolean first = file.equals(weights.index().orElse(weights.files().getFirst()));
      place = first ? local.path() : place;
    }
    boolean loose = weights.files().size() > 1 && weights.index().isEmpty();
    return Optional.ofNullable(place).map(path -> loose ? Kept.parent(path) : path);
  }

  private void keepRecord(Path folder, List<Path> used) throws IOException {
    Fetcher fetcher = model.fetcher();
    keepRecord(
        folder,
        fetcher.store(),
        used,
        files ->
            new ModelRecord(
                model.spec(),
                fetcher.listing().commit(),
                model.weights().files(),
                tables.stream().map(TensorInfo::name).toList(),
                model.storedParameters(),
                model.tensors().tensors(),
                files));
  }

  /** Says what a folder is if that is not said yet, else that it was used again. */
  static void keepRecord(
      Path folder, Store store, List<Path> used, Function<List<String>, ModelRecord> record)
      throws IOException {
    Path path = folder.resolve(RECORD);
    if (!Files.exists(path)) {
      List<String> names =
          used.stream()
              .map(file -> store.files().relativize(file).toString().replace('\\', '/'))
              .toList();
      Kept.write(path, record.apply(names).write());
      return;
    }
    try {
      // the time of the last use, which prune goes by
      Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
    } catch (NoSuchFileException e) {
      throw new HubException("the cache was pruned meanwhile; try again", e);
    }
  }
}

package dev.rowan.analysis.edit;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Inventory;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A model in a folder of safetensors, open for reading. */
final class ModelFolder implements AutoCloseable {
  private final Path folder;
  private final Lexicon lexicon;
  private final List<Shard> shards;
  private final Optional<Path> index;
  private final FolderFiles files;

  private ModelFolder(
      Path folder, Lexicon lexicon, List<Shard> shards, Optional<Path> index, FolderFiles files) {
    this.folder = folder;
    this.lexicon = lexicon;
    this.shards = shards;
    this.index = index;
    this.files = files;
  }

  /**
   * Opens a folder and checks that all of it can be read and copied.
   *
   * @throws IllegalArgumentException if it is no folder of safetensors
   */
  static ModelFolder open(Path folder, OpenOptions options) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          Files.exists(folder)
              ? "\"%s\" is a file; an edit takes a model's folder, since config and tokenizer change with the table"
                  .formatted(folder)
              : "there is no folder \"%s\"".formatted(folder));
    }
    Inventory inventory = Models.tensors(folder, options);
    if (!inventory.format().equals("safetensors")) {
      throw new IllegalArgumentException(
          "\"%s\" is a model as %s; an edit takes safetensors, so convert it first: rowan convert \"%s\" NEW --to safetensors"
              .formatted(folder, inventory.format(), folder));
    }
    Set<Path> places = new LinkedHashSet<>();
    inventory.tensors().forEach(tensor -> places.add(tensor.file()));
    List<Shard> shards = new ArrayList<>();
    Lexicon lexicon = Models.open(folder, options);
    try {
      for (Path place : places) {
        Path inside = within(folder, place);
        shards.add(Shard.open(folder, inside));
      }
      Optional<Path> index = index(folder, shards);
      Set<Path> weights = new LinkedHashSet<>();
      shards.forEach(shard -> weights.add(shard.relative()));
      index.ifPresent(weights::add);
      return new ModelFolder(folder, lexicon, shards, index, FolderFiles.of(folder, weights));
    } catch (IOException | RuntimeException | Error e) {
      shards.forEach(Shard::close);
      lexicon.close();
      throw e;
    }
  }

  /**
   * Returns where a shard lies, beginning with the folder as it was named. Shards are found by
   * absolute paths; those of a cache may be named by where their bytes are kept.
   */
  private static Path within(Path folder, Path place) {
    Path whole = folder.toAbsolutePath();
    if (place.toAbsolutePath().startsWith(whole)) {
      return folder.resolve(whole.relativize(place.toAbsolutePath()));
    }
    throw new FormatException(
        place,
        "lies outside the model's folder; put the file in its place in %s".formatted(folder));
  }

  private static Optional<Path> index(Path folder, List<Shard> shards) {
    Path first = shards.getFirst().file();
    Path beside = first.resolveSibling("model.safetensors.index.json");
    boolean alone = shards.size() == 1 && first.endsWith("model.safetensors");
    return Files.isRegularFile(beside) && !alone
        ? Optional.of(folder.relativize(beside))
        : Optional.empty();
  }

  Path folder() {
    return folder;
  }

  Lexicon lexicon() {
    return lexicon;
  }

  List<Shard> shards() {
    return shards;
  }

  /** Returns the index of the shards, relative to the folder, if there is one. */
  Optional<Path> index() {
    return index;
  }

  FolderFiles files() {
    return files;
  }

  Optional<Vocabulary> vocabulary() {
    return lexicon.vocabulary();
  }

  /** Returns the shard of a tensor. */
  Shard shard(TensorInfo tensor) {
    return shards.stream()
        .filter(shard -> shard.file().equals(tensor.file()))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "tensor \"%s\" is in none of the model's files".formatted(tensor.name())));
  }

  /** Returns every tensor, in the order of the files. */
  List<TensorInfo> tensors() {
    return shards.stream().flatMap(shard -> shard.header().tensors().stream()).toList();
  }

  /** Returns the places of files of a name: in the folder itself and beside the weights. */
  List<Path> named(String name) {
    Set<Path> places = new LinkedHashSet<>();
    places.add(Path.of(name));
    places.add(folder.relativize(shards.getFirst().file().resolveSibling(name)));
    return places.stream().filter(files.kept()::contains).toList();
  }

  @Override
  public void close() {
    shards.forEach(Shard::close);
    lexicon.close();
  }
}

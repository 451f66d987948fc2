package dev.rowan.hub;

import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.model2vec.StaticModel;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which of a model's files are its weights, and which belong to them.
 *
 * @param kind how they are stored
 * @param files the weights file, or all shards
 * @param index what says which shard holds which tensor, where there is such a file
 * @param folder the folder of the weights in the model, empty or with a slash at its end
 */
record Weights(Kind kind, List<Entry> files, Optional<Entry> index, String folder) {
  /** Says what the model is. */
  private static final List<String> SETTINGS =
      List.of(
          "config.json",
          "modules.json",
          "config_sentence_transformers.json",
          "hparams.json",
          "bert_config.json");

  /** What tokenizers of other kinds than tokenizer.json need beside them. */
  private static final List<String> BESIDE_TOKENS =
      List.of(
          "merges.txt",
          "vocab.bpe",
          "added_tokens.json",
          "tokenizer_config.json",
          "special_tokens_map.json",
          "sentencepiece.bpe.model",
          "source.spm");

  /** What may lie beside weights whose folder cannot be listed. */
  static final List<String> GUESSES =
      List.of(
          "config.json",
          "modules.json",
          "tokenizer.json",
          "vocab.json",
          "merges.txt",
          "tokenizer.model",
          "vocab.txt");

  private static final String INDEX = ".safetensors.index.json";
  private static final Pattern SHARD = Pattern.compile("(.+)-\\d+-of-(\\d+)\\.safetensors");

  /** How llama.cpp names the parts of a file that was split. */
  private static final Pattern PART = Pattern.compile("(.*)-\\d{5}-of-(\\d{5})\\.gguf");

  private static final int MOST_PARTS = 1000;

  /** How weights are stored. */
  enum Kind {
    /** Read in part. */
    SAFETENSORS,
    /** Read in part. */
    GGUF,
    /** Read in part if they are zip archives of plain rows, else fetched whole. */
    PYTORCH,
    /** Read in part: a small index, and tables in large files. */
    TENSORFLOW,
    /** Read in part: a graph, with its numbers in it or in files beside it. */
    ONNX,
    /** Read in part: an array, or an archive of some. */
    NUMPY,
    /** Of another kind: fetched whole and then read. The first file leads to the others. */
    WHOLE
  }

  /** Where a model may keep its weights, the best first. */
  private static final List<String> USUAL =
      List.of(
          "model.safetensors",
          "model.safetensors.index.json",
          "0_StaticEmbedding/model.safetensors");

  Weights {
    files = List.copyOf(files);
  }

  /**
   * Chooses.
   *
   * @param named the file that the user named
   * @throws HubException if it is not there, or if there are several and none was named
   * @throws UnsupportedFormatException if only weights of other kinds are there
   */
  static Weights of(RemoteSpec spec, Listing listing, Optional<String> named) throws HubException {
    if (named.isPresent()) {
      Entry entry =
          listing
              .find(named.get())
              .orElseThrow(() ->
                  new HubException(
                      "%s: the model has no file \"%s\"; it has %s"
                          .formatted(spec, named.get(), names(listing.entries()))));
      return of(spec, listing, entry);
    }
    for (String usual : USUAL) {
      Optional<Entry> entry = listing.find(usual);
      if (entry.isPresent()) {
        return of(spec, listing, entry.get());
      }
    }
    List<Entry> indexes = listing.ending(INDEX);
    List<Entry> safetensors = listing.ending(".safetensors");
    List<Entry> gguf = listing.ending(".gguf");
    if (indexes.size() == 1) {
      return of(spec, listing, indexes.getFirst());
    }
    if (areShards(safetensors)) {
      return new Weights(Kind.SAFETENSORS, safetensors, Optional.empty(), "");
    }
    List<Entry> candidates = safetensors.isEmpty() ? gguf : safetensors;
    if (candidates.size() == 1) {
      return of(spec, listing, candidates.getFirst());
    }
    if (safetensors.isEmpty() && gguf.size() > 1 && parts(listing, gguf.getFirst()).equals(gguf)) {
      return of(spec, listing, gguf.getFirst());
    }
    if (candidates.size() > 1) {
      throw several(spec, candidates);
    }
    List<Entry> others = WholeFiles.candidates(listing);
    if (others.size() == 1) {
      return of(spec, listing, others.getFirst());
    }
    if (others.size() > 1) {
      throw several(spec, others);
    }
    throw new HubException(
        "%s: the model has no weights that can be read, so nothing was fetched; it has %s"
            .formatted(spec, names(listing.entries())));
  }

  private static HubException several(RemoteSpec spec, List<Entry> candidates) {
    return new HubException(
        "%s: the model has several weights files (%s); name one, such as %s:%s"
            .formatted(spec, names(candidates), spec.text(), candidates.getFirst().name()));
  }

  /** Returns the parts of a GGUF file that was split, in order; the file alone if it was not. */
  static List<Entry> parts(Listing listing, Entry entry) {
    Matcher matcher = PART.matcher(entry.name());
    if (!matcher.matches()) {
      return List.of(entry);
    }
    return listing.entries().stream()
        .filter(other -> {
          Matcher part = PART.matcher(other.name());
          return part.matches()
              && part.group(1).equals(matcher.group(1))
              && part.group(2).equals(matcher.group(2));
        })
        .sorted(Comparator.comparing(Entry::name))
        .toList();
  }

  /** Returns the names of the parts beside one part of a GGUF file that was split. */
  static List<String> otherParts(String name) {
    Matcher matcher = PART.matcher(name);
    List<String> others = new ArrayList<>();
    if (matcher.matches()) {
      int count = Math.min(MOST_PARTS, Integer.parseInt(matcher.group(2)));
      for (int i = 1; i <= count; i++) {
        others.add(
            String.format(
                Locale.ROOT, "%s-%05d-of-%s.gguf", matcher.group(1), i, matcher.group(2)));
      }
      others.remove(name);
    }
    return others;
  }

  private static Weights of(RemoteSpec spec, Listing listing, Entry entry) throws HubException {
    String name = entry.name();
    String folder = name.substring(0, name.lastIndexOf('/') + 1);
    if (name.endsWith(".safetensors")) {
      return new Weights(Kind.SAFETENSORS, List.of(entry), Optional.empty(), folder);
    }
    if (name.endsWith(INDEX)) {
      return new Weights(
          Kind.SAFETENSORS, shardsOf(spec, listing, folder), Optional.of(entry), folder);
    }
    if (name.endsWith(".gguf")) {
      return new Weights(Kind.GGUF, parts(listing, entry), Optional.empty(), folder);
    }
    if (WholeFiles.isPytorchIndex(name)) {
      return new Weights(
          Kind.PYTORCH, WholeFiles.pytorchBeside(listing, folder), Optional.of(entry), folder);
    }
    if (WholeFiles.isPytorch(name)) {
      return new Weights(Kind.PYTORCH, List.of(entry), Optional.empty(), folder);
    }
    if (WholeFiles.isTensorflowIndex(name)) {
      List<Entry> all = WholeFiles.of(listing, entry);
      return new Weights(Kind.TENSORFLOW, all.subList(1, all.size()), Optional.of(entry), folder);
    }
    if (name.endsWith(".onnx")) {
      return new Weights(Kind.ONNX, WholeFiles.of(listing, entry), Optional.of(entry), folder);
    }
    if (name.endsWith(".npz") || name.endsWith(".npy")) {
      return new Weights(Kind.NUMPY, List.of(entry), Optional.empty(), folder);
    }
    if (WholeFiles.isWeights(name)) {
      return new Weights(Kind.WHOLE, WholeFiles.of(listing, entry), Optional.empty(), folder);
    }
    throw new UnsupportedFormatException(
        Path.of(entry.lastName()),
        "is no kind of weights by its name; download it and name the file with -m");
  }

  /** All safetensors files beside an index; the index itself is read to see which count. */
  private static List<Entry> shardsOf(RemoteSpec spec, Listing listing, String folder)
      throws HubException {
    List<Entry> shards =
        listing.entries().stream()
            .filter(entry -> entry.name().endsWith(".safetensors"))
            .filter(entry -> entry.name().startsWith(folder))
            .filter(entry -> entry.name().indexOf('/', folder.length()) < 0)
            .toList();
    if (shards.isEmpty()) {
      throw new HubException("%s: its index names parts, but there are none".formatted(spec));
    }
    return shards;
  }

  /** Returns whether files around these say that they are a static embedding model. */
  boolean areSaidStatic(Listing listing) {
    return folder.endsWith(StaticModel.FOLDER + "/")
        || StaticModel.SAYING.stream().anyMatch(name -> listing.find(folder + name).isPresent());
  }

  /** Returns the file that holds a tensor, if it is one of these. */
  Optional<Entry> holder(TensorInfo tensor) {
    String name = tensor.file().toString().replace('\\', '/');
    return files.stream().filter(file -> file.name().equals(name)).findFirst();
  }

  /** Returns these weights as such that are fetched whole; an index leads to the others. */
  Weights whole() {
    Set<Entry> all = new LinkedHashSet<>(index.stream().toList());
    all.addAll(files);
    return new Weights(Kind.WHOLE, List.copyOf(all), Optional.empty(), folder);
  }

  private static boolean areShards(List<Entry> files) {
    List<String> families =
        files.stream()
            .map(file -> SHARD.matcher(file.name()))
            .map(m -> m.matches() ? m.group(1) + "/" + m.group(2) : "")
            .distinct()
            .toList();
    return files.size() > 1 && families.size() == 1 && !families.getFirst().isEmpty();
  }

  private static String names(List<Entry> files) {
    String shown = files.stream().limit(8).map(Entry::name).collect(Collectors.joining(", "));
    if (files.isEmpty()) {
      return "no files";
    }
    return files.size() > 8 ? "%s and %,d more".formatted(shown, files.size() - 8) : shown;
  }

  /** Returns what is fetched whole beside the weights: settings, and a tokenizer of one kind. */
  List<Entry> companions(Listing listing) {
    if (kind == Kind.GGUF) {
      return List.of(); // all that is in the file itself
    }
    List<String> names = new ArrayList<>(SETTINGS);
    TokenizerFile.NAMES.stream()
        .filter(name -> companion(listing, name).isPresent())
        .findFirst()
        .ifPresent(tokens -> {
          names.add(tokens);
          if (!tokens.equals("tokenizer.json")) {
            names.addAll(BESIDE_TOKENS);
          }
        });
    return names.stream().map(name -> companion(listing, name)).flatMap(Optional::stream).toList();
  }

  /** Returns a companion: beside the weights, else at the top of the model. */
  Optional<Entry> companion(Listing listing, String name) {
    return listing.find(folder + name).or(() -> listing.find(name));
  }
}

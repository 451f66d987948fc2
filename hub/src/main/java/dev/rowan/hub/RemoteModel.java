package dev.rowan.hub;

import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.ParameterCount;
import dev.rowan.formats.TableChoice;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.convention.SameNumbers;
import dev.rowan.formats.convention.TieRule;
import dev.rowan.formats.model2vec.StaticModel;
import dev.rowan.formats.safetensors.SafetensorsIndex;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A remote model as its headers and small files describe it.
 *
 * @param spec the model
 * @param fetcher gets more of it
 * @param weights its weights files, all of known identity
 * @param tensors what is in them
 * @param companions its config and tokenizer in the cache, by name
 * @param config what the config says
 * @param choice which tensors are the tables
 * @param vocabulary reads the tokens
 */
record RemoteModel(
    RemoteSpec spec,
    Fetcher fetcher,
    Weights weights,
    TensorFile tensors,
    Map<String, Path> companions,
    ModelConfig config,
    TableChoice choice,
    Optional<Supplier<Vocabulary>> vocabulary) {
  private static final long LONGEST_COMPANION = 512 << 20;
  private static final long LONGEST_INDEX = 512 << 20;

  /** Fetches the headers and small files, as far as the cache does not have them. */
  static RemoteModel of(RemoteSpec spec, Fetcher fetcher, Weights found, OpenOptions options)
      throws IOException {
    Weights weights = found;
    Listing known = fetcher.listing();
    Path path = Path.of(name(spec));
    Heads heads = new Heads(fetcher, options.headerLimit());
    Map<String, String> shardOf = shardOf(fetcher, weights);
    weights = used(weights, shardOf.values());
    Map<String, Path> companions = new LinkedHashMap<>();
    List<TensorFile> tensors = new ArrayList<>();
    List<Together.Task> tasks = new ArrayList<>();
    Weights chosen = weights;
    tasks.add(() -> tensors.add(heads.read(path, chosen, shardOf)));
    for (Entry entry : weights.companions(known)) {
      tasks.add(() -> {
        Path file = fetcher.small(entry, LONGEST_COMPANION);
        synchronized (companions) {
          companions.put(entry.lastName(), file);
        }
      });
    }
    Together.run(tasks);
    TensorFile headers = tensors.getFirst();
    TensorFile shown =
        weights.kind() == Weights.Kind.SAFETENSORS
            ? StaticModel.ofHeads(headers, weights.areSaidStatic(known)).orElse(headers)
            : headers;
    return chosen(spec, fetcher, weights, shown, companions, options);
  }

  private static RemoteModel chosen(
      RemoteSpec spec,
      Fetcher fetcher,
      Weights weights,
      TensorFile tensors,
      Map<String, Path> companions,
      OpenOptions options)
      throws IOException {
    ModelConfig config = config(Optional.ofNullable(companions.get("config.json")), tensors);
    Optional<Path> beside = tokenizer(fetcher, companions);
    Optional<Path> tokenizer = options.tokenizer().or(() -> beside);
    Optional<Supplier<Vocabulary>> inFile =
        tensors.vocabulary().or(() -> TokensInside.of(fetcher, weights, tensors));
    Optional<Supplier<Vocabulary>> vocabulary =
        options.tokenizer().isEmpty() && inFile.isPresent()
            ? inFile
            : tokenizer.map(RemoteModel::vocabulary);
    Optional<Supplier<Vocabulary>> once = vocabulary.map(Once::new);
    TableChoice choice =
        TableChoice.of(
            tensors,
            options.tensor(),
            TableChoice.expectedRows(tensors, config, once),
            config.tie());
    Weights holding = new NamedFiles(fetcher, weights).holding(choice);
    return new RemoteModel(
        spec,
        fetcher,
        holding,
        tensors,
        Map.copyOf(companions),
        config,
        new Located(tensors, holding).tables(choice),
        once);
  }

  /** As for local models: what the file notes of its tie goes before what a config says. */
  private static ModelConfig config(Optional<Path> beside, TensorFile tensors) throws IOException {
    ModelConfig own = tensors.config();
    if (beside.isEmpty() || own.tie() == TieSetting.INPUT_ONLY) {
      return own;
    }
    ModelConfig read = ModelConfig.read(beside.get());
    return own.tie().isNoted() ? read.withTie(own.tie()) : read;
  }

  private static Supplier<Vocabulary> vocabulary(Path file) {
    return () -> {
      try {
        return TokenizerFile.of(file).vocabulary();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Some tokenizers are several files, which must lie side by side. */
  private static Optional<Path> tokenizer(Fetcher fetcher, Map<String, Path> companions)
      throws IOException {
    Path alone = companions.get("tokenizer.json");
    if (alone != null) {
      return Optional.of(alone);
    }
    Optional<String> name =
        TokenizerFile.NAMES.stream().filter(companions::containsKey).findFirst();
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Path folder = fetcher.store().beside(fetcher.catalog().key(), fetcher.listing().commit());
    for (var companion : companions.entrySet()) {
      Kept.link(folder.resolve(companion.getKey()), companion.getValue());
    }
    return name.map(folder::resolve);
  }

  /** Returns the tokenizer file that lies beside the weights on the server, from the cache. */
  Optional<Path> tokenizerFile() throws IOException {
    return tokenizer(fetcher, companions);
  }

  private static String name(RemoteSpec spec) {
    return switch (spec) {
      case HubSpec hub -> hub.repository().substring(hub.repository().indexOf('/') + 1);
      case UrlSpec url -> Addresses.lastName(url.uri());
    };
  }

  /** Returns the weights file that a user named. */
  static Optional<String> file(RemoteSpec spec) {
    return switch (spec) {
      case HubSpec hub -> hub.file();
      case UrlSpec url -> Optional.of(Addresses.lastName(url.uri()));
    };
  }

  /** Asks for identities that the listing does not tell, and keeps them with it. */
  static Listing identified(
      Catalog catalog, Store store, Listing listing, Weights weights, HubSettings settings)
      throws IOException {
    List<Entry> needed = new ArrayList<>(weights.files());
    weights.index().ifPresent(needed::add);
    needed.addAll(weights.companions(listing));
    List<Entry> unknown =
        needed.stream().filter(e -> e.identity().isEmpty() || e.size().isEmpty()).toList();
    if (unknown.isEmpty() || settings.offline()) {
      return listing;
    }
    List<Entry> told = new ArrayList<>();
    List<Together.Task> tasks = new ArrayList<>();
    for (Entry entry : unknown) {
      tasks.add(() -> {
        Entry identified = catalog.identified(entry);
        synchronized (told) {
          told.add(identified);
        }
      });
    }
    Together.run(tasks);
    Listing known = listing;
    for (Entry entry : told) {
      known = known.with(entry);
    }
    store.keepListing(catalog.key(), known);
    return known;
  }

  static Map<String, String> shardOf(Fetcher fetcher, Weights weights) throws IOException {
    boolean named =
        weights.kind() == Weights.Kind.SAFETENSORS || weights.kind() == Weights.Kind.PYTORCH;
    if (weights.index().isEmpty() || !named) {
      return Map.of();
    }
    Path index = fetcher.small(weights.index().get(), LONGEST_INDEX);
    return SafetensorsIndex.read(index).shardOf();
  }

  /** Keeps those files that the index names; another set of weights may lie beside them. */
  static Weights used(Weights weights, Collection<String> names) throws HubException {
    if (weights.index().isEmpty() || names.isEmpty()) {
      return weights;
    }
    LinkedHashSet<String> wanted = new LinkedHashSet<>();
    names.forEach(name -> wanted.add(weights.folder() + name));
    List<Entry> files = weights.files().stream().filter(f -> wanted.remove(f.name())).toList();
    if (!wanted.isEmpty()) {
      throw new HubException(
          "the index %s names \"%s\", which the model does not have"
              .formatted(weights.index().get().name(), wanted.iterator().next()));
    }
    return new Weights(weights.kind(), files, weights.index(), weights.folder());
  }

  /** Returns all parameters that the model stores. */
  OptionalLong storedParameters() {
    return ParameterCount.of(tensors.tensors());
  }

  /** Returns the tensor that ids are looked up in. */
  TensorInfo input() {
    return choice.input().or(choice::output).orElseThrow();
  }

  /** Returns the table that the output uses, if it has one of its own. */
  Optional<TensorInfo> output() {
    return choice.output().filter(output -> !output.isStoredWith(input()));
  }

  /** Returns what makes the input table: one tensor, but where rows are looked up by others. */
  List<TensorInfo> inputParts() {
    boolean made =
        tensors.table().isPresent()
            && tensors.table().equals(choice.input())
            && !tensors.tensors().contains(input());
    return made ? tensors.tensors() : List.of(input());
  }

  /** Returns the weights file that holds a tensor. */
  Entry holder(TensorInfo tensor) {
    return weights.holder(tensor).orElseThrow();
  }

  /**
   * Decides how the tables relate from the headers and, where there are two, from a few parts of
   * each. Empty if these parts are equal: then only the whole tables tell.
   */
  Optional<TieDecision> tie() throws IOException {
    if (choice.basis() == TableChoice.Basis.USER) {
      return Optional.of(
          new TieDecision(
              Tie.UNKNOWN,
              "the table \"%s\" was chosen by name, so its part in the model is not known"
                  .formatted(input().name())));
    }
    if (choice.input().isEmpty()) {
      return Optional.of(TieRule.onlyOutput(choice.output().orElseThrow(), config));
    }
    if (choice.transposedOutput().isPresent()) {
      TensorInfo turned = choice.transposedOutput().get();
      return SameNumbers.canBeComparedTurned(input(), turned)
          ? new Samples(fetcher, this).compareTransposed(input(), turned)
          : Optional.of(TieRule.differentForms(input(), turned));
    }
    if (choice.output().isEmpty()) {
      return Optional.of(TieRule.onlyInput(config, input(), tensors));
    }
    TensorInfo input = choice.input().get();
    TensorInfo output = choice.output().get();
    if (input.isStoredWith(output)) {
      return Optional.of(TieRule.sameBytes(input, output));
    }
    if (!SameNumbers.canBeCompared(input, output)) {
      return Optional.of(TieRule.differentForms(input, output));
    }
    if (!canBeSampled()) {
      return Optional.empty();
    }
    Samples samples = new Samples(fetcher, this);
    return TieRule.haveOneForm(input, output)
        ? samples.compare(input, output)
        : samples.compareFormats(input, output);
  }

  /** Returns whether parts of the tables can be compared; those of packed arrays cannot. */
  boolean canBeSampled() {
    return Stream.of(choice.input(), choice.output())
        .flatMap(Optional::stream)
        .allMatch(table -> table.offset() > 0);
  }

  /** Reads once. */
  private static final class Once implements Supplier<Vocabulary> {
    private final Supplier<Vocabulary> reader;
    private @Nullable Vocabulary read;

    Once(Supplier<Vocabulary> reader) {
      this.reader = reader;
    }

    @Override
    public synchronized Vocabulary get() {
      Vocabulary known = read;
      if (known == null) {
        known = reader.get();
        read = known;
      }
      return known;
    }
  }
}

package dev.rowan.hub;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Origin;
import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.numpy.NumpyFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Opens remote models. Of most kinds of weights only what describes the tensors and the table are
 * fetched, so a model of 140 GB costs what its table costs; config and tokenizer come whole, and so
 * do weights of other kinds. What was fetched is kept, and used again for any model that has the
 * same file.
 *
 * {@snippet :
 * try (Hub hub = Hub.of(HubSettings.of(System.getenv()));
 *     Lexicon gpt2 =
 *         hub.open(
 *             hub.parse("hf:openai-community/gpt2"),
 *             Tables.INPUT,
 *             OpenOptions.DEFAULT,
 *             HubListener.SILENT)) {
 *   float[] cat = gpt2.input().table().row(3797);
 * }
 * }
 *
 * <p>Every call stops with {@link java.util.concurrent.CancellationException} soon after its thread
 * is interrupted; what was fetched by then is used by the next. Safe for any number of threads and
 * processes on one cache.
 */
public final class Hub implements AutoCloseable {
  private final HubSettings settings;
  private final Transport transport;
  private final Store store;

  private Hub(HubSettings settings) {
    this.settings = settings;
    this.transport = new Transport(settings);
    this.store = new Store(settings.cache());
  }

  /** Returns a hub. Nothing is asked yet. */
  public static Hub of(HubSettings settings) {
    return new Hub(settings);
  }

  /**
   * Reads the name of a remote model.
   *
   * @throws IllegalArgumentException if it is none
   */
  public RemoteSpec parse(String text) {
    return RemoteSpec.parse(text, settings.endpoint());
  }

  /**
   * Opens a model. Once it is in the cache this costs one question to the server, whether the
   * revision still stands for the same commit; none if the revision is a commit.
   *
   * @param tables which tables to fetch; of an output table that was not fetched the lexicon knows
   *     how it relates to the input table
   * @param listener hears how it goes
   * @throws HubException if the model cannot be had
   * @throws dev.rowan.formats.file.FormatException if its files are wrong
   * @throws IllegalArgumentException if the options name a tensor that is not there or is no table
   */
  public Lexicon open(RemoteSpec spec, Tables tables, OpenOptions options, HubListener listener)
      throws IOException {
    return open(spec, tables, options, WholeModel.MOST_UNASKED, listener);
  }

  /**
   * Opens a model as {@link #open} does, and fetches weights that cannot be read in part however
   * many bytes they are.
   */
  public Lexicon pull(RemoteSpec spec, Tables tables, OpenOptions options, HubListener listener)
      throws IOException {
    return open(spec, tables, options, Long.MAX_VALUE, listener);
  }

  private Lexicon open(
      RemoteSpec spec, Tables tables, OpenOptions options, long most, HubListener listener)
      throws IOException {
    return store.guarded(() -> {
      Fetcher fetcher = fetcher(spec, listener);
      Weights weights = Weights.of(spec, fetcher.listing(), RemoteModel.file(spec));
      if (weights.kind() == Weights.Kind.WHOLE) {
        return new WholeModel(spec, fetcher, weights).open(options, most);
      }
      try {
        return open(RemoteModel.of(spec, fetcher, weights, options), tables, options);
      } catch (NotInParts e) {
        return NeededShards.of(spec, fetcher, weights, options, e).open(options, most);
      }
    });
  }

  private static Lexicon open(RemoteModel model, Tables tables, OpenOptions options)
      throws IOException {
    Optional<TieDecision> tie = model.tie();
    List<TensorInfo> wanted = wanted(model, tables, tie);
    if (model.weights().kind() == Weights.Kind.ONNX
        && model.output().filter(wanted::contains).isPresent()
        && !areTelling(model)) {
      throw new NotInParts("only the graph tells which table is which");
    }
    Path place =
        new OpenedFolder(model, wanted, tie.map(TieDecision::tie).orElse(Tie.UNKNOWN)).make();
    boolean own =
        options.tokenizer().isEmpty()
            && model.tensors() instanceof NumpyFile arrays
            && arrays.vocabulary().isPresent();
    Optional<Path> tokenizer = own ? Optional.empty() : model.companions().tokenizer();
    OpenOptions how =
        options.tokenizer().isEmpty() && tokenizer.isPresent()
            ? options.withTokenizer(tokenizer.get())
            : options;
    // of an ONNX model only the graph, which is not in the excerpt, may tell that this is a table
    boolean telling = options.tensor().isPresent() || TableNames.isInput(model.input().name());
    if (model.weights().kind() == Weights.Kind.ONNX && !telling) {
      how = how.withTensor(model.input().name());
    }
    Lexicon opened = Models.open(place, how);
    // tokens that lie beside the table came with it
    Optional<Supplier<Vocabulary>> vocabulary =
        own ? Optional.of(() -> opened.vocabulary().orElseThrow()) : model.vocabulary();
    return described(opened, vocabulary, model, tie, place);
  }

  /** Returns whether the names of the tables say which is which. */
  private static boolean areTelling(RemoteModel model) {
    return TableNames.isInput(model.input().name())
        && model.output().stream().allMatch(output -> TableNames.isOutput(output.name()));
  }

  /**
   * Reads what the headers of a model say, without fetching its tables.
   *
   * @param listener hears how it goes
   * @throws HubException if the model cannot be had
   * @throws dev.rowan.formats.file.FormatException if its files are wrong
   * @throws IllegalArgumentException if the options name a tensor that is not there or is no table
   */
  public Inspection inspect(RemoteSpec spec, OpenOptions options, HubListener listener)
      throws IOException {
    return store.guarded(() -> {
      Fetcher fetcher = fetcher(spec, listener);
      Weights weights = Weights.of(spec, fetcher.listing(), RemoteModel.file(spec));
      if (weights.kind() == Weights.Kind.WHOLE) {
        return new WholeModel(spec, fetcher, weights).inspect(options);
      }
      try {
        return inspection(RemoteModel.of(spec, fetcher, weights, options), options);
      } catch (NotInParts e) {
        return NeededShards.of(spec, fetcher, weights, options, e).inspect(options);
      }
    });
  }

  /** Parts that are equal prove nothing, but both tables do where they are in the cache. */
  private static Optional<TieDecision> tie(RemoteModel model, OpenOptions options)
      throws IOException {
    Optional<TieDecision> tie = model.tie();
    List<TensorInfo> both = wanted(model, Tables.INPUT, tie);
    if (tie.isPresent() || !new OpenedFolder(model, both, Tie.UNKNOWN).isMade()) {
      return tie;
    }
    try (Lexicon opened = open(model, Tables.INPUT, options)) {
      return Optional.of(new TieDecision(opened.tie(), opened.tieEvidence()));
    }
  }

  private static Inspection inspection(RemoteModel model, OpenOptions options) throws IOException {
    TieDecision tie =
        tie(model, options)
            .orElseGet(() ->
                new TieDecision(
                    Tie.UNKNOWN,
                    model.canBeSampled()
                        ? "the model holds two tables whose compared parts are equal; open it with its table to compare them in full"
                        : "the model holds two tables, packed so that no parts could be compared; open it with its table to compare them in full"));
    List<String> notes = new ArrayList<>(model.tensors().notes());
    notes.addAll(model.config().notes());
    notes.addAll(model.choice().notes());
    if (model.choice().input().isEmpty()) {
      notes.add(
          "there is no input table in the file; the output table \"%s\" stands in for it"
              .formatted(model.input().name()));
    }
    return new Inspection(
        model.spec().text(),
        model.fetcher().listing().commit(),
        model.tensors().format(),
        model.config().architecture(),
        model.input(),
        model.choice().input().isEmpty() ? Optional.empty() : model.output(),
        tie,
        model.vocabulary().map(Supplier::get),
        model.storedParameters(),
        notes,
        model.tensors().tensors());
  }

  /** Returns what fetches a model's files, once all that is wanted of them is known. */
  private Fetcher fetcher(RemoteSpec spec, HubListener listener) throws IOException {
    Contact contact = Contact.of(spec, transport, listener);
    Catalog catalog =
        switch (spec) {
          case HubSpec hub -> new HubCatalog(hub, contact, store, listener);
          case UrlSpec url -> new UrlCatalog(url, contact, store, listener);
        };
    Listing listing = catalog.listing();
    Weights weights = weights(spec, listing);
    Listing known = RemoteModel.identified(catalog, store, listing, weights, settings);
    return new Fetcher(catalog, known, store, settings, listener);
  }

  private Weights weights(RemoteSpec spec, Listing listing) throws IOException {
    try {
      return Weights.of(spec, listing, RemoteModel.file(spec));
    } catch (HubException e) {
      throw settings.offline()
          ? new HubException(
              "%s. HF_HUB_OFFLINE is set, and what is kept here may not be all of the model; unset it to ask the hub"
                  .formatted(e.getMessage()),
              e)
          : e;
    }
  }

  private static List<TensorInfo> wanted(
      RemoteModel model, Tables tables, Optional<TieDecision> tie) {
    Set<TensorInfo> wanted = new LinkedHashSet<>();
    wanted.addAll(model.inputParts());
    // parts that are equal prove nothing: the comparison needs both tables
    if (tables == Tables.INPUT_AND_OUTPUT || tie.isEmpty()) {
      model.output().ifPresent(wanted::add);
    }
    if (tie.isEmpty()) {
      model.choice().transposedOutput().ifPresent(wanted::add);
    }
    return List.copyOf(wanted);
  }

  /** Returns a lexicon that speaks of the whole model, not of the part that is here. */
  private static Lexicon described(
      Lexicon opened,
      Optional<Supplier<Vocabulary>> vocabulary,
      RemoteModel model,
      Optional<TieDecision> tie,
      Path place) {
    Supplier<TieDecision> decision =
        opened.output().isEmpty() && tie.isPresent()
            ? tie::get
            : TransposedTie.of(model, place)
                .orElse(() -> new TieDecision(opened.tie(), opened.tieEvidence()));
    Origin origin = opened.origin();
    Set<String> notes = new LinkedHashSet<>(model.tensors().notes());
    notes.addAll(model.choice().notes());
    notes.addAll(origin.notes());
    notes.add(
        "comes from %s, version %s"
            .formatted(model.spec(), model.fetcher().listing().commit().substring(0, 12)));
    return Lexicon.lazy(
        opened.input(),
        opened.output(),
        vocabulary,
        decision,
        new Origin(
            place,
            model.tensors().format(),
            origin.architecture().or(() -> model.config().architecture()),
            model.storedParameters(),
            List.copyOf(notes),
            WholeModel.texts(model.tensors().texts(), model.spec(), model.fetcher().listing())),
        opened::close);
  }

  /** Closes the connections; lexicons that were opened stay open. */
  @Override
  public void close() {
    transport.close();
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.OpenModel;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Spelling;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.formats.Models;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.VocabTxt;
import dev.rowan.hub.Inspection;
import dev.rowan.hub.Tables;
import dev.rowan.text.Form;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Single;
import dev.rowan.text.Tokenizer;
import dev.rowan.text.Tokenizers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a verb: the model it works on, opened when first asked for, and the way its answer
 * goes out. Not thread-safe.
 */
final class Session implements OpenModel, AutoCloseable {
  private final Globals globals;
  private final Surroundings surroundings;
  private final ModelChoice models;
  private @Nullable Lexicon lexicon;
  private @Nullable Lexicon withOutput;
  private @Nullable Workers workers;
  private @Nullable Tokenizer tokenizer;
  private final Set<String> told = new HashSet<>();

  Session(Globals globals, Surroundings surroundings) {
    this(globals, surroundings, null);
  }

  private Session(Globals globals, Surroundings surroundings, @Nullable Workers workers) {
    this.globals = globals;
    this.surroundings = surroundings;
    this.models = new ModelChoice(globals, surroundings);
    this.workers = workers;
  }

  /** Returns a session on another model, with the same workers; it stays open with this one. */
  Session forModel(String spec) {
    return new Session(globals.forModel(spec), surroundings, workers());
  }

  /** Returns what the user called the model. */
  String modelSpec() {
    return models.spec();
  }

  /** Returns what the user chose. */
  Globals globals() {
    return globals;
  }

  /** Returns the model. */
  @Override
  public Lexicon lexicon() throws IOException {
    Lexicon open = lexicon;
    if (open == null) {
      open = models.open(wanted());
      lexicon = open;
    }
    return open;
  }

  private Tables wanted() {
    return globals.table == Globals.TableChoice.output ? Tables.INPUT_AND_OUTPUT : Tables.INPUT;
  }

  /** Opens the model anew; the caller closes it. */
  Lexicon open(Tables tables) throws IOException {
    return models.open(tables);
  }

  /**
   * Fetches the model, which is a remote one, however many bytes it takes; the caller closes it.
   */
  Lexicon pull(Tables tables) throws IOException {
    return models.pull(tables);
  }

  /** Returns what the headers of a remote model say; empty if the model is not remote. */
  Optional<Inspection> inspection() throws IOException {
    return models.inspect();
  }

  /**
   * Returns what the user called the remote model.
   *
   * @throws UseException if it is not remote
   */
  String remoteSpec() {
    return models
        .remote()
        .orElseThrow(() ->
            new UseException(
                "there is nothing to fetch; name a remote model, such as hf:openai-community/gpt2"));
  }

  /** Returns the environment variables. */
  Map<String, String> environment() {
    return surroundings.environment();
  }

  /** Returns what a typed word means; says once, to scripts too, that an id hides a token. */
  @Override
  public Resolution resolve(String typed, NamedTable table) throws IOException {
    Resolution resolution = OpenModel.super.resolve(typed, table);
    if (resolution instanceof Single single && single.token().form() == Form.ID) {
      asked().shadowed(single).filter(told::add).ifPresent(this::remark);
      return new Single(typed, single.token(), List.of());
    }
    return resolution;
  }

  /** Returns who computes. */
  @Override
  public Workers workers() {
    Workers running = workers;
    if (running == null) {
      Integer threads = globals.threads;
      if (threads != null) {
        OutOfRange.check("threads", threads, 1, Globals.MOST_THREADS);
      }
      running = threads == null ? Workers.perProcessor() : Workers.of(threads);
      workers = running;
    }
    return running;
  }

  /** Returns the table that the user chose, the input table by default. */
  @Override
  public NamedTable table() throws IOException {
    return globals.table == Globals.TableChoice.output ? outputTable() : lexicon().input();
  }

  /**
   * Returns the table that scores at the output.
   *
   * @throws UseException if the model has none
   */
  NamedTable outputTable() throws IOException {
    Optional<NamedTable> own = ownOutput();
    if (own.isPresent()) {
      return own.get();
    }
    Lexicon model = lexicon();
    if (model.tie().isTied()) {
      return model.input();
    }
    throw new UseException(
        "%s (%s); leave --table away to use the input table"
            .formatted(
                model.tie() == Tie.UNTIED
                    ? "the output table of this model cannot be opened"
                    : "this model has no output table",
                model.tieEvidence()));
  }

  /**
   * Returns the table that the model stores for its output, if it stores one that can be read. Of a
   * remote model only the input table was fetched until somebody asks for this.
   */
  @Override
  public Optional<NamedTable> ownOutput() throws IOException {
    return withOwnOutput().output();
  }

  /** Returns the model with its output table, where it has one of its own; fetches that too. */
  Lexicon withOwnOutput() throws IOException {
    if (lexicon().output().isEmpty()
        && withOutput == null
        && models.remote().isPresent()
        && lexicon().tie() == Tie.UNTIED) {
      withOutput = models.open(Tables.INPUT_AND_OUTPUT);
    }
    return withOutput == null ? lexicon() : withOutput;
  }

  /** Returns where the tokenizer of the model is, if it has one; it is not opened. */
  Optional<FoundTokenizer> tokenizerSource() throws IOException {
    return models.tokenizer(lexicon());
  }

  /** Returns the tokenizer of the model, if it has one. */
  @Override
  public Optional<Tokenizer> tokenizer() throws IOException {
    if (tokenizer == null) {
      Optional<FoundTokenizer> source = models.tokenizer(lexicon());
      models.keepNativeLibraryInCache();
      tokenizer =
          source.isPresent()
              ? Tokenizers.open(source.get())
              : lexicon()
                  .vocabulary()
                  .filter(words -> words.spelling() == Spelling.PLAIN)
                  .map(words -> Tokenizers.of(VocabTxt.words(words)))
                  .orElse(null);
    }
    return Optional.ofNullable(tokenizer);
  }

  /** Returns the tokenizer of a model in a folder, if it has one; the caller closes it. */
  Optional<Tokenizer> tokenizerOf(Path folder) throws IOException {
    Optional<FoundTokenizer> source = Models.tokenizer(folder, OpenOptions.DEFAULT);
    models.keepNativeLibraryInCache();
    return source.isPresent() ? Optional.of(Tokenizers.open(source.get())) : Optional.empty();
  }

  /** Tells a person what takes so long. */
  Progress progress(String work) {
    return Progress.of(surroundings, work);
  }

  /** Shows how far training has come. */
  TrainProgress trainProgress() {
    return new TrainProgress(surroundings);
  }

  /** Shows how far a map has come. */
  MapProgress mapProgress(String name) {
    return new MapProgress(surroundings, name);
  }

  /** Returns whether and how results are coloured. */
  Ink ink() {
    return surroundings.ink();
  }

  /** Returns what to call the model in a title: its name at the hub, or that of its folder. */
  String modelName() throws IOException {
    Optional<String> remote = models.remote();
    if (remote.isPresent()) {
      return Visible.message(remote.get().replaceFirst("^hf:", ""));
    }
    Path path = lexicon().origin().path().toAbsolutePath().normalize();
    Path name = path.getFileName();
    Path folder = path.getParent();
    // files of these names are in every folder
    boolean generic =
        name != null && name.toString().matches("(model|pytorch_model|tf_model)[.-].*");
    Path telling =
        generic && folder != null && folder.getFileName() != null ? folder.getFileName() : name;
    return telling == null ? "a model" : Visible.message(telling.toString());
  }

  /** Prints a remark beside the results. */
  void remark(String remark) {
    surroundings.err().println("rowan: " + Visible.message(remark));
  }

  /** Prints an answer: the object with {@code --json}, else the page. */
  void answer(Json.Content object, Consumer<Page> text) {
    if (globals.json) {
      surroundings.out().println(Json.object(object));
    } else {
      Page page = page();
      text.accept(page);
      surroundings.out().print(page.take());
    }
    surroundings.out().flush();
  }

  /** Returns an empty page for this terminal. */
  Page page() {
    return new Page(surroundings.ink(), surroundings.columns());
  }

  /** Prints a part of a longer answer at once. */
  void show(Page page) {
    surroundings.out().print(page.take());
    surroundings.out().flush();
  }

  @Override
  public void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
    if (workers != null) {
      workers.close();
    }
    if (lexicon != null) {
      lexicon.close();
    }
    if (withOutput != null) {
      withOutput.close();
    }
  }
}

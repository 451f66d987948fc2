package dev.rowan.formats;

import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Origin;
import dev.rowan.core.Spelling;
import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.convention.TieRule;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.formats.tokenizer.TokenizerSource;
import dev.rowan.formats.tokenizer.VocabTxt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Opens models: a safetensors, ONNX, GGUF, PyTorch or NumPy file, the index of several, or a folder
 * that holds one of these.
 *
 * {@snippet :
 * try (Lexicon gpt2 = Models.open(Path.of("gpt2"))) {
 *   float[] cat = gpt2.input().table().row(3797);
 * }
 * }
 *
 * <p>What a file is, is told by its bytes. A tokenizer file of any kind and {@code config.json} in
 * the folder, or beside the file, are picked up. Opening reads headers and the config, in
 * milliseconds for tables of any size; see {@link Lexicon} for what is read later.
 */
public final class Models {
  private static final String CONFIG = "config.json";

  private Models() {}

  /**
   * Opens a model, as {@link #open(Path, OpenOptions)} with {@link OpenOptions#DEFAULT}.
   *
   * @param path a file or a folder
   */
  public static Lexicon open(Path path) throws IOException {
    return open(path, OpenOptions.DEFAULT);
  }

  /**
   * Opens a model.
   *
   * @param path a file or a folder
   * @throws NoSuchFileException if it, or a file that the options name, is not there
   * @throws dev.rowan.formats.file.FormatException if a file is wrong or holds no table; {@link
   *     dev.rowan.formats.file.UnsupportedFormatException} if it is of a kind that cannot be read
   * @throws IllegalArgumentException if the options name a tensor that is not there or is no table
   */
  public static Lexicon open(Path path, OpenOptions options) throws IOException {
    ModelFiles files = ModelFiles.find(path);
    Optional<Path> tokenizer = tokenizerPath(files, options);
    TensorFile file = files.open(options);
    try {
      ModelConfig config = config(files, file);
      // what the user named, else what the file holds, else what lies beside it
      Optional<Supplier<Vocabulary>> vocabulary =
          options.tokenizer().isPresent() || file.vocabulary().isEmpty()
              ? tokenizer.map(Models::vocabulary)
              : file.vocabulary();
      return lexicon(path, file, config, vocabulary, options);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Lists what a model's files hold, from their headers.
   *
   * @param path a file or a folder
   * @throws NoSuchFileException if it is not there
   * @throws dev.rowan.formats.file.FormatException if a file is wrong
   */
  public static Inventory tensors(Path path) throws IOException {
    ModelFiles files = ModelFiles.find(path);
    try (TensorFile file = files.open(OpenOptions.DEFAULT)) {
      ModelConfig config = config(files, file);
      return new Inventory(
          path,
          file.format(),
          config.architecture(),
          file.tensors(),
          ParameterCount.of(file.tensors()),
          file.notes());
    }
  }

  private static Lexicon lexicon(
      Path path,
      TensorFile file,
      ModelConfig config,
      Optional<Supplier<Vocabulary>> tokenizer,
      OpenOptions options)
      throws IOException {
    TableChoice choice = TableChoice.of(file, options.tensor(), rows(file, config, tokenizer));
    List<String> notes = new ArrayList<>(file.notes());
    notes.addAll(choice.notes());
    Optional<NamedTable> output = Optional.empty();
    if (choice.output().isPresent()) {
      output = Optional.of(table(file, choice.output().get()));
    }
    NamedTable input;
    if (choice.input().isPresent()) {
      input = table(file, choice.input().get());
    } else {
      input = output.orElseThrow();
      notes.add(
          "there is no input table in the file; the output table \"%s\" stands in for it"
              .formatted(input.tensor()));
    }
    Supplier<TieDecision> tie = tie(choice, input, output, config);
    boolean sharesOne = isShared(choice) || (choice.input().isEmpty() && tie.get().tie().isTied());
    Origin origin =
        new Origin(
            path, file.format(), config.architecture(), ParameterCount.of(file.tensors()), notes);
    return Lexicon.lazy(
        input, sharesOne ? Optional.empty() : output, tokenizer, tie, origin, file::close);
  }

  /** The config says how many rows to expect; the tokenizer is only read where that helps. */
  private static OptionalLong rows(
      TensorFile file, ModelConfig config, Optional<Supplier<Vocabulary>> tokenizer) {
    if (config.vocabularySize().isPresent() || tokenizer.isEmpty()) {
      return config.vocabularySize();
    }
    boolean plain =
        TableNames.inputs(file.tensors()).stream().filter(TensorInfo::hasRows).count() == 1;
    return plain ? OptionalLong.empty() : OptionalLong.of(tokenizer.get().get().size());
  }

  private static Supplier<TieDecision> tie(
      TableChoice choice, NamedTable input, Optional<NamedTable> output, ModelConfig config) {
    if (choice.basis() == TableChoice.Basis.USER) {
      return () ->
          new TieDecision(
              Tie.UNKNOWN,
              "the table \"%s\" was chosen by name, so its part in the model is not known"
                  .formatted(input.tensor()));
    }
    if (isShared(choice)) {
      return () -> TieRule.sameBytes(choice.input().orElseThrow(), choice.output().orElseThrow());
    }
    if (choice.input().isEmpty()) {
      return () -> TieRule.onlyOutput(choice.output().orElseThrow(), config.tie());
    }
    if (output.isEmpty()) {
      return () -> TieRule.onlyInput(config.tie());
    }
    MemorySegment inputBytes = input.table().data();
    MemorySegment outputBytes = output.get().table().data();
    return () ->
        TieRule.both(
            choice.input().get(),
            inputBytes,
            choice.output().orElseThrow(),
            outputBytes,
            config.tie());
  }

  /** Returns whether the file stores one table under two names. */
  private static boolean isShared(TableChoice choice) {
    return choice.input().isPresent()
        && choice.output().isPresent()
        && choice.input().get().isStoredWith(choice.output().get());
  }

  private static NamedTable table(TensorFile file, TensorInfo tensor) throws IOException {
    RowFormat rows = tensor.dtype().rows().orElseThrow();
    return new NamedTable(
        tensor.name(),
        Table.over(
            file.data(tensor),
            tensor.shape().get(0),
            Math.toIntExact(tensor.shape().get(1)),
            rows));
  }

  /**
   * Returns what splits text for a model, by the same rule that {@link #open} finds its tokens by:
   * the tokenizer that the options name, else what the model file itself holds, else what lies
   * beside it; words that a file holds are a list of words.
   *
   * @return empty if there is none of these
   * @throws dev.rowan.formats.file.FormatException as {@link #open}
   */
  public static Optional<TokenizerSource> tokenizer(Path path, OpenOptions options)
      throws IOException {
    ModelFiles files = ModelFiles.find(path);
    if (options.tokenizer().isPresent()) {
      return Optional.of(TokenizerFile.of(options.tokenizer().get()).source());
    }
    try (TensorFile file = files.open(options)) {
      if (file.tokenizer().isPresent()) {
        return Optional.of(new TokenizerSource.Model(file.tokenizer().get().get()));
      }
      if (file.vocabulary().isPresent()) {
        Vocabulary own = file.vocabulary().get().get();
        return own.spelling() == Spelling.PLAIN
            ? Optional.of(new TokenizerSource.Model(VocabTxt.words(own)))
            : Optional.empty();
      }
    }
    Optional<Path> beside = files.besideAny(TokenizerFile.NAMES);
    return beside.isPresent()
        ? Optional.of(TokenizerFile.of(beside.get()).source())
        : Optional.empty();
  }

  private static Optional<Path> tokenizerPath(ModelFiles files, OpenOptions options)
      throws IOException {
    if (options.tokenizer().isPresent() && !Files.exists(options.tokenizer().get())) {
      throw new NoSuchFileException(
          options.tokenizer().get().toString(), null, "there is no such tokenizer file");
    }
    return options.tokenizer().or(() -> files.besideAny(TokenizerFile.NAMES));
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

  private static ModelConfig config(ModelFiles files, TensorFile file) throws IOException {
    Optional<Path> config = files.beside(CONFIG);
    return config.isPresent() ? ModelConfig.read(config.get()) : file.config();
  }
}

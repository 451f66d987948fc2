package dev.rowan.formats;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Origin;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    TensorFile file = files.open(options);
    try {
      ModelConfig config = config(files, file);
      return lexicon(
          path, file, config, new TokenizerChoice(files, options).vocabulary(file), options);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Lists what a model's files hold, as {@link #tensors(Path, OpenOptions)} with {@link
   * OpenOptions#DEFAULT}.
   */
  public static Inventory tensors(Path path) throws IOException {
    return tensors(path, OpenOptions.DEFAULT);
  }

  /**
   * Lists what a model's files hold, from their headers.
   *
   * @param path a file or a folder
   * @param options of which only the limit for headers counts
   * @throws NoSuchFileException if it is not there
   * @throws dev.rowan.formats.file.FormatException if a file is wrong
   */
  public static Inventory tensors(Path path, OpenOptions options) throws IOException {
    ModelFiles files = ModelFiles.find(path);
    try (TensorFile file = files.open(options)) {
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

  /**
   * Returns what splits text for a model, by the same rule that {@link #open} finds its tokens by:
   * the tokenizer that the options name, else what the model file itself holds, else what lies
   * beside it.
   *
   * @return empty if there is none, or the model file holds tokens but no way to split text, as
   *     word vectors do
   * @throws dev.rowan.formats.file.FormatException as {@link #open}
   */
  public static Optional<FoundTokenizer> tokenizer(Path path, OpenOptions options)
      throws IOException {
    return new TokenizerChoice(ModelFiles.find(path), options).found();
  }

  private static Lexicon lexicon(
      Path path,
      TensorFile file,
      ModelConfig config,
      Optional<Supplier<Vocabulary>> tokenizer,
      OpenOptions options)
      throws IOException {
    TableChoice choice =
        TableChoice.of(
            file,
            options.tensor(),
            TableChoice.expectedRows(file, config, tokenizer),
            config.tie());
    ModelTables tables = ModelTables.of(file, choice, config);
    List<String> notes = new ArrayList<>(file.notes()); // reading a table may add to them
    config.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
    notes.addAll(choice.notes());
    notes.addAll(tables.notes());
    Origin origin =
        new Origin(
            path,
            file.format(),
            config.architecture(),
            ParameterCount.of(file.tensors()),
            notes,
            file.texts());
    Lexicon lexicon =
        Lexicon.lazy(tables.input(), tables.output(), tokenizer, tables.tie(), origin, file::close);
    return file.subwords().map(lexicon::withSubwords).orElse(lexicon);
  }

  private static ModelConfig config(ModelFiles files, TensorFile file) throws IOException {
    if (file.config().tie() == TieSetting.INPUT_ONLY) {
      return file.config(); // the kind of file decides; a config.json beside it is another's
    }
    Optional<Path> config = files.beside(CONFIG);
    if (config.isEmpty()) {
      return file.config();
    }
    ModelConfig read = ModelConfig.read(config.get());
    return file.config().tie().isNoted() ? read.withTie(file.config().tie()) : read;
  }
}

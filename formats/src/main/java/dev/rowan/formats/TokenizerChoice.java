package dev.rowan.formats;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.gguf.GgufFile;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which tokenizer belongs to a model: the one that the user named, else the one that the model file
 * itself holds, else the one beside it. A file that the user names may be a tokenizer of any kind,
 * or a GGUF model that holds one.
 */
final class TokenizerChoice {
  private final ModelFiles files;
  private final OpenOptions options;

  TokenizerChoice(ModelFiles files, OpenOptions options) {
    this.files = files;
    this.options = options;
  }

  /**
   * Returns a reader of the model's tokens, if there are any.
   *
   * @throws NoSuchFileException if the options name a file that is not there
   */
  Optional<Supplier<Vocabulary>> vocabulary(TensorFile model) throws IOException {
    Optional<Path> named = named();
    if (named.isPresent()) {
      return named.map(file -> () -> vocabulary(file));
    }
    Optional<Supplier<Vocabulary>> own = model.vocabulary();
    return own.isPresent() ? own : tokensBeside().map(file -> () -> vocabulary(file));
  }

  /** Returns what splits text for the model, if there is anything. */
  Optional<FoundTokenizer> found() throws IOException {
    Optional<Path> named = named();
    if (named.isPresent()) {
      return Optional.of(source(named.get()));
    }
    try (TensorFile model = files.open(options)) {
      if (model.tokenizer().isPresent()) {
        return Optional.of(new FoundTokenizer.Model(model.tokenizer().get().get()));
      }
      if (model.vocabulary().isPresent()) {
        return Optional.empty();
      }
    }
    Optional<Path> beside = beside();
    return beside.isPresent() ? Optional.of(source(beside.get())) : Optional.empty();
  }

  private Optional<Path> named() throws NoSuchFileException {
    Optional<Path> named = options.tokenizer();
    if (named.isPresent() && !Files.exists(named.get())) {
      throw new NoSuchFileException(
          named.get().toString(), null, "there is no such tokenizer file");
    }
    return named;
  }

  /** Of several that may be meant, none: ids name rows until the user says which. */
  private Optional<Path> tokensBeside() throws IOException {
    try {
      return beside();
    } catch (FormatException _) {
      return Optional.empty();
    }
  }

  private Optional<Path> beside() throws IOException {
    Optional<Path> known =
        TokenizerFile.NAMES.stream().map(files::beside).flatMap(Optional::stream).findFirst();
    return known.isPresent() ? known : TokenizerFile.tiktoken(files.folder());
  }

  private static Vocabulary vocabulary(Path file) {
    try {
      if (!isGguf(file)) {
        return TokenizerFile.of(file).vocabulary();
      }
      try (GgufFile model = GgufFile.open(file)) {
        return model.vocabulary().orElseThrow(() -> none(file)).get();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FoundTokenizer source(Path file) throws IOException {
    if (!isGguf(file)) {
      return TokenizerFile.of(file).found();
    }
    try (GgufFile model = GgufFile.open(file)) {
      return new FoundTokenizer.Model(model.tokenizer().orElseThrow(() -> none(file)).get());
    }
  }

  private static FormatException none(Path file) {
    return new FormatException(file, "is a GGUF file without tokens; name another tokenizer");
  }

  private static boolean isGguf(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false; // a folder is looked through
    }
    try (MappedFile mapped = MappedFile.open(file)) {
      return FileKind.of(mapped.bytes()) == FileKind.GGUF;
    }
  }
}

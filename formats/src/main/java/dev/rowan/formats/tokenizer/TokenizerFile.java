package dev.rowan.formats.tokenizer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A tokenizer file of any kind. What it is, is told by its bytes.
 *
 * @param path the file; of several the one with the tokens
 * @param kind what it is
 */
public record TokenizerFile(Path path, Kind kind) {

  /** The kinds of tokenizer files. */
  public enum Kind {
    /** {@code tokenizer.json} of the Hugging Face library; see {@link TokenizerJson}. */
    TOKENIZER_JSON,
    /**
     * {@code vocab.json} with {@code merges.txt} beside it, or GPT-2's original names, see {@link
     * VocabJson}; or with a SentencePiece model beside it.
     */
    VOCAB_JSON,
    /** A SentencePiece model; see {@link SentencePieceModel}. */
    SENTENCEPIECE,
    /** A tiktoken file; see {@link TiktokenFile}. */
    TIKTOKEN,
    /** A list of tokens or words, one a line; see {@link VocabTxt}. */
    LINES
  }

  /** Where the ids of a SentencePiece file's pieces come from. */
  public enum PieceIds {
    /** The place of a piece is its id, and the file is all there is. */
    AS_IN_FILE,
    /** The Python class of the model has a rule, or tokens of its own behind the pieces. */
    BY_CLASS,
    /** The class of the model has a rule that is not known here. */
    NOT_KNOWN
  }

  /** What a folder may call its SentencePiece model. */
  public static final List<String> PIECES =
      List.of(
          "tokenizer.model",
          "spiece.model",
          "sentencepiece.bpe.model",
          "sentencepiece.model",
          "spm.model",
          "prophetnet.tokenizer");

  /** What a folder may call its tokenizer, the most telling first; see {@link #tiktoken} too. */
  public static final List<String> NAMES =
      Stream.of(
              List.of("tokenizer.json", "vocab.json", "encoder.json"),
              PIECES,
              List.of("qwen.tiktoken", "tiktoken.model", "vocab.txt"))
          .flatMap(List::stream)
          .toList();

  private static final String TIKTOKEN = ".tiktoken";

  /**
   * Looks at a file.
   *
   * @param path a tokenizer file, or a folder that has one; {@code merges.txt} stands for the
   *     {@code vocab.json} beside it
   * @throws NoSuchFileException if there is none
   * @throws FormatException if it is no tokenizer
   */
  public static TokenizerFile of(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return in(path)
          .orElseThrow(() ->
              new NoSuchFileException(
                  path.toString(),
                  null,
                  "the folder holds no tokenizer; looked for %s and *%s"
                      .formatted(String.join(", ", NAMES), TIKTOKEN)));
    }
    if (!Files.isRegularFile(path)) {
      throw new NoSuchFileException(path.toString(), null, "there is no such tokenizer file");
    }
    Path file = VocabJson.ofMerges(path).orElse(path);
    try (MappedFile mapped = MappedFile.open(file)) {
      return new TokenizerFile(file, kind(file, mapped.bytes()));
    }
  }

  /**
   * Returns the tokenizer that a folder holds, if it holds one under a name that is known, or else
   * one that ends in {@code .tiktoken}.
   *
   * @throws FormatException if several do
   */
  public static Optional<TokenizerFile> in(Path folder) throws IOException {
    Optional<Path> known =
        NAMES.stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
    Optional<Path> file = known.isPresent() ? known : tiktoken(folder);
    return file.isPresent() ? Optional.of(of(file.get())) : Optional.empty();
  }

  /**
   * Returns the one file of a folder that ends in {@code .tiktoken}, whatever it is called.
   *
   * @throws FormatException if there are several
   */
  public static Optional<Path> tiktoken(Path folder) throws IOException {
    if (!Files.isReadable(folder)) {
      return Optional.empty();
    }
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files =
          entries
              .filter(file -> file.getFileName().toString().endsWith(TIKTOKEN))
              .filter(Files::isRegularFile)
              .sorted()
              .toList();
    }
    if (files.size() > 1) {
      throw new FormatException(
          folder,
          "holds several tokenizers (%s); choose one with --tokenizer"
              .formatted(
                  files.stream()
                      .limit(8)
                      .map(file -> file.getFileName().toString())
                      .collect(Collectors.joining(", "))));
    }
    return files.stream().findFirst();
  }

  private static Kind kind(Path path, MemorySegment bytes) {
    if (SentencePieceModel.isOne(bytes)) {
      return Kind.SENTENCEPIECE;
    }
    if (TiktokenFile.isOne(bytes)) {
      return Kind.TIKTOKEN; // before the others: its lines may look like word vectors of width 1
    }
    FileKind kind = FileKind.of(bytes);
    return switch (kind) {
      case JSON -> isTokenMap(path, bytes) ? Kind.VOCAB_JSON : Kind.TOKENIZER_JSON;
      case EMPTY -> throw new FormatException(path, "is an empty file; copy it again");
      case GIT_LFS_POINTER ->
          throw new FormatException(
              path,
              "starts with \"version https://git-lfs\": this is a Git LFS pointer, not the tokenizer;"
                  + " fetch the real file with git lfs pull");
      // a word list may start with any text: markup, or a word and a number as vectors do
      case MARKUP, UNKNOWN, ONNX, WORD_VECTORS -> {
        if (String.valueOf(path.getFileName()).endsWith(".json")) {
          throw new FormatException(
              path,
              kind == FileKind.MARKUP
                  ? "is a web page, not a tokenizer; download it again"
                  : "starts with %s, as no tokenizer of that name does; copy it again"
                      .formatted(FileKind.firstBytes(bytes)));
        }
        yield lines(path, bytes);
      }
      default ->
          throw new FormatException(path, "is %s, not a tokenizer".formatted(kind.description()));
    };
  }

  private static Kind lines(Path path, MemorySegment bytes) {
    long looked = Math.min(4096, bytes.byteSize());
    for (long i = 0; i < looked; i++) {
      if (bytes.get(JAVA_BYTE, i) == 0) {
        throw new FormatException(
            path,
            i,
            "is no tokenizer that is known here: neither JSON nor a SentencePiece model nor lines of text");
      }
    }
    return Kind.LINES;
  }

  /** Returns whether a JSON file is an object of whole numbers, as {@code vocab.json} is. */
  private static boolean isTokenMap(Path path, MemorySegment bytes) {
    JsonReader json = JsonReader.over(path, bytes, 0);
    json.enterObject("the tokenizer");
    if (!json.nextName()) {
      return false;
    }
    json.nextValue();
    return json.isWhole();
  }

  /**
   * Reads the tokens, and those that were added beside the file.
   *
   * @throws FormatException if a file is wrong
   */
  public Vocabulary vocabulary() throws IOException {
    Vocabulary own = ownVocabulary();
    return takesAdded(own) ? AddedTokens.beside(path).onto(own) : own;
  }

  /** Returns where the ids of the pieces of a SentencePiece file come from. */
  public PieceIds pieceIds() throws IOException {
    return kind == Kind.SENTENCEPIECE
        ? ClassPieces.read(path, AddedTokens.beside(path)).ids()
        : PieceIds.AS_IN_FILE;
  }

  /**
   * Returns whether the tokens have the same ids beside the {@code config.json} of another model. A
   * {@code tokenizer_config.json} that names the class goes along; without one, the type of the
   * model tells how pieces are numbered.
   */
  public boolean hasSameIdsBeside(Path config) throws IOException {
    boolean merged = kind == Kind.VOCAB_JSON && VocabJson.mergesBeside(path).isPresent();
    TokenizerConfig own = TokenizerConfig.beside(path);
    if ((kind != Kind.SENTENCEPIECE && kind != Kind.VOCAB_JSON)
        || merged
        || own.texts().containsKey("tokenizer_class")) {
      return true;
    }
    Optional<String> type =
        Files.isRegularFile(config) ? ModelConfig.read(config).modelType() : Optional.empty();
    String here = own.savedClass(path).map(SavedClass::key).orElse("");
    String there = type.map(SavedClass::key).orElse("");
    return here.equals(there) || !(NumberingRules.isClass(here) || NumberingRules.isClass(there));
  }

  /** A tokenizer.json holds all, and a list of words is no tokenizer of such a model. */
  private boolean takesAdded(Vocabulary own) {
    return kind != Kind.TOKENIZER_JSON
        && (kind != Kind.LINES || own.spelling() == Spelling.WORDPIECE);
  }

  private Vocabulary ownVocabulary() throws IOException {
    return switch (kind) {
      case TOKENIZER_JSON -> TokenizerJson.read(path);
      case VOCAB_JSON -> {
        Optional<NamedPiecesFile> named = NamedPiecesFile.of(path);
        yield named.isPresent() ? named.get().vocabulary() : VocabJson.vocabulary(path);
      }
      case SENTENCEPIECE -> ClassPieces.read(path, AddedTokens.beside(path)).vocabulary();
      case TIKTOKEN -> TiktokenFile.read(path).vocabulary();
      case LINES -> VocabTxt.vocabulary(path);
    };
  }

  /**
   * Reads all that is needed to split text.
   *
   * @return empty for a {@code tokenizer.json}, which is a program rather than a model and is run
   *     by the library that defines it
   * @throws FormatException if the file is wrong
   * @throws dev.rowan.formats.file.UnsupportedFormatException if its tokens can be read but text
   *     cannot be split
   */
  public Optional<TokenizerModel> model() throws IOException {
    Optional<TokenizerModel> own = ownModel();
    return own.isPresent() && takesAdded(own.get().vocabulary())
        ? Optional.of(AddedTokens.beside(path).onto(own.get()))
        : own;
  }

  private Optional<TokenizerModel> ownModel() throws IOException {
    return switch (kind) {
      case TOKENIZER_JSON -> Optional.empty();
      case VOCAB_JSON -> {
        Optional<NamedPiecesFile> named = NamedPiecesFile.of(path);
        yield Optional.of(named.isPresent() ? named.get().model() : VocabJson.read(path));
      }
      case SENTENCEPIECE -> Optional.of(ClassPieces.read(path, AddedTokens.beside(path)).model());
      case TIKTOKEN -> Optional.of(TiktokenFile.read(path));
      case LINES -> Optional.of(VocabTxt.read(path));
    };
  }

  /**
   * Reads what is needed to split text.
   *
   * @throws FormatException as {@link #model}
   */
  public FoundTokenizer found() throws IOException {
    Optional<TokenizerModel> model = model();
    return model.isPresent()
        ? new FoundTokenizer.Model(model.get())
        : new FoundTokenizer.Json(path);
  }
}

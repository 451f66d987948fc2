package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.json.JsonReader;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads byte-level BPE as GPT-2 stores it, in two files and sometimes three that lie together.
 *
 * <pre>
 *   vocab.json         {"token": id, …}
 *   merges.txt         #version: 0.2           (this line may be missing)
 *                      Ġ t                     (a pair of tokens a line, the first joined first)
 *   added_tokens.json  {"token": id, …}        (may be missing)
 * </pre>
 *
 * <p>OpenAI released them as {@code encoder.json} and {@code vocab.bpe}.
 *
 * <p>A token of {@code vocab.json} that is no byte and that no merge makes, such as {@code
 * <|endoftext|>}, cannot come from merging and is taken as an added one.
 */
public final class VocabJson {
  private static final String MERGES = "merges.txt";
  private static final String OPENAI_MERGES = "vocab.bpe";

  private static final String ADDED = "added_tokens.json";

  private VocabJson() {}

  /** Returns the file of tokens that a file of merges belongs to, if that is what its name says. */
  static Optional<Path> ofMerges(Path path) {
    if (path.endsWith(MERGES)) {
      return Optional.of(path.resolveSibling("vocab.json"));
    }
    return path.endsWith(OPENAI_MERGES)
        ? Optional.of(path.resolveSibling("encoder.json"))
        : Optional.empty();
  }

  static Optional<Path> mergesBeside(Path path) {
    return List.of(MERGES, OPENAI_MERGES).stream()
        .map(path::resolveSibling)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /**
   * Reads the tokens of a {@code vocab.json} and of the {@code added_tokens.json} beside it.
   * Without a {@code merges.txt} it need not be byte-level BPE: the tokens themselves tell how they
   * are written.
   *
   * @throws FormatException if a file is wrong
   */
  public static Vocabulary vocabulary(Path path) throws IOException {
    if (mergesBeside(path).isPresent()) {
      return merged(path).vocabulary();
    }
    TokenList tokens = tokens(path);
    return tokens.toVocabulary(
        new SpellingClues().spelling(tokens.startingWith("Ġ"), tokens.startingWith("▁")));
  }

  /**
   * Reads a {@code vocab.json} and the files beside it.
   *
   * @throws FormatException if a file is wrong, or there is no {@code merges.txt}
   * @throws UnsupportedFormatException if the files belong to a model that splits text by other
   *     rules
   */
  public static ByteLevelBpe read(Path path) throws IOException {
    Merged read = merged(path);
    TokenizerConfig config = TokenizerConfig.beside(path);
    SavedClass saved = SavedClass.of(path, config.savedClass(path));
    if (spellsEnds(read.vocabulary())) {
      throw new UnsupportedFormatException(
          path,
          "marks where words end, or go on (\"cat</w>\", \"ca@@\"), and is no byte-level BPE: text cannot be split by it here; use the model's tokenizer.json");
    }
    return new ByteLevelBpe(
        read.vocabulary(),
        Optional.of(read.merges()),
        saved.split,
        WholeWord.MERGED,
        config
            .flag("add_prefix_space")
            .map(led -> led ? Lead.SPACE_BEFORE : Lead.NONE)
            .orElse(saved.lead),
        saved.form,
        markers(read.vocabulary(), saved));
  }

  private record Merged(Vocabulary vocabulary, Merges merges) {}

  private static Merged merged(Path path) throws IOException {
    Vocabulary vocabulary = tokens(path).toVocabulary(Spelling.BYTE_LEVEL);
    Path mergesFile =
        mergesBeside(path)
            .orElseThrow(() ->
                new FormatException(
                    path,
                    "needs the file %s beside it to split text; whole tokens can be named without"
                        .formatted(MERGES)));
    Merges merges;
    try (MappedFile file = MappedFile.open(mergesFile)) {
      merges = merges(mergesFile, file.bytes(), vocabulary);
    }
    return new Merged(withAdded(vocabulary, merges), merges);
  }

  /** Whether more tokens mark an end of a word than a space in front of one. */
  private static boolean spellsEnds(Vocabulary vocabulary) {
    int balance = 0;
    for (int id = 0; id < vocabulary.size(); id++) {
      String token = vocabulary.has(id) ? vocabulary.stored(id) : "";
      balance += token.endsWith("</w>") || token.endsWith("@@") ? 1 : 0;
      balance -= token.startsWith("Ġ") ? 1 : 0;
    }
    return balance > 0;
  }

  private static Markers markers(Vocabulary vocabulary, SavedClass saved) {
    List<Integer> added =
        IntStream.range(0, vocabulary.size()).filter(vocabulary::isAdded).boxed().toList();
    return saved == SavedClass.FRAMED
        ? new Markers(added, VocabTxt.ids(vocabulary, "<s>"), VocabTxt.ids(vocabulary, "</s>"))
        : new Markers(added, List.of(), List.of());
  }

  private static TokenList tokens(Path path) throws IOException {
    TokenList tokens = new TokenList();
    add(path, tokens);
    tokens.addedFollow();
    Path added = path.resolveSibling(ADDED);
    if (Files.isRegularFile(added)) {
      add(added, tokens);
    }
    return checked(path, tokens);
  }

  /** Returns the pieces of a SentencePiece model that a file lists, without what lies beside it. */
  static Vocabulary pieces(Path path) throws IOException {
    TokenList tokens = new TokenList();
    add(path, tokens);
    return checked(path, tokens).toVocabulary(Spelling.SENTENCEPIECE);
  }

  private static TokenList checked(Path path, TokenList tokens) {
    if (tokens.count() == 0) {
      throw new FormatException(path, "holds no tokens");
    }
    if (tokens.excessiveId() >= 0) {
      throw new FormatException(
          path,
          "gives the id %,d though it lists only %,d tokens; ids that sparse are not supported"
              .formatted(tokens.excessiveId(), tokens.count()));
    }
    return tokens;
  }

  private static void add(Path path, TokenList tokens) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      JsonReader json = JsonReader.over(path, file.bytes(), 0);
      json.enterObject("the vocabulary");
      while (json.nextName()) {
        byte[] token = json.nameBytes();
        json.nextValue();
        long id = json.whole("the id of a token");
        if (id < 0 || id >= Integer.MAX_VALUE) {
          throw json.wrong(
              "the id of \"%s\" is %d; it should lie in [0, 2^31 − 1)"
                  .formatted(new String(token, StandardCharsets.UTF_8), id));
        }
        tokens.add(token, (int) id);
      }
      json.end();
    }
  }

  static Merges merges(Path path, MemorySegment bytes, Vocabulary vocabulary) {
    TextFile lines = TextFile.over(path, bytes);
    Merges.Collector merges = new Merges.Collector(vocabulary);
    while (lines.next()) {
      String line = new String(lines.line(), StandardCharsets.UTF_8);
      if (line.isEmpty() || line.startsWith("#version")) {
        continue;
      }
      try {
        merges.add(line);
      } catch (IllegalArgumentException e) {
        throw new FormatException(
            path,
            lines.offset(),
            "line %,d is no merge: %s".formatted(lines.number(), e.getMessage()),
            e);
      }
    }
    return merges.merges();
  }

  private static Vocabulary withAdded(Vocabulary vocabulary, Merges merges) {
    BitSet made = new BitSet(vocabulary.size());
    for (int rank = 0; rank < merges.count(); rank++) {
      made.set(merges.joined(rank));
    }
    byte[][] entries = new byte[vocabulary.size()][];
    BitSet absent = new BitSet();
    BitSet added = new BitSet();
    for (int id = 0; id < entries.length; id++) {
      boolean there = vocabulary.has(id);
      absent.set(id, !there);
      entries[id] = there ? vocabulary.bytes(id) : new byte[0];
      boolean isByte = there && vocabulary.stored(id).length() == 1;
      added.set(id, there && (vocabulary.isAdded(id) || (!isByte && !made.get(id))));
    }
    return Vocabulary.of(Spelling.BYTE_LEVEL, entries, absent, added).withNotes(vocabulary.notes());
  }
}

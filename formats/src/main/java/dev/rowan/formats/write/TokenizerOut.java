package dev.rowan.formats.write;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tokenizer.TokenizerJson;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.write.ConvertOptions.TokenizerSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A {@code tokenizer.json} for the rows: the source's own where it says the same, else one that
 * names rows. Plain words get a word-level model that splits at white space and punctuation, which
 * is all they ever had; other tokenizers are written where {@link ProgramOut} can.
 */
final class TokenizerOut {
  private static final List<String> UNKNOWN = List.of("[UNK]", "<unk>", "UNK", "<UNK>");

  /** What the pre-tokenizer {@code Whitespace} leaves in one piece. */
  private static final Pattern UNSPLIT =
      Pattern.compile("\\w+|[^\\w\\s]+", Pattern.UNICODE_CHARACTER_CLASS);

  private final Source source;
  private final Optional<byte[]> original;
  private final Optional<TokenizerModel> model;
  private final Optional<String> addedUnknown;

  private TokenizerOut(
      Source source,
      Optional<byte[]> original,
      Optional<TokenizerModel> model,
      Optional<String> addedUnknown) {
    this.source = source;
    this.original = original;
    this.model = model;
    this.addedUnknown = addedUnknown;
  }

  /** What to do where no token stands for unknown words. */
  enum Unknown {
    /** Nothing. */
    LEAVE,
    /** Name one more row {@code [UNK]}: without it, the readers of the target fail on new words. */
    ADD
  }

  /**
   * Prepares a tokenizer, or refuses tokens that JSON cannot hold.
   *
   * @throws IllegalArgumentException if there is no vocabulary, or a token is not UTF-8, or two
   *     rows have the same
   */
  static TokenizerOut of(Source source, Unknown unknown, TokenizerSource tokenizer)
      throws IOException {
    if (!source.hasTokens()) {
      throw new IllegalArgumentException(
          "this model has no vocabulary, so its rows would have no names; name its tokenizer file");
    }
    Optional<byte[]> original = original(source);
    if (original.isPresent()) {
      return new TokenizerOut(source, original, Optional.empty(), Optional.empty());
    }
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null && !Words.isUtf8(token)) {
        throw new IllegalArgumentException(
            "the token \"%s\" of row %d is not UTF-8, so tokenizer.json cannot hold it"
                .formatted(new String(token, StandardCharsets.UTF_8), source.id(row)));
      }
    }
    Optional<String> repeated = TokenRules.firstRepeated(source);
    if (repeated.isPresent()) {
      throw new IllegalArgumentException(
          "tokenizer.json names each token once, but the token %s occurs twice"
              .formatted(repeated.get()));
    }
    Vocabulary vocabulary = source.vocabulary();
    Optional<TokenizerModel> model =
        vocabulary.spelling() == Spelling.PLAIN
            ? Optional.empty()
            : SourceTokenizer.of(source, tokenizer).filter(ProgramOut::canWrite);
    if (vocabulary.spelling() != Spelling.PLAIN && model.isEmpty()) {
      source.note(
          "the tokenizer's rules for splitting text are not known here; the tokenizer.json written"
              + " names rows, no more");
    }
    boolean lacks = UNKNOWN.stream().noneMatch(word -> vocabulary.id(word).isPresent());
    boolean add = unknown == Unknown.ADD && lacks && vocabulary.spelling() == Spelling.PLAIN;
    if (add) {
      source.note(
          "a row of zeros named \"[UNK]\" was added at the end, which readers need for new words");
    }
    if (vocabulary.spelling() == Spelling.PLAIN) {
      noteOutOfReach(source);
    }
    return new TokenizerOut(
        source, Optional.empty(), model, add ? Optional.of("[UNK]") : Optional.empty());
  }

  /**
   * Words that are split before they are looked up are new words for readers of what is written.
   */
  private static void noteOutOfReach(Source source) {
    long out = 0;
    String first = "";
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token == null || source.isAdded(row) || UNSPLIT.matcher(text(token)).matches()) {
        continue;
      }
      first = out == 0 ? text(token) : first;
      out++;
    }
    if (out > 0) {
      source.note(
          "the tokenizer.json written splits text at white space and punctuation: %,d words, such as \"%s\", are never found by it, and readers take their parts for new words"
              .formatted(out, first));
    }
  }

  /** The file beside the model, if it gives every row the token that it has. */
  private static Optional<byte[]> original(Source source) throws IOException {
    Path path = source.lexicon().origin().path();
    Path folder = Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
    for (String name : List.of("tokenizer.json", "0_StaticEmbedding/tokenizer.json")) {
      Path place = folder == null ? null : folder.resolve(name);
      if (place != null && source.isWhole() && Files.isRegularFile(place)) {
        byte[] bytes = Files.readAllBytes(place);
        if (says(source.vocabulary(), place, bytes)) {
          return Optional.of(bytes);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean says(Vocabulary vocabulary, Path path, byte[] bytes) {
    Vocabulary other;
    try {
      other = TokenizerJson.read(path, MemorySegment.ofArray(bytes));
    } catch (FormatException _) {
      return false; // the vocabulary came from elsewhere, so this file does not matter
    }
    if (other.size() != vocabulary.size() || other.spelling() != vocabulary.spelling()) {
      return false;
    }
    for (int id = 0; id < other.size(); id++) {
      boolean same = other.has(id) == vocabulary.has(id);
      if (!same || (other.has(id) && !Arrays.equals(other.bytes(id), vocabulary.bytes(id)))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether one row more than the source's is named. */
  boolean addsRow() {
    return addedUnknown.isPresent();
  }

  /** Returns the row behind the last that is named. */
  long namedRows() {
    return original.isPresent() ? source.vocabulary().size() : source.rows();
  }

  void write(Path file) throws IOException {
    if (original.isPresent()) {
      NewFile.write(file, out -> out.append(MemorySegment.ofArray(original.get())));
      return;
    }
    NewFile.write(file, out -> Sink.over(out, this::writeNames));
  }

  private void writeNames(Sink out) throws IOException {
    out.put("{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[");
    String comma = "";
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null && source.isAdded(row)) {
        out.put(
            "%s{\"id\":%d,\"content\":%s,\"single_word\":false,\"lstrip\":false,\"rstrip\":false,\"normalized\":false,\"special\":true}"
                .formatted(comma, row, Json.quoted(text(token))));
        comma = ",";
      }
    }
    if (model.isPresent()) {
      ProgramOut.write(model.get(), out);
    } else {
      writeShape(out);
    }
    out.put(",\"vocab\":{");
    comma = "";
    for (long row = 0; row < source.rows(); row++) {
      byte[] token = source.token(row);
      if (token != null) {
        out.put(comma + Json.quoted(text(token)) + ":" + row);
        comma = ",";
      }
    }
    if (addedUnknown.isPresent()) {
      out.put(comma + Json.quoted(addedUnknown.get()) + ":" + source.rows());
    }
    out.put("}}}");
  }

  /** Rules that read the names right, and split nothing. */
  private void writeShape(Sink out) throws IOException {
    out.put("],\"normalizer\":null,\"pre_tokenizer\":");
    Spelling spelling = source.vocabulary().spelling();
    out.put(
        switch (spelling) {
          case BYTE_LEVEL ->
              "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true,\"use_regex\":true}";
          case WORDPIECE -> "{\"type\":\"BertPreTokenizer\"}";
          case SENTENCEPIECE ->
              "{\"type\":\"Metaspace\",\"replacement\":\"▁\",\"prepend_scheme\":\"always\",\"split\":true}";
          case PLAIN -> "{\"type\":\"Whitespace\"}";
        });
    out.put(",\"post_processor\":null,\"decoder\":null,\"model\":{");
    out.put(
        switch (spelling) {
          case BYTE_LEVEL, SENTENCEPIECE -> "\"type\":\"BPE\",\"merges\":[]";
          case WORDPIECE ->
              // no word is short enough: text shall not be split by rules that are not the model's
              "\"type\":\"WordPiece\",\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":0,\"unk_token\":"
                  + Json.quoted(unknown());
          case PLAIN -> "\"type\":\"WordLevel\",\"unk_token\":" + Json.quoted(unknown());
        });
  }

  private String unknown() {
    return UNKNOWN.stream()
        .filter(word -> source.vocabulary().id(word).isPresent())
        .findFirst()
        .orElse(UNKNOWN.getFirst());
  }

  private static String text(byte[] token) {
    return new String(token, StandardCharsets.UTF_8);
  }
}

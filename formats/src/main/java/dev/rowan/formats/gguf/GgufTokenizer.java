package dev.rowan.formats.gguf;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.gguf.GgufValue.Items;
import dev.rowan.formats.tokenizer.Merges;
import dev.rowan.formats.tokenizer.Pieces;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.PieceChoice;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import dev.rowan.formats.tokenizer.WordSplit;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tokenizer of a GGUF file. Beside the keys that {@link GgufTokens} reads:
 *
 * <pre>
 *   tokenizer.ggml.merges                    array of text, "Ġ t": byte-level BPE
 *   tokenizer.ggml.pre                       how byte-level BPE cuts text into words; "none" of any
 *                                            model: the rules were left out, tokens name rows
 *   tokenizer.ggml.precompiled_charsmap      array of u8 or i8: Unigram's replacements
 *   tokenizer.ggml.add_space_prefix          bool  a space in front of a text
 *   tokenizer.ggml.remove_extra_whitespaces  bool  Unigram: runs of spaces become one
 *   tokenizer.ggml.add_bos_token, add_eos_token, bos_token_id, eos_token_id, cls_token_id,
 *   seperator_token_id (sic), unknown_token_id
 *   tokenizer.ggml.normalizer.lowercase, .strip_accents  bool  WordPiece: capitals and accents go
 * </pre>
 *
 * <p>What a missing key means depends on the model, as in llama.cpp (llama-vocab.cpp). Tokens that
 * are unknown, control or user-defined are found in text as they are written.
 */
final class GgufTokenizer {
  private static final String PREFIX = "tokenizer.ggml.";

  /** What {@code convert} writes for the key "pre" where it cannot keep the rules. */
  private static final String RULES_LEFT_OUT = "none";

  private static final String NAME_ANOTHER =
      "name the tokenizer of the model that it was made from with --tokenizer, or use whole tokens";

  /** Names of the key "pre" whose models take a word that is a token without merging it. */
  private static final Set<String> WHOLE_WORDS =
      Set.of(
          "llama3",
          "llama-v3",
          "llama-bpe",
          "falcon3",
          "falcon-h1",
          "pixtral",
          "midm-2.0",
          "lfm2",
          "tekken");

  private final Path path;
  private final GgufMetadata metadata;
  private final Vocabulary vocabulary;

  private GgufTokenizer(Path path, GgufMetadata metadata, Vocabulary vocabulary) {
    this.path = path;
    this.metadata = metadata;
    this.vocabulary = vocabulary;
  }

  /** Reads the tokenizer of a file that has tokens. */
  static TokenizerModel read(Path path, GgufMetadata metadata, Vocabulary vocabulary) {
    GgufTokenizer reader = new GgufTokenizer(path, metadata, vocabulary);
    String model = metadata.text(PREFIX + "model").orElse("");
    if (metadata.text(PREFIX + "pre").filter(RULES_LEFT_OUT::equals).isPresent()) {
      throw new UnsupportedFormatException(
          path,
          "has tokens that name rows, no more: whoever wrote it could not keep the rules for splitting text (%spre is \"%s\"); %s"
              .formatted(PREFIX, RULES_LEFT_OUT, NAME_ANOTHER));
    }
    return switch (model) {
      case "gpt2" -> reader.byteLevelBpe();
      case "llama" -> reader.sentencePieceBpe();
      case "t5" -> reader.unigram();
      case "bert" -> reader.wordPiece();
      default ->
          throw reader.unsupported(
              "has a tokenizer of the kind \"%s\" (%smodel)".formatted(model, PREFIX));
    };
  }

  private UnsupportedFormatException unsupported(String what) {
    return new UnsupportedFormatException(
        path,
        what
            + ", which cannot split text here; name the model's tokenizer.json with --tokenizer, or use whole tokens");
  }

  private ByteLevelBpe byteLevelBpe() {
    Optional<String> name = metadata.text(PREFIX + "pre");
    WordSplit split =
        name.isEmpty()
            ? WordSplit.UNNAMED
            : WordSplit.ofGguf(name.get())
                .orElseThrow(() ->
                    unsupported(
                        "cuts text into words as \"%s\" does (%spre)"
                            .formatted(name.get(), PREFIX)));
    boolean wholeWords = name.filter(WHOLE_WORDS::contains).isPresent();
    return new ByteLevelBpe(
        vocabulary,
        Optional.of(merges()),
        split,
        wholeWords ? WholeWord.TAKEN : WholeWord.MERGED,
        flag("add_space_prefix").orElse(false) ? Lead.SPACE_BEFORE : Lead.NONE,
        markers(wholeWords, false));
  }

  private Merges merges() {
    String key = PREFIX + "merges";
    Items items =
        metadata
            .items(key, GgufType.STRING)
            .orElseThrow(() ->
                metadata.wrong(
                    "has byte-level tokens but no merges (%s), so text cannot be split; %s"
                        .formatted(key, NAME_ANOTHER)));
    Merges.Collector merges = new Merges.Collector(vocabulary);
    GgufCursor cursor = metadata.items(items);
    for (long i = 0; i < items.count(); i++) {
      byte[] pair = metadata.bytes(cursor.span("a merge"));
      try {
        merges.add(new String(pair, StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw metadata.wrong("merge %,d is none: %s".formatted(i, e.getMessage()));
      }
    }
    return merges.merges();
  }

  private SentencePiece sentencePieceBpe() {
    boolean space = flag("add_space_prefix").orElse(true);
    return new SentencePiece(
        vocabulary,
        PieceChoice.BPE,
        pieces(),
        TextRules.plain(space ? Lead.SPACE_BEFORE : Lead.NONE, Spaces.KEPT),
        markers(true, false));
  }

  private SentencePiece unigram() {
    boolean space = flag("add_space_prefix").orElse(false);
    boolean collapse = flag("remove_extra_whitespaces").orElse(false);
    return new SentencePiece(
        vocabulary,
        PieceChoice.UNIGRAM,
        pieces(),
        rules(space ? Lead.SPACE_BEFORE : Lead.NONE, collapse ? Spaces.COLLAPSED : Spaces.KEPT),
        markers(false, true));
  }

  private TextRules rules(Lead lead, Spaces spaces) {
    try {
      return new TextRules(charsmap(), lead, spaces);
    } catch (IllegalArgumentException e) {
      throw metadata.wrong(String.valueOf(e.getMessage()));
    }
  }

  private MemorySegment charsmap() {
    String key = PREFIX + "precompiled_charsmap";
    boolean signed =
        metadata.value(key).isPresent()
            && metadata.value(key).get() instanceof Items items
            && items.type() == GgufType.I8;
    Optional<Items> items = metadata.items(key, signed ? GgufType.I8 : GgufType.U8);
    if (items.isEmpty()) {
      return MemorySegment.ofArray(new byte[0]);
    }
    // copied, because the tokenizer may be used after the file is closed
    byte[] copy = metadata.bytes(new GgufValue.Text(items.get().at(), items.get().count()));
    return MemorySegment.ofArray(copy).asReadOnly();
  }

  private Pieces pieces() {
    String key = GgufTokens.SCORES;
    Items scores =
        metadata
            .items(key, GgufType.F32)
            .orElseThrow(() ->
                metadata.wrong(
                    "has SentencePiece tokens but no scores (%s), since whoever wrote it could or would not keep the rules for splitting text; %s"
                        .formatted(key, NAME_ANOTHER)));
    float[] values = new float[vocabulary.size()];
    GgufCursor cursor = metadata.items(scores);
    for (int id = 0; id < values.length; id++) {
      values[id] = cursor.f32();
    }
    return Pieces.of(values, kinds());
  }

  private Pieces.Kind[] kinds() {
    Pieces.Kind[] kinds = new Pieces.Kind[vocabulary.size()];
    Optional<GgufCursor> types = GgufTokens.types(metadata).map(metadata::items);
    for (int id = 0; id < kinds.length; id++) {
      kinds[id] = types.isPresent() ? Pieces.Kind.of(types.get().i32()) : Pieces.Kind.NORMAL;
    }
    return kinds;
  }

  private WordPiece wordPiece() {
    List<Integer> start = firstOf("cls_token_id", "bos_token_id", "[CLS]");
    List<Integer> end = firstOf("seperator_token_id", "eos_token_id", "[SEP]");
    OptionalLong unknown = id("unknown_token_id");
    return new WordPiece(
        vocabulary,
        letterCase(),
        unknown.isPresent() ? OptionalInt.of((int) unknown.getAsLong()) : vocabulary.id("[UNK]"),
        markers(start, end));
  }

  /** What llama.cpp does where the keys are missing: capitals and accents go. */
  private LetterCase letterCase() {
    boolean lowered = metadata.truth(GgufTokens.LOWERED).orElse(true);
    if (flag("normalizer.strip_accents").orElse(lowered) != lowered) {
      throw unsupported(
          "has a WordPiece tokenizer that treats capitals and accents differently (%snormalizer)"
              .formatted(PREFIX));
    }
    return lowered ? LetterCase.LOWERED : LetterCase.KEPT;
  }

  private List<Integer> firstOf(String key, String otherKey, String token) {
    OptionalLong id = id(key).isPresent() ? id(key) : id(otherKey);
    OptionalInt named = vocabulary.id(token);
    if (named.isPresent() && id.isEmpty()) {
      return List.of(named.getAsInt());
    }
    return id.isPresent() ? List.of((int) id.getAsLong()) : List.of();
  }

  private Markers markers(boolean startByDefault, boolean endByDefault) {
    boolean start = flag("add_bos_token").orElse(startByDefault);
    boolean end = flag("add_eos_token").orElse(endByDefault);
    return markers(start ? ids("bos_token_id") : List.of(), end ? ids("eos_token_id") : List.of());
  }

  private Markers markers(List<Integer> before, List<Integer> after) {
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      id(role.ggufName() + "_token_id").ifPresent(id -> roles.put(role, (int) id));
    }
    Pieces.Kind[] kinds = kinds();
    List<Integer> inText = inText(kinds);
    Set<Integer> userDefined =
        inText.stream()
            .filter(id -> kinds[id] == Pieces.Kind.USER_DEFINED)
            .collect(Collectors.toUnmodifiableSet());
    return new Markers(inText, before, after, roles, userDefined);
  }

  private List<Integer> ids(String key) {
    OptionalLong id = id(key);
    return id.isPresent() ? List.of((int) id.getAsLong()) : List.of();
  }

  private List<Integer> inText(Pieces.Kind[] kinds) {
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < kinds.length; id++) {
      boolean marker =
          switch (kinds[id]) {
            case UNKNOWN, CONTROL, USER_DEFINED -> true;
            case NORMAL, UNUSED, BYTE -> false;
          };
      if (marker && vocabulary.has(id)) {
        ids.add(id);
      }
    }
    return ids;
  }

  private Optional<Boolean> flag(String key) {
    return metadata.truth(PREFIX + key);
  }

  /** Returns the id of a token that plays a part; one that is not there counts as not given. */
  private OptionalLong id(String key) {
    OptionalLong id = metadata.whole(PREFIX + key);
    return id.isPresent() && vocabulary.has(id.getAsLong()) ? id : OptionalLong.empty();
  }
}

package dev.rowan.formats.gguf;

import dev.rowan.core.Counted;
import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.gguf.GgufValue.Items;
import dev.rowan.formats.tokenizer.VocabTxt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The tokens of a GGUF file.
 *
 * <pre>
 *   tokenizer.ggml.model        gpt2 (byte-level BPE), llama (SentencePiece BPE), t5 (Unigram),
 *                               bert (WordPiece, rewritten), …, none
 *   tokenizer.ggml.tokens       array of text: the place is the id
 *   tokenizer.ggml.scores       array of f32, as many
 *   tokenizer.ggml.token_type   array of i32, as many: 1 normal, 2 unknown, 3 control, 4 user,
 *                               5 unused, 6 byte
 * </pre>
 *
 * <p>Tokens of types 2 to 6 count as added ones. Converters fill rows that have no token with one
 * named after its id, {@code [PAD50261]}; such an id is taken to have no token. BERT's tokens are
 * rewritten on conversion and turned back here; see {@link PhantomSpaces}.
 */
final class GgufTokens {
  private static final String MODEL = "tokenizer.ggml.model";
  private static final String TOKENS = "tokenizer.ggml.tokens";
  static final String LOWERED = "tokenizer.ggml.normalizer.lowercase";
  static final String SCORES = "tokenizer.ggml.scores";
  private static final String TYPES = "tokenizer.ggml.token_type";
  private static final int MOST_TOKEN = 1 << 20;
  private static final int NORMAL = 1;
  private static final int UNUSED = 5;

  private final GgufMetadata metadata;
  private final Items tokens;
  private final Optional<Items> types;

  private GgufTokens(GgufMetadata metadata, Items tokens, Optional<Items> types) {
    this.metadata = metadata;
    this.tokens = tokens;
    this.types = types;
  }

  /** Returns a reader of the tokens, if there are any. Checks the arrays, reads none. */
  static Optional<Supplier<Vocabulary>> of(GgufMetadata metadata) {
    Optional<Items> tokens = metadata.items(TOKENS, GgufType.STRING);
    Optional<Items> scores = metadata.items(SCORES, GgufType.F32);
    Optional<Items> types = types(metadata);
    if (tokens.isEmpty() || tokens.get().count() == 0) {
      return Optional.empty();
    }
    long count = tokens.get().count();
    if (count >= Integer.MAX_VALUE) {
      throw metadata.wrong("has %,d tokens; fewer than 2^31 − 1 are supported".formatted(count));
    }
    checkCount(metadata, SCORES, scores, count);
    checkCount(metadata, TYPES, types, count);
    GgufTokens reader = new GgufTokens(metadata, tokens.get(), types);
    return Optional.of(reader::read);
  }

  /** Returns how many tokens there are. */
  static long count(GgufMetadata metadata) {
    return metadata.items(TOKENS, GgufType.STRING).map(Items::count).orElse(0L);
  }

  /** Returns the kinds of the tokens, if the file tells them. */
  static Optional<Items> types(GgufMetadata metadata) {
    Optional<GgufValue> value = metadata.value(TYPES);
    boolean unsigned =
        value.isPresent() && value.get() instanceof Items items && items.type() == GgufType.U32;
    return metadata.items(TYPES, unsigned ? GgufType.U32 : GgufType.I32);
  }

  private static void checkCount(
      GgufMetadata metadata, String key, Optional<Items> items, long count) {
    if (items.isPresent() && items.get().count() != count) {
      throw metadata.wrong(
          "%s has %,d items but %s has %,d; both should have one a token"
              .formatted(key, items.get().count(), TOKENS, count));
    }
  }

  private Vocabulary read() {
    int count = Math.toIntExact(tokens.count()); // each takes 8 bytes of the file at least
    byte[][] entries = new byte[count][];
    BitSet absent = new BitSet();
    BitSet added = new BitSet();
    GgufCursor cursor = metadata.items(tokens);
    Optional<GgufCursor> type = types.map(metadata::items);
    long total = 0;
    for (int id = 0; id < count; id++) {
      byte[] entry = cursor.bytes(token(cursor));
      int kind = type.map(GgufCursor::i32).orElse(NORMAL);
      boolean padding = (kind == UNUSED || type.isEmpty()) && isPadding(entry, id);
      absent.set(id, padding);
      added.set(id, !padding && kind > NORMAL);
      entries[id] = padding ? new byte[0] : entry;
      total += entries[id].length;
    }
    if (total > Integer.MAX_VALUE - 8) {
      throw metadata.wrong(
          "the tokens take %,d bytes together; at most 2^31 are supported".formatted(total));
    }
    boolean respelled = model().equals("bert") && PhantomSpaces.isUsed(entries);
    if (respelled) {
      for (int id = 0; id < count; id++) {
        entries[id] = absent.get(id) ? entries[id] : PhantomSpaces.read(entries[id], added.get(id));
      }
    }
    Vocabulary vocabulary = Vocabulary.of(spelling(entries), entries, absent, added);
    return vocabulary.withNotes(notes(vocabulary, absent, respelled));
  }

  /** Returns the place of the next token, checked to be one that can be held. */
  private GgufValue.Text token(GgufCursor cursor) {
    GgufValue.Text token = cursor.span("a token");
    if (token.length() > MOST_TOKEN) {
      throw metadata.wrong(
          "a token has %,d bytes; %,d are the most".formatted(token.length(), MOST_TOKEN));
    }
    return token;
  }

  private static boolean isPadding(byte[] entry, int id) {
    return entry.length > 5
        && entry[0] == '['
        && new String(entry, StandardCharsets.ISO_8859_1).equals("[PAD" + id + "]");
  }

  private List<String> notes(Vocabulary vocabulary, BitSet absent, boolean respelled) {
    List<String> notes = new ArrayList<>();
    OptionalInt first = absent.stream().findFirst();
    if (first.isPresent()) {
      notes.add(
          "%s, such as \"[PAD%d]\"; they count as rows without a token"
              .formatted(
                  Counted.of(
                      absent.cardinality(),
                      "id has a placeholder for a token",
                      "ids have a placeholder for a token"),
                  first.getAsInt()));
    }
    if (respelled) {
      notes.add(
          "the file spells WordPiece as \"▁cat\" and \"s\"; the tokens here are spelled back, as \"cat\" and \"##s\"");
    }
    if (model().equals("bert") && metadata.truth(LOWERED).isEmpty()) {
      VocabTxt.firstWithCapital(vocabulary)
          .ifPresent(id ->
              notes.add(
                  "the file does not say whether capitals count, so text is lower-cased, as llama.cpp does; tokens with capitals, such as \"%s\", are then never reached from text"
                      .formatted(vocabulary.stored(id))));
    }
    return notes;
  }

  private String model() {
    return metadata.text(MODEL).orElse("");
  }

  private Spelling spelling(byte[][] entries) {
    return switch (model()) {
      case "gpt2" -> Spelling.BYTE_LEVEL;
      case "llama", "t5" -> Spelling.SENTENCEPIECE;
      case "bert" -> Spelling.WORDPIECE;
      case "rwkv" -> Spelling.PLAIN;
      default -> {
        // a model not known here: the tokens tell how spaces are written
        int byteLevel = startingWith(entries, "Ġ");
        int sentencePiece = startingWith(entries, "▁");
        if (byteLevel > sentencePiece) {
          yield Spelling.BYTE_LEVEL;
        }
        yield sentencePiece > 0 ? Spelling.SENTENCEPIECE : Spelling.PLAIN;
      }
    };
  }

  private static int startingWith(byte[][] entries, String character) {
    byte[] start = character.getBytes(StandardCharsets.UTF_8);
    int found = 0;
    for (byte[] entry : entries) {
      if (entry.length >= start.length
          && Arrays.equals(entry, 0, start.length, start, 0, start.length)) {
        found++;
      }
    }
    return found;
  }
}

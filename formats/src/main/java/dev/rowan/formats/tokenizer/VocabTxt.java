package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.lines.Words;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads a list of tokens, one a line, the place of the line being the id: BERT's {@code vocab.txt},
 * or any list of words.
 *
 * <pre>
 *   [PAD]
 *   [UNK]
 *   the
 *   ##s
 * </pre>
 *
 * <p>It is WordPiece if it has {@code [UNK]} and a token that starts with {@code ##}, else a list
 * of whole words. The file does not say whether capitals count; the {@code tokenizer_config.json}
 * beside it may, and if it does not, they count if any token that is a word has one: a letter that
 * lower-casing changes, which it does not do to {@code ℝ}.
 */
public final class VocabTxt {
  private static final Map<String, Role> SPECIAL =
      Map.of(
          "[UNK]", Role.UNKNOWN,
          "[SEP]", Role.SEPARATOR,
          "[PAD]", Role.PADDING,
          "[CLS]", Role.CLASS,
          "[MASK]", Role.MASK);
  private static final List<String> UNKNOWN_WORDS = List.of("[UNK]", "<unk>", "<UNK>");

  private VocabTxt() {}

  /**
   * Reads a file. Cost: one pass over it.
   *
   * @throws FormatException if it has no line
   * @throws UnsupportedFormatException if the config asks for rules that cannot be run
   */
  public static TokenizerModel read(Path path) throws IOException {
    TokenizerConfig config = TokenizerConfig.beside(path);
    TokenizerModel model = read(path, config);
    if (model instanceof TokenizerModel.WordPiece pieces) {
      boolean lowered = pieces.letterCase() == LetterCase.LOWERED;
      if (config.flag("strip_accents").orElse(lowered) != lowered
          || !config.flag("tokenize_chinese_chars").orElse(true)) {
        throw new UnsupportedFormatException(
            path,
            "belongs to a tokenizer_config.json with a strip_accents that differs from do_lower_case, or"
                + " without tokenize_chinese_chars, which cannot split text here; use the model's"
                + " tokenizer.json");
      }
    }
    return model;
  }

  /**
   * Reads the tokens alone, whatever the config beside them asks for.
   *
   * @throws FormatException if the file has no line
   */
  public static Vocabulary vocabulary(Path path) throws IOException {
    return read(path, TokenizerConfig.SILENT).vocabulary();
  }

  private static TokenizerModel read(Path path, TokenizerConfig config) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      return read(path, file.bytes(), config);
    }
  }

  private static TokenizerModel read(Path path, MemorySegment bytes, TokenizerConfig config) {
    TextFile lines = TextFile.over(path, bytes);
    List<byte[]> tokens = new ArrayList<>();
    while (lines.next()) {
      tokens.add(lines.line());
    }
    if (tokens.isEmpty()) {
      throw new FormatException(path, "is empty; a list of tokens has one a line");
    }
    byte[][] entries = tokens.toArray(byte[][]::new);
    BitSet absent = new BitSet();
    for (int id = 0; id < entries.length; id++) {
      absent.set(id, entries[id].length == 0);
    }
    boolean continued = false;
    boolean unknown = false;
    for (byte[] entry : entries) {
      continued |= entry.length > 2 && entry[0] == '#' && entry[1] == '#';
      unknown |= entry.length == 5 && new String(entry, StandardCharsets.UTF_8).equals("[UNK]");
    }
    return continued && unknown
        ? wordPiece(entries, absent, config)
        : words(Words.noteBroken(Vocabulary.of(Spelling.PLAIN, entries, absent, new BitSet())));
  }

  /** Returns the whole words of a vocabulary as a tokenizer. */
  public static TokenizerModel.WordList words(Vocabulary vocabulary) {
    OptionalInt unknown =
        UNKNOWN_WORDS.stream()
            .map(vocabulary::id)
            .filter(OptionalInt::isPresent)
            .findFirst()
            .orElse(OptionalInt.empty());
    return new TokenizerModel.WordList(vocabulary, unknown, Markers.NONE);
  }

  private static TokenizerModel wordPiece(byte[][] entries, BitSet absent, TokenizerConfig config) {
    Vocabulary plain = Vocabulary.of(Spelling.WORDPIECE, entries, absent, new BitSet());
    BitSet added = new BitSet();
    List<Integer> inText = new ArrayList<>();
    for (String token : SPECIAL.keySet()) {
      plain
          .id(token)
          .ifPresent(id -> {
            added.set(id);
            inText.add(id);
          });
    }
    return new TokenizerModel.WordPiece(
        Vocabulary.of(Spelling.WORDPIECE, entries, absent, added),
        config.letterCase().orElseGet(() -> letterCase(plain)),
        plain.id("[UNK]"),
        new Markers(inText, ids(plain, "[CLS]"), ids(plain, "[SEP]"), roles(plain), Set.of()));
  }

  private static Map<Role, Integer> roles(Vocabulary vocabulary) {
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    SPECIAL.forEach((token, role) -> vocabulary.id(token).ifPresent(id -> roles.put(role, id)));
    return roles;
  }

  static List<Integer> ids(Vocabulary vocabulary, String token) {
    OptionalInt id = vocabulary.id(token);
    return id.isPresent() ? List.of(id.getAsInt()) : List.of();
  }

  private static LetterCase letterCase(Vocabulary vocabulary) {
    return firstWithCapital(vocabulary).isPresent() ? LetterCase.KEPT : LetterCase.LOWERED;
  }

  /** Returns the first token in no brackets that lower-casing changes. */
  public static OptionalInt firstWithCapital(Vocabulary vocabulary) {
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id)) {
        String token = vocabulary.stored(id);
        boolean bracketed = token.startsWith("[") && token.endsWith("]");
        if (!bracketed && token.codePoints().anyMatch(VocabTxt::isLowered)) {
          return OptionalInt.of(id);
        }
      }
    }
    return OptionalInt.empty();
  }

  /** BERT's uncased vocabulary holds capitals that have no small form, such as ℝ. */
  private static boolean isLowered(int codePoint) {
    return Character.toLowerCase(codePoint) != codePoint;
  }
}

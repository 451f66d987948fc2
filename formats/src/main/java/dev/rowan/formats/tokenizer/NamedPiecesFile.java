package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tokenizer.NumberedPieces.Piece;
import dev.rowan.formats.tokenizer.TokenizerModel.LanguageCode;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.NamedPieces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads a {@code vocab.json} that gives the pieces of a SentencePiece model beside it their ids
 * (transformers 4, {@code tokenization_m2m_100.py}, {@code _speech_to_text.py}, {@code
 * _marian.py}).
 *
 * <pre>
 *   vocab.json                {"piece": id, …}
 *   sentencepiece.bpe.model   of M2M-100, whose languages follow behind the list, and Speech2Text
 *   source.spm                of Marian, whose list has the pieces of its target.spm too
 * </pre>
 */
final class NamedPiecesFile {
  private static final String UNKNOWN = "<unk>";

  private final Path path;
  private final Rule rule;
  private final AddedTokens added;

  /**
   * What a class has beside its files.
   *
   * @param model the name of the SentencePiece model
   * @param languages tokens behind the list
   * @param named tokens that are found in text, each where it stands, else behind all others
   */
  private record Rule(
      String model, List<String> languages, List<String> named, LanguageCode code) {}

  private NamedPiecesFile(Path path, Rule rule, AddedTokens added) {
    this.path = path;
    this.rule = rule;
    this.added = added;
  }

  /** Returns the reader of a vocab.json, if it belongs to such a class. */
  static Optional<NamedPiecesFile> of(Path path) throws IOException {
    if (VocabJson.mergesBeside(path).isPresent()) {
      return Optional.empty();
    }
    AddedTokens added = AddedTokens.beside(path);
    TokenizerConfig config = added.config();
    return config
        .savedClass(path)
        .map(SavedClass::key)
        .flatMap(key -> rule(key, config))
        .map(rule -> new NamedPiecesFile(path, rule, added));
  }

  private static Optional<Rule> rule(String key, TokenizerConfig config) {
    List<String> marks = List.of("<s>", "</s>", UNKNOWN, "<pad>");
    String pieces = "sentencepiece.bpe.model";
    return switch (key) {
      case "m2m100" -> {
        boolean wmt = config.texts().getOrDefault("language_codes", "").equals("wmt21");
        List<String> codes = wmt ? LanguageCodes.WMT_21 : LanguageCodes.M2M_100;
        yield Optional.of(
            new Rule(
                pieces,
                codes.stream().map("__%s__"::formatted).toList(),
                marks,
                LanguageCode.NONE));
      }
      case "speech2text", "speechtotext" -> {
        boolean several = config.texts().getOrDefault("lang_codes", "").equals("mustc");
        Stream<String> codes = several ? LanguageCodes.MUST_C.stream() : Stream.of();
        yield Optional.of(
            new Rule(
                pieces,
                List.of(),
                Stream.concat(marks.stream(), codes.map("<lang:%s>"::formatted)).toList(),
                LanguageCode.NONE));
      }
      case "marian" ->
          Optional.of(
              new Rule(
                  "source.spm", List.of(), List.of("</s>", UNKNOWN, "<pad>"), LanguageCode.ANGLED));
      default -> Optional.empty();
    };
  }

  /** Returns the tokens. */
  Vocabulary vocabulary() throws IOException {
    return vocabulary(pieces());
  }

  /**
   * Returns all that is needed to split text.
   *
   * @throws FormatException if the SentencePiece model is missing, or the list has no unknown token
   * @throws UnsupportedFormatException if the class makes text small first
   */
  NamedPieces model() throws IOException {
    Path model = path.resolveSibling(rule.model());
    if (!Files.isRegularFile(model)) {
      throw new FormatException(
          path,
          "needs the file %s beside it to split text; whole tokens can be named without"
              .formatted(rule.model()));
    }
    if (added.config().flag("do_lower_case").orElse(false)) {
      throw new UnsupportedFormatException(
          path,
          "belongs to a tokenizer that makes text small first (do_lower_case); text cannot be split by it here");
    }
    NumberedPieces pieces = pieces();
    Vocabulary vocabulary = vocabulary(pieces);
    return new NamedPieces(
        vocabulary,
        SentencePieceModel.read(model),
        vocabulary
            .id(UNKNOWN)
            .orElseThrow(() ->
                new FormatException(
                    path, "has no token %s, which every text may need".formatted(UNKNOWN))),
        rule.code(),
        new Markers(pieces.inText(), List.of(), List.of(), Map.of(), Set.of(), pieces.trims()));
  }

  private NumberedPieces pieces() throws IOException {
    Vocabulary list = VocabJson.pieces(path);
    List<Piece> file = new ArrayList<>();
    for (int id = 0; id < list.size(); id++) {
      boolean there = list.has(id);
      Pieces.Kind kind = there ? Pieces.Kind.NORMAL : Pieces.Kind.UNUSED;
      file.add(Piece.of(there ? list.bytes(id) : new byte[0], 0, kind));
    }
    rule.languages().forEach(code -> file.add(Piece.mark(code, Pieces.Kind.CONTROL)));
    return NumberedPieces.of(
            PieceNumbering.asInFile(List.of(), rule.named(), Map.of()), file, added)
        .orElseThrow();
  }

  private static Vocabulary vocabulary(NumberedPieces numbered) {
    List<Piece> pieces = numbered.pieces();
    BitSet absent = new BitSet();
    BitSet added = new BitSet();
    numbered.inText().forEach(added::set);
    for (int id = 0; id < pieces.size(); id++) {
      absent.set(id, pieces.get(id).bytes().length == 0);
      if (pieces.get(id).kind() == Pieces.Kind.CONTROL) {
        added.set(id);
      }
    }
    return Vocabulary.of(
        Spelling.SENTENCEPIECE,
        pieces.stream().map(Piece::bytes).toArray(byte[][]::new),
        absent,
        added);
  }
}

package dev.rowan.formats.tokenizer;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.file.FileKind;
import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.protobuf.Wire;
import dev.rowan.formats.tokenizer.NumberedPieces.Piece;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.PieceChoice;
import dev.rowan.formats.tokenizer.TokenizerModel.Role;
import dev.rowan.formats.tokenizer.TokenizerModel.SentencePiece;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a SentencePiece model, a protobuf message ({@code tokenizer.model}, {@code spiece.model};
 * google/sentencepiece, sentencepiece_model.proto).
 *
 * <pre>
 *   1  piece, repeated    1 text, 2 score (f32), 3 kind: 1 normal, 2 unknown, 3 control, 4 user
 *                         defined, 5 unused, 6 byte
 *   2  trainer            3 type: 1 Unigram, 2 BPE, 3 word, 4 character; 24 space behind words;
 *                         40 to 43 ids of unknown, start, end, padding
 *   3  normaliser         2 table of replacements, 3 space in front (default true),
 *                         4 collapse spaces (true), 5 write spaces as ▁ (true)
 * </pre>
 *
 * <p>The place of a piece is its id, but where a model numbers them anew ({@link ClassPieces}).
 * Word and character models, and those that do not write spaces as {@code ▁}, are read for their
 * tokens but not run. Nothing frames a text: whether a model wants a mark at its start is said
 * elsewhere.
 */
public final class SentencePieceModel {
  private static final String WHAT = "SentencePiece model";
  private static final int UNIGRAM = 1;
  private static final int BPE = 2;

  private final Path path;
  private List<Piece> pieces = new ArrayList<>();
  private long type = UNIGRAM;
  private final Map<Role, Long> ids =
      new EnumMap<>(Map.of(Role.UNKNOWN, 0L, Role.START, 1L, Role.END, 2L)); // trainer's defaults
  private boolean suffix;
  private MemorySegment charsmap = MemorySegment.ofArray(new byte[0]);
  private boolean space = true;
  private boolean collapse = true;
  private boolean escape = true;
  private Markers markers = Markers.NONE;

  private SentencePieceModel(Path path) {
    this.path = path;
  }

  /** Returns whether bytes begin like such a model: with a piece. */
  public static boolean isOne(MemorySegment bytes) {
    if (bytes.byteSize() < 4
        || bytes.get(ValueLayout.JAVA_BYTE, 0) != 0x0A
        || FileKind.of(bytes) == FileKind.JSON) {
      return false;
    }
    try {
      Wire model = Wire.over(Path.of(""), WHAT, bytes);
      model.next();
      Wire piece = model.message();
      boolean text = false;
      while (piece.next()) {
        text |= piece.field() == 1 && piece.isBytes();
        piece.skip();
      }
      return text;
    } catch (FormatException _) {
      return false; // it is of another kind, which is what was asked
    }
  }

  /**
   * Reads the tokens of a model of any type.
   *
   * @throws FormatException if it is no such model or has no pieces
   */
  public static Vocabulary vocabulary(Path path) throws IOException {
    return parse(path).vocabulary();
  }

  /**
   * Reads a model.
   *
   * @throws FormatException if it is no such model or has no pieces
   * @throws UnsupportedFormatException if it is a word or character model
   */
  public static SentencePiece read(Path path) throws IOException {
    return parse(path).model();
  }

  List<Piece> pieces() {
    return pieces;
  }

  /** Takes the pieces in another order, with more among them. */
  void take(NumberedPieces numbered) {
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    roles()
        .forEach(
            (role, id) -> numbered.id(pieces.get(id).text()).ifPresent(to -> roles.put(role, to)));
    pieces = numbered.pieces();
    ids.clear();
    roles.forEach((role, id) -> ids.put(role, (long) id));
    markers =
        new Markers(numbered.inText(), List.of(), List.of(), Map.of(), Set.of(), numbered.trims());
  }

  static SentencePieceModel parse(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      SentencePieceModel parsed = new SentencePieceModel(path);
      parsed.readModel(Wire.over(path, WHAT, file.bytes()));
      return parsed;
    }
  }

  private void readModel(Wire model) {
    while (model.next()) {
      switch (model.field()) {
        case 1 -> readPiece(model.message());
        case 2 -> readTrainer(model.message());
        case 3 -> readNormalizer(model.message());
        default -> model.skip();
      }
    }
    if (pieces.isEmpty()) {
      throw new FormatException(path, "is not a valid SentencePiece model: it holds no pieces");
    }
  }

  private void readPiece(Wire piece) {
    byte[] text = new byte[0];
    float score = 0;
    long kind = 1;
    while (piece.next()) {
      switch (piece.field()) {
        case 1 -> text = bytes(piece);
        case 2 -> score = Float.intBitsToFloat((int) piece.fixed(4));
        case 3 -> kind = piece.number();
        default -> piece.skip();
      }
    }
    pieces.add(Piece.of(text, score, Pieces.Kind.of(kind)));
  }

  private static byte[] bytes(Wire field) {
    return field.message().rest().toArray(ValueLayout.JAVA_BYTE);
  }

  private void readTrainer(Wire trainer) {
    while (trainer.next()) {
      switch (trainer.field()) {
        case 3 -> type = trainer.number();
        case 24 -> suffix = trainer.number() != 0;
        case 40 -> ids.put(Role.UNKNOWN, trainer.number());
        case 41 -> ids.put(Role.START, trainer.number());
        case 42 -> ids.put(Role.END, trainer.number());
        case 43 -> ids.put(Role.PADDING, trainer.number());
        default -> trainer.skip();
      }
    }
  }

  private void readNormalizer(Wire normalizer) {
    while (normalizer.next()) {
      switch (normalizer.field()) {
        case 2 -> charsmap = MemorySegment.ofArray(bytes(normalizer)).asReadOnly();
        case 3 -> space = normalizer.number() != 0;
        case 4 -> collapse = normalizer.number() != 0;
        case 5 -> escape = normalizer.number() != 0;
        default -> normalizer.skip();
      }
    }
  }

  /** Returns the tokens. */
  Vocabulary vocabulary() {
    BitSet absent = new BitSet();
    BitSet added = new BitSet();
    for (int id = 0; id < pieces.size(); id++) {
      absent.set(id, pieces.get(id).bytes().length == 0);
      added.set(id, pieces.get(id).kind() != Pieces.Kind.NORMAL);
    }
    return Vocabulary.of(
        Spelling.SENTENCEPIECE,
        pieces.stream().map(Piece::bytes).toArray(byte[][]::new),
        absent,
        added);
  }

  /** Returns all that is needed to split text. */
  SentencePiece model() {
    if (type != UNIGRAM && type != BPE) {
      throw new UnsupportedFormatException(
          path,
          "is a SentencePiece model of type %d (3 word, 4 character); BPE and Unigram models can split text"
              .formatted(type));
    }
    if (!escape) {
      throw new UnsupportedFormatException(
          path,
          "is a SentencePiece model that does not write spaces as ▁; such models cannot split text here");
    }
    Lead behind = suffix ? Lead.SPACE_AFTER : Lead.SPACE_BEFORE;
    float[] scores = new float[pieces.size()];
    for (int id = 0; id < scores.length; id++) {
      scores[id] = pieces.get(id).score();
    }
    return new SentencePiece(
        vocabulary(),
        type == BPE ? PieceChoice.BPE : PieceChoice.UNIGRAM,
        Pieces.of(scores, pieces.stream().map(Piece::kind).toArray(Pieces.Kind[]::new)),
        rules(behind),
        markers.with(roles(), Set.of()));
  }

  /** What the trainer noted, where the piece is one that never comes from text. */
  private Map<Role, Integer> roles() {
    Map<Role, Integer> roles = new EnumMap<>(Role.class);
    ids.forEach((role, id) -> {
      if (id >= 0 && id < pieces.size()) {
        Pieces.Kind kind = pieces.get((int) (long) id).kind();
        if (kind == Pieces.Kind.UNKNOWN || kind == Pieces.Kind.CONTROL) {
          roles.put(role, (int) (long) id);
        }
      }
    });
    return roles;
  }

  private TextRules rules(Lead lead) {
    try {
      return new TextRules(
          charsmap, space ? lead : Lead.NONE, collapse ? Spaces.COLLAPSED : Spaces.KEPT);
    } catch (IllegalArgumentException e) {
      throw new FormatException(path, String.valueOf(e.getMessage()));
    }
  }
}

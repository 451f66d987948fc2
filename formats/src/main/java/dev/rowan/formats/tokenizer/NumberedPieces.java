package dev.rowan.formats.tokenizer;

import dev.rowan.formats.tokenizer.Pieces.Kind;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The pieces of a SentencePiece file in the order of a model's ids. */
final class NumberedPieces {

  /** A piece: its bytes, which need not be text, its score, what it is for. */
  static final class Piece {
    private final byte[] bytes;
    private final float score;
    private final Kind kind;

    private Piece(byte[] bytes, float score, Kind kind) {
      this.bytes = bytes;
      this.score = score;
      this.kind = kind;
    }

    static Piece of(byte[] bytes, float score, Kind kind) {
      return new Piece(bytes, score, kind);
    }

    static Piece mark(String text, Kind kind) {
      return new Piece(text.getBytes(StandardCharsets.UTF_8), 0, kind);
    }

    byte[] bytes() {
      return bytes;
    }

    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    float score() {
      return score;
    }

    Kind kind() {
      return kind;
    }
  }

  private final PieceNumbering numbering;
  private final List<Piece> pieces = new ArrayList<>();
  private final Map<String, Integer> ids = new HashMap<>();
  private final Set<Integer> inText = new LinkedHashSet<>();
  private final Map<Integer, Trim> trims = new HashMap<>();

  private NumberedPieces(PieceNumbering numbering) {
    this.numbering = numbering;
  }

  /**
   * Numbers pieces.
   *
   * @param file those of the file, in its order
   * @param added the tokens that were given ids beside the file; what they say counts
   * @return empty if the file is not one of those that the rule was made for: it has text where the
   *     rule has its first tokens, or its unknown piece elsewhere
   */
  static Optional<NumberedPieces> of(
      PieceNumbering numbering, List<Piece> file, AddedTokens added) {
    int covered = Math.min(numbering.covered(), file.size());
    for (int i = 0; i < covered; i++) {
      Kind wanted = i == 0 && numbering.unknown() >= 0 ? Kind.UNKNOWN : Kind.CONTROL;
      if (file.get(i).kind() != wanted) {
        return Optional.empty();
      }
    }
    NumberedPieces numbered = new NumberedPieces(numbering);
    for (int id = 0; id < numbering.head().size(); id++) {
      Kind kind = id == numbering.unknown() ? Kind.UNKNOWN : Kind.CONTROL;
      numbered.add(Piece.mark(numbering.head().get(id), kind), true);
    }
    file.stream().skip(covered).forEach(piece -> numbered.add(piece, false));
    numbered.addTail(added);
    numbering.named().forEach(token -> numbered.name(token, added));
    added.config().marks().forEach(token -> numbered.name(token, added));
    return Optional.of(numbered);
  }

  private void addTail(AddedTokens added) {
    List<String> tail = numbering.tail();
    for (int i = 0; i < tail.size(); i++) {
      String token = tail.get(i);
      if (added.token(pieces.size() + i).filter(other -> !other.equals(token)).isPresent()) {
        return; // this model was given others
      }
    }
    tail.forEach(token -> add(Piece.mark(token, Kind.CONTROL), true));
  }

  private void name(String token, AddedTokens added) {
    if (added.id(token).isPresent()) {
      return; // it comes with them
    }
    Integer there = ids.get(token);
    if (there != null) {
      mark(token, there);
      return;
    }
    int free = added.freeFrom(pieces.size());
    if (TokenList.isExcessive(free, pieces.size())) {
      return; // which the tokens beside the file are refused for
    }
    while (pieces.size() < free) {
      pieces.add(Piece.mark("", Kind.UNUSED)); // theirs
    }
    add(Piece.mark(token, Kind.CONTROL), true);
  }

  private void add(Piece piece, boolean marked) {
    int id = pieces.size();
    pieces.add(piece);
    if (marked) {
      ids.put(piece.text(), id);
      mark(piece.text(), id);
    } else {
      ids.putIfAbsent(piece.text(), id);
    }
  }

  private void mark(String token, int id) {
    inText.add(id);
    Trim trim = numbering.trims().get(token);
    if (trim != null) {
      trims.put(id, trim);
    }
  }

  /** Returns the pieces by their new ids. */
  List<Piece> pieces() {
    return pieces;
  }

  /** Returns the ids that are found in text as they are written. */
  List<Integer> inText() {
    return List.copyOf(inText);
  }

  /** Returns those of them that take white space with them. */
  Map<Integer, Trim> trims() {
    return trims;
  }

  /** Returns the id of a token. */
  OptionalInt id(String token) {
    Integer id = ids.get(token);
    return id == null ? OptionalInt.empty() : OptionalInt.of(id);
  }
}

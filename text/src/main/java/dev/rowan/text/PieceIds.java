package dev.rowan.text;

/** Which ids the pieces of a SentencePiece model have, where not their places. Immutable. */
interface PieceIds {
  /** The place of a piece is its id, and text that none covers has that of the unknown one. */
  PieceIds PLACES =
      new PieceIds() {
        @Override
        public int of(int piece) {
          return piece;
        }

        @Override
        public int ofUnknown(int unknownPiece, byte[] text, int from, int to) {
          return unknownPiece;
        }
      };

  /** Returns the id of a piece. */
  int of(int piece);

  /**
   * Returns the id of a run of text that no piece covers, −1 for none.
   *
   * @param unknownPiece the piece that stands for it, −1 if there is none
   */
  int ofUnknown(int unknownPiece, byte[] text, int from, int to);
}

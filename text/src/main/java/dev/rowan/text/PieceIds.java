package dev.rowan.text;

/** Which ids the pieces of a SentencePiece model have, where not their places. Immutable. */
interface PieceIds {
  /** The place of a piece is its id, and text that none covers has that of the unknown one. */
  PieceIds PLACES =
      new PieceIds() {
        @Override
        public void add(int piece, Ints out) {
          out.add(piece);
        }

        @Override
        public int ofUnknown(int unknownPiece, byte[] text, int from, int to) {
          return unknownPiece;
        }
      };

  /** Adds the id of a piece, or those that stand for it. */
  void add(int piece, Ints out);

  /**
   * Returns the id of a run of text that no piece covers, −1 for none.
   *
   * @param unknownPiece the piece that stands for it, −1 if there is none
   */
  int ofUnknown(int unknownPiece, byte[] text, int from, int to);
}

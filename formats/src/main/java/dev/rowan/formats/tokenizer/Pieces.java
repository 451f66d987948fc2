package dev.rowan.formats.tokenizer;

/**
 * Score and kind of each piece of a SentencePiece model, by id. Immutable.
 *
 * <p>Kinds have the same numbers in SentencePiece models and in GGUF files.
 */
public final class Pieces {

  /** What a piece is for. */
  public enum Kind {
    /** Text. */
    NORMAL(1),
    /** What stands for all that no other piece covers. */
    UNKNOWN(2),
    /** A mark that never comes from text, such as the end of a sentence. */
    CONTROL(3),
    /** Text that is always one piece. */
    USER_DEFINED(4),
    /** Text that is not to be used: it is split again. */
    UNUSED(5),
    /** One byte of text that no other piece covers, written {@code <0x41>}. */
    BYTE(6);

    private static final Kind[] BY_NUMBER = values();

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** Returns its number in files. */
    public int number() {
      return number;
    }

    /** Returns the kind of a number in a file; what is not known is normal. */
    public static Kind of(long number) {
      return number >= 1 && number <= BY_NUMBER.length ? BY_NUMBER[(int) number - 1] : NORMAL;
    }
  }

  private final float[] scores;
  private final Kind[] kinds;

  private Pieces(float[] scores, Kind[] kinds) {
    this.scores = scores;
    this.kinds = kinds;
  }

  /**
   * Returns the pieces of a model.
   *
   * @param scores by id; copied
   * @param kinds by id, as many; copied
   */
  public static Pieces of(float[] scores, Kind[] kinds) {
    if (scores.length != kinds.length) {
      throw new IllegalArgumentException(
          "%,d scores but %,d kinds; both should have one a piece"
              .formatted(scores.length, kinds.length));
    }
    return new Pieces(scores.clone(), kinds.clone());
  }

  /** Returns how many there are. */
  public int count() {
    return scores.length;
  }

  /** Returns the score of a piece; higher is preferred. */
  public float score(int id) {
    return scores[id];
  }

  /** Returns what a piece is for. */
  public Kind kind(int id) {
    return kinds[id];
  }
}

package dev.rowan.formats.gguf;

/** A value of the metadata. Texts and arrays stay in the file; their places are checked. */
sealed interface GgufValue {

  /** Returns what the value is, for messages. */
  String what();

  /**
   * A whole number of any width; unsigned 64-bit numbers above 2⁶³ − 1 show as negative.
   *
   * @param type its type in the file
   */
  record Whole(GgufType type, long value) implements GgufValue {
    @Override
    public String what() {
      return type.label();
    }
  }

  /** A number with a fraction. */
  record Real(double value) implements GgufValue {
    @Override
    public String what() {
      return "a number with a fraction";
    }
  }

  /** True or false. */
  record Truth(boolean value) implements GgufValue {
    @Override
    public String what() {
      return "true or false";
    }
  }

  /**
   * A text.
   *
   * @param at the byte of the file at which it starts
   * @param length how many bytes it has
   */
  record Text(long at, long length) implements GgufValue {
    @Override
    public String what() {
      return "a string";
    }
  }

  /**
   * An array.
   *
   * @param type of its items
   * @param count of its items
   * @param at the byte of the file at which the first starts
   */
  record Items(GgufType type, long count, long at) implements GgufValue {
    @Override
    public String what() {
      return "an array of " + type.label();
    }
  }
}

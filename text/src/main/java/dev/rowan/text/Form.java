package dev.rowan.text;

/** Which of the spellings that a typed word can have in a vocabulary. */
public enum Form {
  /** Given by number, as {@code #3797}. */
  ID("given by id"),
  /** The string as the vocabulary stores it. */
  EXACT("exact spelling"),
  /** With the space that stands before a word in running text. */
  SPACE("with a space before"),
  /** Without a space. */
  BARE("no space before"),
  /** With a space, in another case. */
  SPACE_OTHER_CASE("other case, with a space before"),
  /** Without a space, in another case. */
  OTHER_CASE("other case"),
  /** With a space, without accents, in any case. */
  SPACE_OTHER_ACCENTS("other accents, with a space before"),
  /** Without a space, without accents, in any case. */
  OTHER_ACCENTS("other accents"),
  /** Inside a word, as WordPiece's {@code ##ing}. */
  CONTINUATION("inside a word"),
  /** What the tokenizer made of the word, such as the plain form of a full-width letter. */
  ENCODED("as the tokenizer writes it");

  private final String label;

  Form(String label) {
    this.label = label;
  }

  /** Returns a few words for people. */
  public String label() {
    return label;
  }
}

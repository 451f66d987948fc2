package dev.rowan.core;

import java.util.Optional;

/**
 * What opening a model returns: the input table, its vocabulary, the output table if the file has
 * one, and where it all came from.
 *
 * <p>Owns the mapped files behind its tables: {@link #close} unmaps them, and no table may be used
 * after that. Safe for any number of threads until then.
 */
public final class Lexicon implements AutoCloseable {
  private final NamedTable input;
  private final Optional<NamedTable> output;
  private final Optional<Vocabulary> vocabulary;
  private final Tie tie;
  private final String tieEvidence;
  private final Origin origin;
  private final Runnable release;

  /**
   * Makes a lexicon.
   *
   * @param input the input table
   * @param output the output table, where the file holds one of its own (tied or not)
   * @param vocabulary the tokens, where a tokenizer was found
   * @param tie how the two tables relate
   * @param tieEvidence one sentence on how that was decided
   * @param origin where the file came from
   * @param release frees what the tables view; called once, by {@link #close}
   */
  public Lexicon(
      NamedTable input,
      Optional<NamedTable> output,
      Optional<Vocabulary> vocabulary,
      Tie tie,
      String tieEvidence,
      Origin origin,
      Runnable release) {
    this.input = input;
    this.output = output;
    this.vocabulary = vocabulary;
    this.tie = tie;
    this.tieEvidence = tieEvidence;
    this.origin = origin;
    this.release = release;
  }

  /** Returns the input table. */
  public NamedTable input() {
    return input;
  }

  /** Returns the output table if the file holds one of its own. */
  public Optional<NamedTable> output() {
    return output;
  }

  /** Returns the tokens, where a tokenizer was found. */
  public Optional<Vocabulary> vocabulary() {
    return vocabulary;
  }

  /** Returns how the output table relates to the input table. */
  public Tie tie() {
    return tie;
  }

  /** Returns one sentence on how {@link #tie} was decided. */
  public String tieEvidence() {
    return tieEvidence;
  }

  /** Returns where the lexicon came from. */
  public Origin origin() {
    return origin;
  }

  /** Returns how many rows of the input table have no token; 0 if there is no vocabulary. */
  public long rowsWithoutToken() {
    if (vocabulary.isEmpty()) {
      return 0;
    }
    Vocabulary known = vocabulary.get();
    long rows = input.table().rows();
    long with = 0;
    for (int id = 0; id < Math.min(rows, known.size()); id++) {
      if (known.has(id)) {
        with++;
      }
    }
    return rows - with;
  }

  /** Returns a row's token as a person reads it; {@code #id} if there is no vocabulary. */
  public String text(long id) {
    return vocabulary.map(v -> v.text(id)).orElseGet(() -> "#" + id);
  }

  /** Unmaps the files behind the tables. */
  @Override
  public void close() {
    release.run();
  }
}

package dev.rowan.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * What opening a model returns: the input table, its vocabulary, the output table if the file has
 * one, and where it all came from.
 *
 * <p>The vocabulary is read, and two stored tables are compared, when somebody first asks; both are
 * kept. That way opening costs no more than reading headers.
 *
 * <p>Owns the mapped files behind its tables: {@link #close} unmaps them, and no table may be used
 * after that. Safe for any number of threads until then.
 */
public final class Lexicon implements AutoCloseable {
  private final NamedTable input;
  private final Optional<NamedTable> output;
  private final Optional<Supplier<Vocabulary>> vocabulary;
  private final Supplier<TieDecision> tie;
  private final Origin origin;
  private final Optional<SubwordVectors> subwords;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Lexicon(
      NamedTable input,
      Optional<NamedTable> output,
      Optional<Supplier<Vocabulary>> vocabulary,
      Supplier<TieDecision> tie,
      Origin origin,
      Optional<SubwordVectors> subwords,
      Runnable release) {
    this.input = input;
    this.output = output;
    this.vocabulary = vocabulary;
    this.tie = tie;
    this.origin = origin;
    this.subwords = subwords;
    this.release = release;
  }

  /**
   * Makes a lexicon whose parts are all known.
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
    this(
        input,
        output,
        vocabulary.map(known -> () -> known),
        () -> new TieDecision(tie, tieEvidence),
        origin,
        Optional.empty(),
        release);
  }

  /**
   * Makes a lexicon whose vocabulary and tie are found out when first asked for, once.
   *
   * @param vocabulary reads the tokens, where a tokenizer was found
   * @param tie decides how the two tables relate; may read both
   * @param release frees what the tables view; called by {@link #close}
   */
  public static Lexicon lazy(
      NamedTable input,
      Optional<NamedTable> output,
      Optional<Supplier<Vocabulary>> vocabulary,
      Supplier<TieDecision> tie,
      Origin origin,
      Runnable release) {
    return new Lexicon(
        input,
        output,
        vocabulary.map(Memo::new),
        new Memo<>(tie),
        origin,
        Optional.empty(),
        release);
  }

  /**
   * Returns this lexicon with a maker of vectors for words that have no row. The two share their
   * files: closing one closes both.
   */
  public Lexicon withSubwords(SubwordVectors subwords) {
    return new Lexicon(input, output, vocabulary, tie, origin, Optional.of(subwords), this::close);
  }

  /** Returns this lexicon as one that comes from elsewhere; closing one closes both. */
  public Lexicon withOrigin(Origin other) {
    return new Lexicon(input, output, vocabulary, tie, other, subwords, this::close);
  }

  /**
   * Returns a lexicon of the output table alone, with the same tokens; empty if the file holds none
   * of its own. The two share their files: closing one closes both.
   */
  public Optional<Lexicon> ofOutput() {
    TieDecision alone =
        new TieDecision(Tie.UNKNOWN, "this is the output table of a model, without the rest of it");
    return output.map(table ->
        new Lexicon(
            table,
            Optional.empty(),
            vocabulary,
            () -> alone,
            origin,
            Optional.empty(),
            this::close));
  }

  /** Returns the input table. */
  public NamedTable input() {
    return input;
  }

  /** Returns the output table if the file holds one of its own. */
  public Optional<NamedTable> output() {
    return output;
  }

  /**
   * Returns the tokens, where a tokenizer was found. The first call reads the tokenizer file.
   *
   * @throws RuntimeException if that file is wrong or cannot be read: what the reader throws, and
   *     {@link java.io.UncheckedIOException}
   */
  public Optional<Vocabulary> vocabulary() {
    return vocabulary.map(Supplier::get);
  }

  /**
   * Returns how the output table relates to the input table. If the file stores both, the first
   * call compares their bytes: it reads both tables up to the first difference.
   */
  public Tie tie() {
    return tie.get().tie();
  }

  /** Returns one sentence on how {@link #tie} was decided; costs what that costs. */
  public String tieEvidence() {
    return tie.get().evidence();
  }

  /** Returns the maker of vectors for words that have no row, where the model has one. */
  public Optional<SubwordVectors> subwords() {
    return subwords;
  }

  /** Returns where the lexicon came from. */
  public Origin origin() {
    return origin;
  }

  /**
   * Returns how many parameters the whole model has, a table stored twice counted once; empty if
   * the file does not tell. Asks for {@link #tie}.
   */
  public OptionalLong modelParameters() {
    OptionalLong stored = origin.storedParameters();
    return stored.isPresent() && tie() == Tie.TIED_STORED_TWICE
        ? OptionalLong.of(stored.getAsLong() - input.table().parameters())
        : stored;
  }

  /**
   * Returns one sentence each on anything a user should know about how the file and its tokenizer
   * were read. Asks for {@link #vocabulary}.
   */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(origin.notes());
    vocabulary().ifPresent(known -> notes.addAll(known.notes()));
    return List.copyOf(notes);
  }

  /** Returns how many rows of the input table have no token; 0 if there is no vocabulary. */
  public long rowsWithoutToken() {
    if (vocabulary.isEmpty()) {
      return 0;
    }
    Vocabulary known = vocabulary.get().get();
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
    return vocabulary().map(known -> known.text(id)).orElseGet(() -> "#" + id);
  }

  /** Unmaps the files behind the tables. Closing again does nothing. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      release.run();
    }
  }
}

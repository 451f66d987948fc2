package dev.rowan.analysis.eval;

import dev.rowan.core.AnalogyBatch.Rule;
import java.util.List;

/**
 * How many analogy questions a table answers, told honestly.
 *
 * @param name of the test set
 * @param form how its questions were written
 * @param rule how answers are ranked
 * @param sections in the order of the file
 * @param unknownWords words without a row, in order
 * @param skippedLines lines of the file that are no question
 */
public record AnalogyScores(
    String name,
    TestSet.Form form,
    Rule rule,
    List<Section> sections,
    List<String> unknownWords,
    int skippedLines) {
  /** Sections of the Google set that count as semantic: the first five, as compute-accuracy.c. */
  public static final int SEMANTIC_SECTIONS = 5;

  /** Copies the lists. */
  public AnalogyScores {
    sections = List.copyOf(sections);
    unknownWords = List.copyOf(unknownWords);
  }

  /**
   * The questions of one relation.
   *
   * @param directions how parallel its offsets are
   */
  public record Section(String name, Tally tally, RelationDirections directions) {}

  /**
   * Counts of questions.
   *
   * @param total all
   * @param unknown those with a word without a row
   * @param used those that are scored
   * @param raw those whose nearest row of all is right
   * @param excludingInputs those whose nearest row is right once the inputs are left out
   * @param alreadyNearest those whose right answer is the nearest neighbour of c, the inputs left
   *     out: right without any arithmetic (the "only b" baseline of Linzen 2016)
   * @param byArithmetic those that are right excluding inputs, and were not right already
   */
  public record Tally(
      int total,
      int unknown,
      int used,
      int raw,
      int excludingInputs,
      int alreadyNearest,
      int byArithmetic) {
    static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, 0);

    Tally plus(Tally other) {
      return new Tally(
          total + other.total,
          unknown + other.unknown,
          used + other.used,
          raw + other.raw,
          excludingInputs + other.excludingInputs,
          alreadyNearest + other.alreadyNearest,
          byArithmetic + other.byArithmetic);
    }

    /** Returns a count over the used questions; 0 if there are none, as gensim has it. */
    public double share(int count) {
      return used == 0 ? 0 : (double) count / used;
    }
  }

  /** Returns the counts of all sections. */
  public Tally all() {
    return sum(sections);
  }

  /** Returns the counts of the first five sections. */
  public Tally semantic() {
    return sum(sections.subList(0, Math.min(SEMANTIC_SECTIONS, sections.size())));
  }

  /** Returns the counts of the sections after the fifth. */
  public Tally syntactic() {
    return sum(sections.subList(Math.min(SEMANTIC_SECTIONS, sections.size()), sections.size()));
  }

  private static Tally sum(List<Section> sections) {
    return sections.stream().map(Section::tally).reduce(Tally.NONE, Tally::plus);
  }
}

package dev.rowan.analysis.audit;

import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What an audit of a table found.
 *
 * <p>After Land and Bartolo 2024, "Fishing for Magikarp: automatically detecting under-trained
 * tokens in large language models" (arXiv 2405.05417), short of its last step: they ask the model
 * to repeat each candidate, which takes the model.
 *
 * @param rows V
 * @param width d
 * @param indicator what candidates are ranked by
 * @param why why by that one
 * @param reference the rows known to be unused, if any were found
 * @param measured the indicators, {@code indicator} first
 * @param componentRows how many rows the first component is from; 0 if there is none
 * @param cutoff from which value of the indicator down a token counts as {@link
 *     Rule#UNDER_TRAINED}; NaN if there is no telling
 * @param cutoffWhy how the cut-off came about
 * @param candidates reachable tokens at or below the threshold, lowest first, ties by lower id
 * @param findings by rule, each in order of ids
 * @param classes what becomes of each token when its text is encoded
 * @param norms how the norms are spread
 * @param notes one sentence each on what a reader should know
 */
public record Audit(
    long rows,
    int width,
    Indicator indicator,
    String why,
    Optional<Reference> reference,
    List<Measured> measured,
    long componentRows,
    double cutoff,
    String cutoffWhy,
    List<Candidate> candidates,
    Map<Rule, List<Finding>> findings,
    TokenClasses classes,
    Norms norms,
    List<String> notes) {

  /** Copies the collections. */
  public Audit {
    measured = List.copyOf(measured);
    candidates = List.copyOf(candidates);
    findings = Map.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Returns how many tokens count as under-trained and from where on, for people. */
  public String underTrainedText() {
    return Double.isNaN(cutoff)
        ? "no cut-off for under-trained tokens: " + cutoffWhy
        : String.format(
            Locale.ROOT,
            "%,d at or below %.4g, %s",
            found(Rule.UNDER_TRAINED).size(),
            cutoff,
            cutoffWhy);
  }

  /**
   * A token that training may not have reached.
   *
   * @param value of the indicator
   * @param z how many standard deviations the value lies from the mean of all tokens
   */
  public record Candidate(long id, double value, double z) {}

  /**
   * What is audited.
   *
   * @param table the rows
   * @param scoring the table that indicators with a reference look at: the output table, the same
   *     as {@code table} where the two are tied
   * @param tie how a model's two tables relate
   * @param vocabulary the tokens, if there are any
   * @param encoder encodes text, if there is a tokenizer
   */
  public record Subject(
      Table table,
      Table scoring,
      Tie tie,
      Optional<Vocabulary> vocabulary,
      Optional<Encoder> encoder) {}

  /**
   * Audits a table.
   *
   * <p>Cost: two passes over the table, the first component (ten to thirty passes over the whole of
   * a small table, over a part of one with more than {@value FirstComponent#MOST_NUMBERS} numbers),
   * the encoding of every token, and the search for near duplicates.
   *
   * @throws IllegalArgumentException if the table has 2³¹ rows or more, if an indicator is asked
   *     for that needs a reference and none is found, or a reference row lies beyond the table or
   *     is zero or not finite
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Audit of(Subject subject, AuditOptions options, Workers workers) {
    return new Auditor(subject, options, workers).audit();
  }

  /** Returns what a rule found, in order of ids. */
  public List<Finding> found(Rule rule) {
    return findings.getOrDefault(rule, List.of());
  }

  /** Returns why a token is a candidate, for people. */
  public String reason(Candidate candidate) {
    return ranking().text(candidate.value());
  }

  /** Returns the indicator that candidates are ranked by, over all rows. */
  public Measured ranking() {
    return measured.getFirst();
  }
}

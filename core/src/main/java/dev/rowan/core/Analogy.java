package dev.rowan.core;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What vector arithmetic gives, told honestly: the raw ranking, the ranking without the inputs, and
 * where the answer stood before any arithmetic.
 *
 * <p>Scores are cosines with the value of the expression.
 *
 * @param raw the k nearest rows, the inputs among them
 * @param excludingInputs the k nearest rows that are not in the expression
 * @param answer the first of {@code excludingInputs}; empty if there is none
 * @param baseline the mean cosine over all distinct pairs of rows
 */
public record Analogy(
    List<Hit> raw, List<Hit> excludingInputs, Optional<Answer> answer, double baseline) {

  /** Copies the lists. */
  public Analogy {
    raw = List.copyOf(raw);
    excludingInputs = List.copyOf(excludingInputs);
  }

  /**
   * The best row that is not an input.
   *
   * @param hit the row and its cosine with the value of the expression
   * @param scoreBefore its cosine with the first term of the expression, before any arithmetic
   * @param rankBefore its place among the neighbours of that row: 1 is the nearest, the row itself
   *     left out
   */
  public record Answer(Hit hit, double scoreBefore, long rankBefore) {}

  /**
   * Answers an expression.
   *
   * @param expression its first term is a row or a word without one: the a of a − b + c
   * @param inputs whether rows are scaled to unit norm before they are added
   * @param k how many rows to return in each ranking, 0 or more
   * @throws IllegalArgumentException if k is negative, the first term is a plain vector, or a row
   *     or vector does not fit (see {@link Expression#evaluate})
   * @throws IndexOutOfBoundsException if a row is not in the table
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static Analogy of(Search search, Expression expression, Expression.Inputs inputs, int k) {
    OutOfRange.atLeast("k", k, 0);
    Table table = search.table();
    Query start = start(table, expression);
    Query target = expression.evaluate(table, inputs);
    long[] ids = Arrays.stream(expression.rowIds()).distinct().toArray();
    // one ranking, long enough to hold k rows that are not inputs, and at least the answer
    List<Hit> hits =
        search.nearest(target, Metric.COSINE, Math.addExact(Math.max(k, 1), ids.length));
    List<Hit> others =
        hits.stream().filter(hit -> Arrays.stream(ids).noneMatch(id -> id == hit.id())).toList();
    Optional<Answer> answer = others.stream().findFirst().map(hit -> before(search, start, hit));
    return new Analogy(
        hits.subList(0, Math.min(k, hits.size())),
        others.subList(0, Math.min(k, others.size())),
        answer,
        table.statistics(search.workers()).meanCosine());
  }

  private static Query start(Table table, Expression expression) {
    return switch (expression.terms().isEmpty() ? null : expression.terms().getFirst()) {
      case Expression.RowTerm(long a, double _) -> Query.row(table, a);
      case Expression.WordTerm(Query word, double _) -> word;
      case Expression.VectorTerm _ -> throw noStart();
      case null -> throw noStart();
    };
  }

  private static IllegalArgumentException noStart() {
    return new IllegalArgumentException(
        "an analogy starts with a row: its neighbours tell where the answer stood before");
  }

  private static Answer before(Search search, Query neighbours, Hit answer) {
    double score = search.score(neighbours, Metric.COSINE, answer.id());
    return new Answer(answer, score, search.rank(neighbours, Metric.COSINE, answer.id()));
  }
}

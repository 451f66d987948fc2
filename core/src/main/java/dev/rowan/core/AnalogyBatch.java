package dev.rowan.core;

import dev.rowan.core.kernel.Exact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;

/**
 * Exact answers to many analogy questions "a is to b as c is to …" in one pass over the table.
 *
 * <p>Questions of a test set share their words: 19,544 questions have some 900. So each row is
 * multiplied with each distinct word once, and a question takes three of those numbers, whatever
 * the width. As in {@link Search}, the float pass keeps a few rows more than asked for, those are
 * scored again in double, and where its error bound cannot rule a dropped row out, every row is.
 * The answers are those of one {@link Search} a question, for any number of threads.
 *
 * <p>Rows are scaled to unit norm before they are combined. A zero row has cosine 0 with
 * everything; a row that is not finite is never an answer.
 */
public final class AnalogyBatch {
  /** Words multiplied at once: bounds the memory of a pass, not what can be asked. */
  private static final int MOST_WORDS = 8192;

  /** Questions answered in a pass: bounds the memory of what is kept. */
  private static final int MOST_QUESTIONS = 1 << 17;

  private final Search search;
  private final Rule rule;
  private final int k;
  private final Scope.Range scope;

  /** How the three cosines of a row make its score. */
  public enum Rule {
    /** 3CosAdd: the cosine with b − a + c, the three scaled to unit norm (Mikolov et al. 2013). */
    ADD,
    /**
     * 3CosMul: p(b) · p(c) / (p(a) + 1e-6) with p = (1 + cosine) / 2 (Levy and Goldberg 2014, eq.
     * 4).
     */
    MULTIPLY
  }

  /**
   * A question: a is to b as c is to what?
   *
   * @param a a row
   * @param b a row
   * @param c a row
   */
  public record Question(long a, long b, long c) {}

  private AnalogyBatch(Search search, Rule rule, int k, Scope.Range scope) {
    this.search = search;
    this.rule = rule;
    this.k = k;
    this.scope = scope;
  }

  /**
   * Returns the k highest-scoring rows for each question, the inputs among them, best first, ties
   * by lower id.
   *
   * @param k how many, 1 or more; fewer come back where the scope has fewer
   * @param scope which rows may be answers
   * @return one list a question, in the order of the questions
   * @throws IllegalArgumentException if k is below 1, a row of a question is not finite, or the
   *     scope passes the table
   * @throws IndexOutOfBoundsException if a row of a question is not in the table
   * @throws CancellationException if the calling thread is interrupted
   */
  public static List<List<Hit>> nearest(
      Search search, List<Question> questions, Rule rule, int k, Scope.Range scope) {
    Objects.requireNonNull(rule);
    OutOfRange.atLeast("k", k, 1);
    if (scope.to() > search.table().rows()) {
      throw new IllegalArgumentException(
          "the scope ends at row %d but the table has %d"
              .formatted(scope.to(), search.table().rows()));
    }
    AnalogyBatch batch = new AnalogyBatch(search, rule, k, scope);
    List<List<Hit>> answers = new ArrayList<>(questions.size());
    List<Question> group = new ArrayList<>();
    Set<Long> words = new HashSet<>();
    for (Question question : questions) {
      words.addAll(List.of(question.a(), question.b(), question.c()));
      if (words.size() > MOST_WORDS || group.size() == MOST_QUESTIONS) {
        answers.addAll(batch.pass(group));
        group.clear();
        words.clear();
        words.addAll(List.of(question.a(), question.b(), question.c()));
      }
      group.add(question);
    }
    answers.addAll(batch.pass(group));
    return Collections.unmodifiableList(answers);
  }

  /** Answers questions whose words fit into one pass. */
  private List<List<Hit>> pass(List<Question> questions) {
    if (questions.isEmpty()) {
      return List.of();
    }
    long[] words =
        questions.stream()
            .flatMapToLong(q -> LongStream.of(q.a(), q.b(), q.c()))
            .sorted()
            .distinct()
            .toArray();
    OffsetScan scan = new OffsetScan(search.table(), words, questions, rule, capacity());
    scan.run(search.workers(), scope);
    List<List<Hit>> answers = new ArrayList<>(Collections.nCopies(questions.size(), List.of()));
    List<Integer> undecided = new ArrayList<>();
    search
        .workers()
        .run(
            questions.size(),
            () -> {
              float[] row = new float[search.table().width()];
              return q -> {
                TopHits top = settle(scan, (int) q, questions.get((int) q), row);
                synchronized (answers) {
                  answers.set((int) q, top.sorted());
                  if (!top.decided()) {
                    undecided.add((int) q);
                  }
                }
              };
            });
    Search.RowSource rows = Search.RowSource.range(scope.from(), scope.to());
    for (int q : undecided) {
      answers.set(q, search.scoreAll(exact(questions.get(q)), new long[0], k, rows));
    }
    return answers;
  }

  /** Returns how many rows the float pass keeps: some spare ones against near ties. */
  private int capacity() {
    return (int) Math.min(Math.max(1, scope.to() - scope.from()), k + 16L + k / 8);
  }

  private TopHits settle(OffsetScan scan, int q, Question question, float[] row) {
    KeptRows kept = new KeptRows(scan.parts());
    RowScore exact = exact(question);
    TopHits top = new TopHits(k, kept.count(q));
    double dropped = kept.dropped(q);
    OffsetScan.Bound bound = scan.bound(q);
    kept.offer(q, bound.worthwhile(kept.kthBest(q, k)), exact, row, top);
    if (dropped > Double.NEGATIVE_INFINITY) {
      double scale = exact instanceof Sum sum ? sum.norm() : 1;
      top.setDecided(top.isFull() && top.worst() * scale > bound.most(dropped));
    }
    return top;
  }

  private RowScore exact(Question question) {
    Table table = search.table();
    return switch (rule) {
      case ADD -> {
        Query sum =
            Expression.analogy(question.b(), question.a(), question.c())
                .evaluate(table, Expression.Inputs.UNIT);
        yield new Sum(
            new ExactScorer(table, Metric.COSINE).prepare(sum),
            Math.sqrt(Exact.squaredNorm(sum.values())));
      }
      case MULTIPLY -> {
        ExactScorer scorer = new ExactScorer(table, Metric.COSINE);
        ExactScorer.Prepared[] cosines =
            LongStream.of(question.a(), question.b(), question.c())
                .mapToObj(id -> scorer.prepare(Query.row(table, id)))
                .toArray(ExactScorer.Prepared[]::new);
        yield (id, row) -> {
          double[] p =
              Arrays.stream(cosines).mapToDouble(c -> (1 + c.score(id, row)) / 2).toArray();
          return p[1] * p[2] / (p[0] + OffsetScan.EPSILON);
        };
      }
    };
  }

  /**
   * The cosine with a sum.
   *
   * @param norm the sum's norm: the float pass leaves it out
   */
  private record Sum(ExactScorer.Prepared cosine, double norm) implements RowScore {
    @Override
    public double score(long id, float[] row) {
      return cosine.score(id, row);
    }
  }
}

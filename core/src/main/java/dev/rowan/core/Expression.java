package dev.rowan.core;

import java.util.ArrayList;
import java.util.List;

/**
 * A weighted sum of rows and vectors, such as king − man + woman.
 *
 * <p>Immutable: {@link #plus} and {@link #minus} return longer expressions.
 *
 * {@snippet :
 * Expression.of(king).minus(man).plus(woman);
 * }
 *
 * @param terms the summands, in order
 */
public record Expression(List<Term> terms) {

  /** Copies the terms. */
  public Expression {
    terms = List.copyOf(terms);
  }

  /** A summand. */
  public sealed interface Term {
    /** Returns its factor. */
    double weight();
  }

  /**
   * A row of the table times a factor.
   *
   * @param id the row
   * @param weight the factor, finite
   */
  public record RowTerm(long id, double weight) implements Term {
    /** Checks the factor. */
    public RowTerm {
      checkWeight(weight);
    }
  }

  /**
   * A vector times a factor.
   *
   * @param vector d finite numbers; never scaled to unit norm and never excluded from answers
   * @param weight the factor, finite
   */
  public record VectorTerm(Query vector, double weight) implements Term {
    /** Checks the factor. */
    public VectorTerm {
      checkWeight(weight);
    }
  }

  /**
   * The vector of a word that has no row, times a factor.
   *
   * @param vector d finite numbers; scaled to unit norm where rows are
   * @param weight the factor, finite
   */
  public record WordTerm(Query vector, double weight) implements Term {
    /** Checks the factor. */
    public WordTerm {
      checkWeight(weight);
    }
  }

  /** Whether rows enter the sum as they are. */
  public enum Inputs {
    /** Rows as stored: the plain a − b + c. */
    AS_STORED,
    /** Rows scaled to unit norm first: the rule of gensim's {@code most_similar}. */
    UNIT
  }

  private static void checkWeight(double weight) {
    if (!Double.isFinite(weight)) {
      throw new IllegalArgumentException("a weight is " + weight + "; it must be finite");
    }
  }

  /** Returns the expression that is one row. */
  public static Expression of(long id) {
    return new Expression(List.of(new RowTerm(id, 1)));
  }

  /** Returns the expression a − b + c over rows. */
  public static Expression analogy(long a, long b, long c) {
    return of(a).minus(b).plus(c);
  }

  /** Returns this expression plus a row. */
  public Expression plus(long id) {
    return plus(id, 1);
  }

  /** Returns this expression minus a row. */
  public Expression minus(long id) {
    return plus(id, -1);
  }

  /** Returns this expression plus a row times a factor. */
  public Expression plus(long id, double weight) {
    return with(new RowTerm(id, weight));
  }

  /** Returns this expression plus a vector times a factor. */
  public Expression plus(Query vector, double weight) {
    return with(new VectorTerm(vector, weight));
  }

  private Expression with(Term term) {
    List<Term> longer = new ArrayList<>(terms);
    longer.add(term);
    return new Expression(longer);
  }

  /** Returns the ids of the rows in the expression, in order. */
  public long[] rowIds() {
    return terms.stream()
        .filter(RowTerm.class::isInstance)
        .mapToLong(term -> ((RowTerm) term).id())
        .toArray();
  }

  /**
   * Returns the value of the expression as a query that excludes nothing, summed in double.
   *
   * @throws IllegalArgumentException if there is no term, a row is not finite or a width differs
   * @throws IndexOutOfBoundsException if a row is not in the table
   */
  public Query evaluate(Table table, Inputs inputs) {
    if (terms.isEmpty()) {
      throw new IllegalArgumentException("an expression needs at least one term");
    }
    double[] sum = new double[table.width()];
    for (Term term : terms) {
      double factor = term.weight();
      double[] vector;
      switch (term) {
        case RowTerm(long id, double _) -> {
          vector = Query.row(table, id).values();
          factor = inputs == Inputs.UNIT ? overNorm(factor, vector) : factor;
        }
        case WordTerm(Query word, double _) -> {
          vector = word.values();
          factor = inputs == Inputs.UNIT ? overNorm(factor, vector) : factor;
        }
        case VectorTerm(Query given, double _) -> vector = given.values();
      }
      if (vector.length != sum.length) {
        throw new IllegalArgumentException(
            "a vector of %d numbers does not fit a table of width %d"
                .formatted(vector.length, sum.length));
      }
      for (int i = 0; i < sum.length; i++) {
        sum[i] += factor * vector[i];
      }
    }
    return Query.of(sum);
  }

  private static double overNorm(double factor, double[] vector) {
    double norm = Math.sqrt(dev.rowan.core.kernel.Exact.squaredNorm(vector));
    return norm == 0 ? 0 : factor / norm;
  }
}

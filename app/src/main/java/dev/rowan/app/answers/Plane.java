package dev.rowan.app.answers;

import dev.rowan.core.Expression;
import dev.rowan.core.Expression.RowTerm;
import dev.rowan.core.Query;
import dev.rowan.core.Table;
import dev.rowan.core.kernel.Exact;
import java.util.List;
import java.util.Optional;

/**
 * The plane of an analogy a − b + c: it holds b, a, c and the sum, the corners of a parallelogram.
 * Its origin is b, its first axis points to a, and c lies on the side of its second axis.
 *
 * <p>Any other vector lies beside the plane: its place in the picture is where it falls on it, and
 * {@link Place#off} says how far away it is.
 */
public final class Plane {
  private final double[] origin;
  private final double[] first;
  private final double[] second;

  private Plane(double[] origin, double[] first, double[] second) {
    this.origin = origin;
    this.first = first;
    this.second = second;
  }

  /**
   * Where a vector falls.
   *
   * @param off its distance from the plane, in the units of the rows
   */
  public record Place(double x, double y, double off) {}

  /**
   * Returns the plane of an expression; empty if it is not of the form a − b + c with three rows
   * that span one.
   */
  public static Optional<Plane> of(Table table, Expression expression, Expression.Inputs inputs) {
    List<Expression.Term> terms = expression.terms();
    if (terms.size() != 3
        || !(terms.get(0) instanceof RowTerm a && a.weight() == 1)
        || !(terms.get(1) instanceof RowTerm b && b.weight() == -1)
        || !(terms.get(2) instanceof RowTerm c && c.weight() == 1)) {
      return Optional.empty();
    }
    double[] origin = Expression.of(b.id()).evaluate(table, inputs).vector();
    double[] first = minus(Expression.of(a.id()).evaluate(table, inputs).vector(), origin);
    double[] second = minus(Expression.of(c.id()).evaluate(table, inputs).vector(), origin);
    double length = unit(first);
    along(second, first);
    double rest = unit(second);
    return length > 0 && rest > 0
        ? Optional.of(new Plane(origin, first, second))
        : Optional.empty();
  }

  /** Returns where a vector falls on the plane. */
  public Place place(Query vector) {
    double[] rest = minus(vector.vector(), origin);
    double x = along(rest, first);
    double y = along(rest, second);
    return new Place(x, y, Math.sqrt(Exact.squaredNorm(rest)));
  }

  private static double[] minus(double[] vector, double[] origin) {
    double[] difference = vector.clone();
    for (int i = 0; i < difference.length; i++) {
      difference[i] -= origin[i];
    }
    return difference;
  }

  /** Takes the part of a vector along a unit vector away and returns its length. */
  private static double along(double[] vector, double[] unit) {
    double along = 0;
    for (int i = 0; i < vector.length; i++) {
      along += vector[i] * unit[i];
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] -= along * unit[i];
    }
    return along;
  }

  /** Scales a vector to norm 1 and returns the norm it had; a vector that is nothing stays. */
  private static double unit(double[] vector) {
    double norm = Math.sqrt(Exact.squaredNorm(vector));
    if (norm < 1e-12) {
      return 0;
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] /= norm;
    }
    return norm;
  }
}

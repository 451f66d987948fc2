package dev.rowan.layer;

import java.util.List;

/** Clips the gradients of several tables together. */
public final class Clipping {
  private Clipping() {}

  /**
   * Scales gradients by max / (norm + 1e-6) if the norm of all their numbers together exceeds
   * {@code max}.
   *
   * @param max 0 or more
   * @return the norm before
   * @throws IllegalArgumentException if {@code max} is negative or not finite
   * @throws IllegalStateException if the norm is not finite; nothing is changed then
   */
  public static double byNorm(List<RowGradient> gradients, double max) {
    Checks.atLeastZero("the largest norm", max);
    double sum = 0;
    for (RowGradient gradient : gradients) {
      sum += gradient.squaredNorm();
    }
    double norm = Math.sqrt(sum);
    if (!Double.isFinite(norm)) {
      throw new IllegalStateException(
          "the gradient's norm is " + norm + ", so nothing was clipped; look for NaN upstream");
    }
    double factor = max / (norm + 1e-6);
    if (factor < 1) {
      for (RowGradient gradient : gradients) {
        gradient.scale((float) factor);
      }
    }
    return norm;
  }
}

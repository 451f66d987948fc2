package dev.rowan.analysis.audit;

import java.util.Arrays;
import java.util.Locale;

/**
 * One indicator over all rows.
 *
 * @param values one a row; NaN for a row that is not finite
 * @param mean over the tokens of the vocabulary (all rows if there is none)
 * @param sd their standard deviation
 * @param threshold the quantile of the reachable tokens below which a token is a candidate
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Measured(
    Indicator indicator, double mean, double sd, double threshold, double... values) {

  static Measured of(
      Indicator indicator, double[] values, TokenClasses classes, double thresholdShare) {
    boolean any =
        classes.count(TokenClass.NONE) < values.length; // a table without any token is all rows
    double sum = 0;
    double squares = 0;
    int count = 0;
    int reachable = 0;
    double[] among = new double[values.length];
    for (int id = 0; id < values.length; id++) {
      if (!Double.isFinite(values[id]) || (any && classes.of(id) == TokenClass.NONE)) {
        continue;
      }
      sum += values[id];
      count++;
      if (classes.of(id).isCandidate()) {
        among[reachable++] = values[id];
      }
    }
    double mean = sum / count;
    for (int id = 0; id < values.length; id++) {
      if (Double.isFinite(values[id]) && !(any && classes.of(id) == TokenClass.NONE)) {
        squares += (values[id] - mean) * (values[id] - mean);
      }
    }
    double threshold = Quantiles.quantile(Arrays.copyOf(among, reachable), thresholdShare);
    return new Measured(indicator, mean, Math.sqrt(squares / count), threshold, values);
  }

  /** Returns how many standard deviations a value lies from the mean; 0 if all are equal. */
  public double z(double value) {
    return sd > 0 ? (value - mean) / sd : 0;
  }

  /** Returns a value beside the others, for people. */
  public String text(double value) {
    return String.format(
        Locale.ROOT,
        "%s %.6g, %.1f sd from the mean %.4g",
        indicator.title(),
        value,
        z(value),
        mean);
  }

  /** Returns the value of a row. */
  public double of(long id) {
    return values[(int) id];
  }
}

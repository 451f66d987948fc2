package dev.rowan.core;

import java.util.Locale;

/** Says how many there are of something: {@code 1 row}, {@code 30,522 rows}. */
public final class Counted {
  private Counted() {}

  /**
   * Returns a number with what it counts.
   *
   * @param one the word for one of them; more of them end in s
   */
  public static String of(long number, String one) {
    return of(number, one, one + "s");
  }

  /**
   * Returns a number with what it counts and whatever else depends on it.
   *
   * @param one what stands behind 1, such as {@code row has}
   * @param many what stands behind every other number, such as {@code rows have}
   */
  public static String of(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  /** Returns how often something is done: {@code once}, {@code 25 times}. */
  public static String times(long number) {
    return number == 1 ? "once" : of(number, "time");
  }
}

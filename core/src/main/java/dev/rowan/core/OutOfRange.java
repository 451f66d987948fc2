package dev.rowan.core;

import java.util.Locale;

/**
 * A number lies outside its range. The message is {@code NAME is VALUE; it takes RANGE}; whoever
 * calls the number something else, as a command line does, takes it from the parts.
 */
public final class OutOfRange extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String name;
  private final String range;

  /**
   * Describes what is wrong.
   *
   * @param name what the number is called, in words
   * @param value what it is
   * @param range what it may be, such as {@code 1 to 1,000}
   */
  public OutOfRange(String name, Object value, String range) {
    super("%s is %s; it takes %s".formatted(name, text(value), range));
    this.name = name;
    this.range = range;
  }

  private static String text(Object value) {
    return value instanceof Integer || value instanceof Long
        ? String.format(Locale.ROOT, "%,d", ((Number) value).longValue())
        : String.valueOf(value);
  }

  /**
   * Checks a whole number.
   *
   * @throws OutOfRange unless {@code least <= value <= most}
   */
  public static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new OutOfRange(name, value, String.format(Locale.ROOT, "%,d to %,d", least, most));
    }
  }

  /**
   * Checks a whole number that has no upper bound.
   *
   * @throws OutOfRange unless {@code least <= value}
   */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new OutOfRange(name, value, String.format(Locale.ROOT, "%,d or more", least));
    }
  }

  /**
   * Checks a number for a range that takes more than a word, such as {@code more than 0}.
   *
   * @throws OutOfRange unless it holds
   */
  public static void check(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new OutOfRange(name, value, range);
    }
  }

  /** Returns what the number is called. */
  public String name() {
    return name;
  }

  /** Returns what it may be. */
  public String range() {
    return range;
  }
}

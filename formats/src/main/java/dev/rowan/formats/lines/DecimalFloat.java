package dev.rowan.formats.lines;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads decimal numbers as float32, each rounded once to nearest, ties to even: the same bits as
 * {@link Float#parseFloat} gives.
 *
 * <pre>
 *   number  = [sign] (digits ["." [digits]] | "." digits) [("e" | "E") [sign] digits]
 *           | [sign] ("nan" | "inf" | "infinity"), in any case
 * </pre>
 *
 * <p>How: the digits as one whole number w and a power of ten give the double w × 10^e with at most
 * three roundings, so it lies within 4 units in the last place of the true value. Rounding it to
 * float gives the right answer unless the double lies that close to the middle between two floats;
 * then, and outside the normal range of floats, {@link Float#parseFloat} decides.
 */
public final class DecimalFloat {
  /** What {@link #read} returns where there is no number. */
  public static final long NONE = -1;

  /** Powers of ten as correctly rounded doubles; 10^-64 × 10^18 is below every normal float. */
  private static final int MAX_EXPONENT = 64;

  private static final double[] POWERS = new double[2 * MAX_EXPONENT + 1];

  /** 18 digits always fit a long. */
  private static final int MAX_DIGITS = 18;

  // a double has 29 more fraction bits than a float; this pattern in them is the middle
  private static final long BELOW_FLOAT = (1L << 29) - 1;
  private static final long MIDDLE = 1L << 28;
  private static final long DOUBT = 8; // twice the greatest error, in units in the last place

  static {
    for (int e = -MAX_EXPONENT; e <= MAX_EXPONENT; e++) {
      POWERS[e + MAX_EXPONENT] = Double.parseDouble("1e" + e);
    }
  }

  private DecimalFloat() {}

  /** Returns the number that {@link #read} found. */
  public static float value(long found) {
    return Float.intBitsToFloat((int) found);
  }

  /** Returns the place after the number that {@link #read} found. */
  public static int next(long found) {
    return (int) (found >>> 32);
  }

  /**
   * Reads the number that starts at {@code from} and ends before a separator or at {@code end}.
   *
   * @param text ASCII
   * @param end where the text ends
   * @return the place after the number and its bits, see {@link #next} and {@link #value}; {@link
   *     #NONE} if there is no number
   */
  public static long read(byte[] text, int from, int end, byte separator) {
    int at = from;
    boolean negative = false;
    if (at < end && (text[at] == '-' || text[at] == '+')) {
      negative = text[at++] == '-';
    }
    int first = at;
    long digits = 0;
    int digit;
    while (at < end && (digit = text[at] - '0') >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      at++;
    }
    int count = at - first;
    int exponent = 0;
    if (at < end && text[at] == '.') {
      int point = ++at;
      while (at < end && (digit = text[at] - '0') >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
        at++;
      }
      exponent = point - at;
      count -= exponent;
    }
    if (count == 0) {
      return special(text, from, end, separator);
    }
    if (at < end && (text[at] | 0x20) == 'e') {
      int sign = ++at < end && text[at] == '-' ? -1 : 1;
      if (at < end && (text[at] == '-' || text[at] == '+')) {
        at++;
      }
      int start = at;
      int power = 0;
      while (at < end && (digit = text[at] - '0') >= 0 && digit <= 9) {
        power = Math.min(power * 10 + digit, 100_000);
        at++;
      }
      if (at == start) {
        return NONE;
      }
      exponent += sign * power;
    }
    if (at < end && text[at] != separator) {
      return NONE;
    }
    if (digits == 0 && count <= MAX_DIGITS) {
      return found(at, negative ? -0f : 0f);
    }
    boolean longer = count > MAX_DIGITS && significant(text, first, at) > MAX_DIGITS;
    if (longer || exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) {
      return slow(text, from, at);
    }
    double near = digits * POWERS[exponent + MAX_EXPONENT];
    long rest = Double.doubleToRawLongBits(near) & BELOW_FLOAT;
    if (Math.abs(rest - MIDDLE) <= DOUBT || near < Float.MIN_NORMAL || near > Float.MAX_VALUE) {
      return slow(text, from, at);
    }
    return found(at, (float) (negative ? -near : near));
  }

  private static long found(int next, float value) {
    return ((long) next << 32) | (Float.floatToRawIntBits(value) & 0xFFFF_FFFFL);
  }

  /** Counts digits without leading zeros. */
  private static int significant(byte[] text, int from, int end) {
    int count = 0;
    for (int i = from; i < end && (text[i] | 0x20) != 'e'; i++) {
      if (text[i] != '.' && (count > 0 || text[i] != '0')) {
        count++;
      }
    }
    return count;
  }

  private static long slow(byte[] text, int from, int end) {
    String number = new String(text, from, end - from, StandardCharsets.ISO_8859_1);
    return found(end, Float.parseFloat(number));
  }

  private static long special(byte[] text, int from, int end, byte separator) {
    int at = from;
    while (at < end && text[at] != separator) {
      if (at - from > 9) {
        return NONE;
      }
      at++;
    }
    String word = new String(text, from, at - from, StandardCharsets.ISO_8859_1);
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "nan", "+nan", "-nan" -> found(at, Float.NaN);
      case "inf", "+inf", "infinity", "+infinity" -> found(at, Float.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> found(at, Float.NEGATIVE_INFINITY);
      default -> NONE;
    };
  }
}

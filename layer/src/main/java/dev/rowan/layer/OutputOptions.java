package dev.rowan.layer;

import java.util.OptionalDouble;

/**
 * What lies between h · Eᵀ and the logits: s = hiddenScale · (h · E_v) + bias_v, then, with a
 * soft-cap c, z = c · tanh(s / c).
 *
 * @param hiddenScale what h is multiplied by (T5: d^−½); not the input scale of an {@link
 *     Embedding}, which never applies here
 * @param softCap c, above 0 (Gemma 2: 30)
 */
public record OutputOptions(float hiddenScale, OptionalDouble softCap) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public OutputOptions {
    Checks.finite("hidden scale", hiddenScale);
    if (softCap.isPresent()) {
      Checks.aboveZero("soft-cap", softCap.getAsDouble());
    }
  }

  /** Returns scale 1 and no soft-cap. */
  public static OutputOptions plain() {
    return new OutputOptions(1f, OptionalDouble.empty());
  }

  /** Returns these options with another scale of h. */
  public OutputOptions withHiddenScale(float scale) {
    return new OutputOptions(scale, softCap);
  }

  /** Returns these options with a soft-cap. */
  public OutputOptions withSoftCap(double cap) {
    return new OutputOptions(hiddenScale, OptionalDouble.of(cap));
  }

  /** Returns z of s. */
  double logit(double s) {
    if (softCap.isEmpty()) {
      return s;
    }
    double cap = softCap.getAsDouble();
    return cap * Math.tanh(s / cap);
  }

  /** Returns dz/ds, given z. */
  double slope(double z) {
    if (softCap.isEmpty()) {
      return 1;
    }
    double part = z / softCap.getAsDouble();
    return 1 - part * part;
  }
}

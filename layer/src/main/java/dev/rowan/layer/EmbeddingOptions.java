package dev.rowan.layer;

import dev.rowan.core.OutOfRange;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an {@link Embedding} does beyond looking rows up.
 *
 * @param padding the id whose row never receives a gradient; negative counts from the end (−1 is V
 *     − 1). The row itself is read as stored: with given weights it need not be zero
 * @param maxNorm the bound that looked-up rows are held to
 * @param frequency whether a row's gradient is divided by how often its id occurs in the call
 * @param scale what looked-up rows are multiplied by (Gemma: √d); never touches the table nor a
 *     tied output
 */
public record EmbeddingOptions(
    OptionalLong padding, Optional<MaxNorm> maxNorm, Frequency frequency, float scale) {

  /** How the gradient of a row that occurs several times in one call is summed. */
  public enum Frequency {
    /** The sum over its occurrences. */
    SUM,
    /** The sum over its occurrences in this call, divided by their number. */
    MEAN
  }

  /**
   * Checks the scale.
   *
   * @throws IllegalArgumentException if it is not finite
   */
  public EmbeddingOptions {
    Checks.finite("scale", scale);
  }

  /** Returns no padding, no bound, summed gradients, scale 1. */
  public static EmbeddingOptions plain() {
    return new EmbeddingOptions(OptionalLong.empty(), Optional.empty(), Frequency.SUM, 1f);
  }

  /** Returns these options with a padding id; negative counts from the end. */
  public EmbeddingOptions withPadding(long id) {
    return new EmbeddingOptions(OptionalLong.of(id), maxNorm, frequency, scale);
  }

  /** Returns these options without a padding id. */
  public EmbeddingOptions withoutPadding() {
    return new EmbeddingOptions(OptionalLong.empty(), maxNorm, frequency, scale);
  }

  /** Returns these options with a bound on the Euclidean norm of looked-up rows. */
  public EmbeddingOptions withMaxNorm(double max) {
    return withMaxNorm(MaxNorm.of(max));
  }

  /** Returns these options with a bound on the norm of looked-up rows. */
  public EmbeddingOptions withMaxNorm(MaxNorm bound) {
    return new EmbeddingOptions(padding, Optional.of(bound), frequency, scale);
  }

  /** Returns these options with each row's gradient divided by its id's count in the call. */
  public EmbeddingOptions withFrequency(Frequency how) {
    return new EmbeddingOptions(padding, maxNorm, how, scale);
  }

  /** Returns these options with looked-up rows multiplied by a number. */
  public EmbeddingOptions withScale(float factor) {
    return new EmbeddingOptions(padding, maxNorm, frequency, factor);
  }

  /**
   * Returns √d rounded to bfloat16, the scale of Gemma's input: 34.0 for 1,152, not 33.94.
   *
   * @throws IllegalArgumentException if {@code width} is below 1
   */
  public static float gemmaScale(int width) {
    OutOfRange.atLeast("width", width, 1);
    short bits = dev.rowan.core.kernel.FloatFormat.toBfloat16((float) Math.sqrt(width));
    return Float.intBitsToFloat(bits << 16);
  }

  /**
   * Returns the padding id in a table of {@code rows}, or −1 if there is none.
   *
   * @throws IllegalArgumentException if it is not in [−V, V)
   */
  long paddingIn(long rows) {
    if (padding.isEmpty()) {
      return -1;
    }
    long id = padding.getAsLong();
    if (id < -rows || id >= rows) {
      throw new IllegalArgumentException(
          "padding id %d is not in [%d, %d)".formatted(id, -rows, rows));
    }
    return id < 0 ? id + rows : id;
  }
}

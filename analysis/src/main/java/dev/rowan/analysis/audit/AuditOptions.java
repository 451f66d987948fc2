package dev.rowan.analysis.audit;

import dev.rowan.core.OutOfRange;
import java.util.Optional;

/**
 * How to audit.
 *
 * @param reference rows known to be unused; found automatically if empty
 * @param indicator what to rank by; chosen by how the tables relate if empty
 * @param thresholdShare the share of reachable tokens that are candidates, in (0, 1)
 * @param nearCosine from which cosine on two rows are near duplicates, in (0, 1]; 2 or more to
 *     leave them out
 * @param outlierZ how far out a norm must be, in robust standard deviations
 * @param initialSd the standard deviation that rows were initialised with
 */
public record AuditOptions(
    Optional<Reference> reference,
    Optional<Indicator> indicator,
    double thresholdShare,
    double nearCosine,
    double outlierZ,
    double initialSd) {

  /** The published threshold of 2 %, near duplicates from 0.999, norms beyond 6, 0.02. */
  public static final AuditOptions DEFAULT =
      new AuditOptions(Optional.empty(), Optional.empty(), 0.02, 0.999, 6, 0.02);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public AuditOptions {
    OutOfRange.check(
        thresholdShare > 0 && thresholdShare < 1,
        "threshold share",
        thresholdShare,
        "more than 0 and less than 1");
    OutOfRange.check(nearCosine > 0, "near duplicates", nearCosine, "more than 0");
    OutOfRange.check(outlierZ > 0, "outlier", outlierZ, "more than 0");
    OutOfRange.check(initialSd > 0, "initial sd", initialSd, "more than 0");
  }

  /** Returns the same with a reference. */
  public AuditOptions withReference(Reference chosen) {
    return new AuditOptions(
        Optional.of(chosen), indicator, thresholdShare, nearCosine, outlierZ, initialSd);
  }

  /** Returns the same with an indicator. */
  public AuditOptions withIndicator(Indicator chosen) {
    return new AuditOptions(
        reference, Optional.of(chosen), thresholdShare, nearCosine, outlierZ, initialSd);
  }

  /** Returns the same with another limit for near duplicates; 2 or more leaves them out. */
  public AuditOptions withNearCosine(double cosine) {
    return new AuditOptions(reference, indicator, thresholdShare, cosine, outlierZ, initialSd);
  }

  /** Returns the same with another standard deviation of initialisation. */
  public AuditOptions withInitialSd(double sd) {
    return new AuditOptions(reference, indicator, thresholdShare, nearCosine, outlierZ, sd);
  }

  /** Returns the same with another limit for norms. */
  public AuditOptions withOutlierZ(double z) {
    return new AuditOptions(reference, indicator, thresholdShare, nearCosine, z, initialSd);
  }
}

package dev.rowan.formats.convention;

import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;

/**
 * Decides whether a model's output uses its input table. What the file holds counts first, since
 * configs are often silent or wrong:
 *
 * <pre>
 *   output stored, bytes differ                    untied
 *   output stored, bytes equal                     tied, stored twice
 *   output and input the same bytes of the file    tied
 *   output not stored, config true or silent       tied
 *   output not stored, config false                no output table in this file
 *   only the output stored, config true or silent  tied: it serves at both ends
 *   only the output stored, config false           unknown: the input table is missing
 * </pre>
 */
public final class TieRule {
  private TieRule() {}

  /** Decides for a file that holds only the input table. */
  public static TieDecision onlyInput(TieSetting config) {
    return config.deniesTie()
        ? new TieDecision(Tie.NO_OUTPUT, "the file holds no output table, and " + config.sentence())
        : new TieDecision(
            Tie.TIED,
            "the file holds no output table, so the input table serves at both ends; "
                + config.sentence());
  }

  /** Decides for a file that holds only the output table. */
  public static TieDecision onlyOutput(TensorInfo output, TieSetting config) {
    return config.deniesTie()
        ? new TieDecision(
            Tie.UNKNOWN,
            "the file holds only the output table \"%s\", but %s: its input table is missing"
                .formatted(output.name(), config.sentence()))
        : new TieDecision(
            Tie.TIED,
            "the file holds only \"%s\", so it serves at both ends; %s"
                .formatted(output.name(), config.sentence()));
  }

  /** Decides for a file that gives both tables the same bytes, which are stored once. */
  public static TieDecision sameBytes(TensorInfo input, TensorInfo output) {
    return new TieDecision(
        Tie.TIED,
        "the file gives \"%s\" and \"%s\" the same bytes".formatted(input.name(), output.name()));
  }

  /** Decides for a file that holds both tables; reads them up to the first difference. */
  public static TieDecision both(
      TensorInfo input,
      MemorySegment inputBytes,
      TensorInfo output,
      MemorySegment outputBytes,
      TieSetting config) {
    String names = "\"%s\" and \"%s\"".formatted(input.name(), output.name());
    if (!input.shape().equals(output.shape()) || !input.dtype().equals(output.dtype())) {
      return new TieDecision(
          Tie.UNTIED,
          "the file holds %s, which differ in shape or number format (%s %s, %s %s)"
              .formatted(
                  names,
                  input.shapeText(),
                  input.dtype().label(),
                  output.shapeText(),
                  output.dtype().label()));
    }
    long difference = inputBytes.mismatch(outputBytes);
    if (difference >= 0) {
      String but = says(config, Tie.UNTIED) ? "" : ", though " + config.sentence();
      return new TieDecision(
          Tie.UNTIED,
          "the file holds %s, whose bytes differ from byte %d on%s"
              .formatted(names, difference, but));
    }
    String but = says(config, Tie.TIED) ? "" : ", though " + config.sentence();
    return new TieDecision(
        Tie.TIED_STORED_TWICE, "the file holds %s with the same bytes%s".formatted(names, but));
  }

  /** Returns whether the config agrees, or at least does not object. */
  private static boolean says(TieSetting config, Tie tie) {
    return switch (config) {
      case TIED, TEXT_TIED -> tie == Tie.TIED;
      case UNTIED, TEXT_UNTIED -> tie == Tie.UNTIED;
      case SILENT, NO_CONFIG, ENCODER, LEFT_OUT_WHERE_TIED -> true;
    };
  }
}

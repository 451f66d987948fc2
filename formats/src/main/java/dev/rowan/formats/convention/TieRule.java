package dev.rowan.formats.convention;

import dev.rowan.core.Table;
import dev.rowan.core.Tie;
import dev.rowan.core.TieDecision;
import dev.rowan.formats.config.ModelConfig;
import dev.rowan.formats.config.TieSetting;
import dev.rowan.formats.tensor.Scoring;
import dev.rowan.formats.tensor.TensorFile;
import dev.rowan.formats.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides whether a model's output uses its input table. What the file holds counts first, since
 * configs are often silent or wrong:
 *
 * <pre>
 *   output stored, numbers differ                  untied
 *   output stored, bytes or numbers equal          tied, stored twice
 *   output and input the same bytes of the file    tied
 *   output not stored, but the graph shows what
 *     the model scores tokens by (ONNX)            tied, untied, or no output table
 *   output not stored, config true or silent       tied
 *   output not stored, config false                no output table in this file
 *   output not stored, a bare array                unknown
 *   output not stored under a name that is known,
 *     but another tensor of the same shape         unknown, unless the config is plain
 *   output not stored, but the decoder has an
 *     input table of its own, config not false     as above: it serves at the output
 *   output stored transposed (ONNX)                as above, by its numbers
 *   only the output stored, config true or silent  tied: it serves at both ends
 *   only the output stored, config false           unknown: the input table is missing
 * </pre>
 */
public final class TieRule {
  private TieRule() {}

  /**
   * Decides for a file in which only the input table has a name that is known.
   *
   * @param file what holds it, and may show what the model does with it
   */
  public static TieDecision onlyInput(ModelConfig model, TensorInfo input, TensorFile file) {
    return Scoring.of(file, input)
        .map(scoring -> byUse(scoring, model.tie(), input))
        .orElseGet(() -> byNames(model, input, file.tensors()));
  }

  /** What the graph computes leaves no doubt. */
  private static TieDecision byUse(Scoring scoring, TieSetting config, TensorInfo input) {
    Tie tie =
        switch (scoring) {
          case Scoring.ByInput _ -> Tie.TIED;
          case Scoring.ByOther _ -> Tie.UNTIED;
          case Scoring.ByNothing _ -> Tie.NO_OUTPUT;
        };
    String evidence =
        switch (scoring) {
          case Scoring.ByInput _ ->
              "the graph looks ids up in \"%s\" and scores tokens by the same table"
                  .formatted(input.name());
          case Scoring.ByOther(TensorInfo other, _) ->
              "the file holds an output table of its own, \"%s\" (%s %s), which cannot be read"
                  .formatted(other.name(), other.shapeText(), other.dtype().shown());
          case Scoring.ByNothing _ ->
              "the graph looks ids up in \"%s\", and no product at its outputs gives a number for each of the %,d rows, so the model itself scores no tokens"
                  .formatted(input.name(), input.shape().getFirst());
        };
    boolean agrees = says(config, tie.isTied() ? Tie.TIED : Tie.UNTIED);
    return new TieDecision(tie, agrees ? evidence : evidence + ", though " + config.sentence());
  }

  private static TieDecision byNames(
      ModelConfig model, TensorInfo input, List<TensorInfo> tensors) {
    TieSetting config = model.tie();
    Optional<TensorInfo> packed = TableNames.packedOutput(tensors);
    if (packed.isPresent()) {
      return new TieDecision(
          Tie.UNTIED,
          "the file holds an output table of its own, packed by a quantizer as \"%s\", which cannot be read"
              .formatted(packed.get().name()));
    }
    List<TensorInfo> others = TableNames.unnamedLike(input, tensors);
    boolean plain = config == TieSetting.TIED || config == TieSetting.TEXT_TIED || config.isNoted();
    boolean alone = config == TieSetting.INPUT_ONLY || config == TieSetting.ENCODER;
    if (!others.isEmpty() && !plain && !alone) {
      return new TieDecision(
          Tie.UNKNOWN,
          "the file holds no output table under a name that is known, but \"%s\" has the same shape and may be it; %s"
              .formatted(others.getFirst().name(), config.sentence()));
    }
    if (config == TieSetting.OPEN) {
      return new TieDecision(
          Tie.UNKNOWN, "the file holds no output table, and " + config.sentence());
    }
    return config.deniesTie()
        ? new TieDecision(Tie.NO_OUTPUT, "the file holds no output table, and " + config.sentence())
        : new TieDecision(
            Tie.TIED,
            "the file holds no output table, so the input table serves at both ends; "
                + config.sentence()
                + model
                    .withoutOutput()
                    .map("; a %s itself scores no tokens"::formatted)
                    .orElse(""));
  }

  /** Decides for a file that holds only the output table. */
  public static TieDecision onlyOutput(TensorInfo output, ModelConfig model) {
    TieSetting config = model.tie();
    Optional<String> sound =
        model.architectures().stream().filter(name -> name.endsWith("ForCTC")).findFirst();
    if (sound.isPresent()) {
      return new TieDecision(
          Tie.UNKNOWN,
          "the file holds only the output table \"%s\", as a %s, which hears, has no input table"
              .formatted(output.name(), sound.get()));
    }
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
        Tie.TIED, "the file gives %s the same bytes".formatted(names(input, output)));
  }

  /** Returns whether two tables have one shape and number format, so that their bytes may agree. */
  public static boolean haveOneForm(TensorInfo input, TensorInfo output) {
    return input.shape().equals(output.shape()) && input.dtype().equals(output.dtype());
  }

  /** Decides for a file that holds both tables in different shapes or number formats. */
  public static TieDecision differentForms(TensorInfo input, TensorInfo output) {
    return new TieDecision(
        Tie.UNTIED,
        "the file holds %s, which differ in shape or number format (%s %s, %s %s)"
            .formatted(
                names(input, output),
                input.shapeText(),
                input.dtype().shown(),
                output.shapeText(),
                output.dtype().shown()));
  }

  /**
   * Decides for a file that holds the output table as width × rows; reads both up to the first
   * difference.
   */
  public static TieDecision transposed(
      TensorInfo input,
      MemorySegment inputBytes,
      TensorInfo output,
      MemorySegment outputBytes,
      TieSetting config) {
    Tie tie =
        SameNumbers.isTranspose(
                input.shape(),
                new SameNumbers.Stored(input.dtype(), inputBytes),
                new SameNumbers.Stored(output.dtype(), outputBytes))
            ? Tie.TIED_STORED_TWICE
            : Tie.UNTIED;
    boolean agrees = says(config, tie.isTied() ? Tie.TIED : Tie.UNTIED);
    return new TieDecision(
        tie,
        "the file holds %s, which is stored transposed and %s%s"
            .formatted(
                names(input, output),
                tie.isTied() ? "has the same numbers" : "differs",
                agrees ? "" : ", though " + config.sentence()));
  }

  private static String names(TensorInfo input, TensorInfo output) {
    return (isDecoders(output)
            ? "the input table \"%s\" and the decoder's table \"%s\", which serves at the output"
            : "\"%s\" and \"%s\"")
        .formatted(input.name(), output.name());
  }

  /** Returns whether an output table is one for lack of another: a decoder's input table. */
  private static boolean isDecoders(TensorInfo output) {
    return TableNames.isInput(output.name()) && !TableNames.isOutput(output.name());
  }

  /**
   * Decides for a file that holds both tables in one shape but two number formats that {@link
   * SameNumbers} compares; reads them up to the first difference.
   */
  public static TieDecision inTwoFormats(
      TensorInfo input, Table inputTable, TensorInfo output, Table outputTable, TieSetting config) {
    OptionalLong difference = SameNumbers.firstDifference(inputTable, outputTable);
    Tie tie = difference.isPresent() ? Tie.UNTIED : Tie.TIED_STORED_TWICE;
    boolean agrees =
        says(config, tie.isTied() ? Tie.TIED : Tie.UNTIED) || (!tie.isTied() && isDecoders(output));
    return new TieDecision(
        tie,
        "the file holds %s, one as %s and one as %s, %s%s"
            .formatted(
                names(input, output),
                input.dtype().shown(),
                output.dtype().shown(),
                difference.isPresent()
                    ? "whose numbers differ from row %,d on".formatted(difference.getAsLong())
                    : "with the same numbers",
                agrees ? "" : ", though " + config.sentence()));
  }

  /** Decides for a file that holds both tables; reads them up to the first difference. */
  public static TieDecision both(
      TensorInfo input,
      MemorySegment inputBytes,
      TensorInfo output,
      MemorySegment outputBytes,
      TieSetting config) {
    String names = names(input, output);
    long difference = inputBytes.mismatch(outputBytes);
    if (difference >= 0) {
      String but =
          says(config, Tie.UNTIED) || isDecoders(output) ? "" : ", though " + config.sentence();
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
      case TIED, TEXT_TIED, NOTED_TIED -> tie == Tie.TIED;
      case UNTIED, TEXT_UNTIED, INPUT_ONLY, NOTED_UNTIED -> tie == Tie.UNTIED;
      case SILENT, SILENT_BESIDE, NO_CONFIG, ENCODER, LEFT_OUT_WHERE_TIED, NOTED_NO_OUTPUT, OPEN ->
          true;
    };
  }
}

package dev.rowan.formats.write;

import dev.rowan.core.Workers;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import java.io.IOException;
import java.util.Optional;

/**
 * How to convert.
 *
 * @param numbers how numbers are stored
 * @param rows which rows are written
 * @param workers who computes; if empty, one thread per processor while that is done
 * @param tokenizer finds what splits text for the source, asked where the target can keep it
 */
public record ConvertOptions(
    NumberFormat numbers, RowChoice rows, Optional<Workers> workers, TokenizerSource tokenizer) {
  /** All rows, their numbers as they are. */
  public static final ConvertOptions DEFAULT =
      new ConvertOptions(NumberFormat.KEEP, RowChoice.ALL, Optional.empty(), Optional::empty);

  /** Which rows are written. */
  public enum RowChoice {
    /** All of them. */
    ALL,
    /** Those with a token; rows behind one that is left out move up, so ids change. */
    WITH_TOKEN
  }

  /** Returns these options with another number format. */
  public ConvertOptions withNumbers(NumberFormat numbers) {
    return new ConvertOptions(numbers, rows, workers, tokenizer);
  }

  /** Returns these options with another choice of rows. */
  public ConvertOptions withRows(RowChoice rows) {
    return new ConvertOptions(numbers, rows, workers, tokenizer);
  }

  /** Returns these options with the threads that compute; they are not closed here. */
  public ConvertOptions withWorkers(Workers workers) {
    return new ConvertOptions(numbers, rows, Optional.of(workers), tokenizer);
  }

  /** Returns these options with what splits text for the source. */
  public ConvertOptions withTokenizer(TokenizerSource tokenizer) {
    return new ConvertOptions(numbers, rows, workers, tokenizer);
  }

  /** Finds the tokenizer of a model, such as {@code Models.tokenizer} does. */
  @FunctionalInterface
  public interface TokenizerSource {
    /** Returns the tokenizer; empty if there is none. */
    Optional<FoundTokenizer> find() throws IOException;
  }
}

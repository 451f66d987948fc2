package dev.rowan.train.lm;

import java.util.List;

/**
 * What a language model reached on sentences it did not learn from, beside what counting reaches.
 *
 * @param parameters how many numbers are learned
 * @param tableParameters those of the input table, and of the output table if it is another
 * @param trainingTokens tokens learned from, markers at the ends of sentences included
 * @param heldOutTokens tokens measured on, markers included
 * @param unigram perplexity of counting single tokens
 * @param trigram perplexity of interpolated Kneser–Ney over three tokens
 * @param epochs one entry an epoch done; the first is before training, number 0
 */
public record LanguageReport(
    long parameters,
    long tableParameters,
    long trainingTokens,
    long heldOutTokens,
    double unigram,
    double trigram,
    List<Epoch> epochs) {

  /** Copies the epochs. */
  public LanguageReport {
    epochs = List.copyOf(epochs);
  }

  /**
   * An epoch.
   *
   * @param number from 1; 0 is before training
   * @param trainingLoss the mean over the epoch, in nats; NaN before training
   * @param heldOut perplexity of the held-out text
   */
  public record Epoch(int number, double trainingLoss, double heldOut) {}
}

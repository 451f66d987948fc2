package dev.rowan.hub;

/** Which of a model's tables to fetch. */
public enum Tables {
  /** The input table; the output table too where nothing less tells whether the two are tied. */
  INPUT,
  /** Both, where the model stores two. */
  INPUT_AND_OUTPUT
}

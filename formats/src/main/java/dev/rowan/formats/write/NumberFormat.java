package dev.rowan.formats.write;

/** How numbers are to be stored. */
public enum NumberFormat {
  /** As they are, where the target can; else float32. */
  KEEP,
  /** Float32; refused if a float64 lies beyond it. */
  F32,
  /** IEEE binary16; refused if a number lies beyond 65,504. */
  F16,
  /** The upper half of a float32; refused if a number lies beyond 3.39e38. */
  BF16,
  /**
   * One byte. Model2Vec: one scale for the whole table, which is not kept, so rows keep their
   * directions and their lengths' ratios. GGUF: Q8_0, a scale for each 32 numbers.
   */
  INT8
}

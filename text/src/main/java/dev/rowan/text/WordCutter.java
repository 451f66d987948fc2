package dev.rowan.text;

import dev.rowan.formats.tokenizer.WordSplit;

/** Cuts text into the words that byte-level BPE does not merge across. */
interface WordCutter {

  /**
   * Adds where each word ends, in order; the last ends at {@code to}.
   *
   * @param text well-formed UTF-16
   */
  void cut(char[] text, int from, int to, Ints ends);

  /** Returns the cutter of a way to split. */
  static WordCutter of(WordSplit split) {
    return switch (split) {
      case GPT2 -> new Gpt2Cutter();
      case LLAMA3 -> new Llama3Cutter(3, Llama3Cutter.Trailing.BY_LINES);
      case CL100K -> new Llama3Cutter(3, Llama3Cutter.Trailing.WHOLE);
      case QWEN2 -> new Llama3Cutter(1, Llama3Cutter.Trailing.BY_LINES);
      case O200K -> new O200kCutter(3, O200kCutter.Contractions.WITH_WORD);
      case KIMI -> PatternCutter.kimi();
      case TEKKEN -> new O200kCutter(1, O200kCutter.Contractions.NONE);
      case STARCODER -> PatternCutter.starcoder();
      case FALCON -> PatternCutter.falcon();
      case DEEPSEEK_V3 -> PatternCutter.deepseekV3();
      case DEEPSEEK_CODER -> PatternCutter.deepseekCoder();
      case BLOOM -> PatternCutter.bloom();
      case VIKING -> PatternCutter.viking();
      case UNNAMED -> PatternCutter.unnamed();
    };
  }
}

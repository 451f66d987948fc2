package dev.rowan.text;

import java.nio.CharBuffer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts that are made in several steps, each step within the pieces of the one before: what an
 * expression matches is a piece, and so is what lies between two matches.
 */
final class PatternCutter implements WordCutter {
  // \s of tokenizers is Unicode white space
  private static final String SPACE = "\\p{IsWhite_Space}";
  private static final String NO_SPACE = "\\P{IsWhite_Space}";

  private static final WordCutter DIGIT = new Step("\\p{N}");
  private static final WordCutter THREE_DIGITS = new Step("[0-9][0-9][0-9]");
  private static final String CHINESE_AND_MORE = "[\u4E00-\u9FA5\u0800-\u4E00\uAC00-\uD7FF]+";

  private final List<WordCutter> steps;

  private PatternCutter(WordCutter... steps) {
    this.steps = List.of(steps);
  }

  static WordCutter starcoder() {
    return new PatternCutter(DIGIT, new Gpt2Cutter());
  }

  static WordCutter falcon() {
    return new PatternCutter(new Step("[\\p{P}$+<=>^~|`]+"), new Gpt2Cutter(), THREE_DIGITS);
  }

  /** What llama.cpp does where a file names no pre-tokenizer, or "default". */
  static WordCutter unnamed() {
    return new PatternCutter(
        new Step("[\\p{P}$+<=>^~|]+"), new Gpt2Cutter(), new Step("\\p{N}+"), THREE_DIGITS);
  }

  static WordCutter kimi() {
    String first = "[^\\r\\n\\p{L}\\p{N}]?";
    String upper = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&\\P{IsHan}]";
    String lower = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&\\P{IsHan}]";
    String contraction = "(?iu:'s|'t|'re|'ve|'m|'ll|'d)?";
    return new PatternCutter(
        new Step(
            "\\p{IsHan}+|"
                + (first + upper + "*" + lower + "+" + contraction + "|")
                + (first + upper + "+" + lower + "*" + contraction + "|")
                + "\\p{N}{1,3}| ?[^SPACE\\p{L}\\p{N}]+[\\r\\n]*"
                + "|SPACE*[\\r\\n]+|SPACE+(?!NO_SPACE)|SPACE+"));
  }

  static WordCutter deepseekV3() {
    String asciiMark = "[!-/:-@\\[-`{-~]";
    return new PatternCutter(
        new Step("\\p{N}{1,3}"),
        new Step("[\u4E00-\u9FA5\u3040-\u309F\u30A0-\u30FF]+"),
        new Step(
            asciiMark
                + "[A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*"
                + "|SPACE*[\\r\\n]+|SPACE+(?!NO_SPACE)|SPACE+"));
  }

  static WordCutter deepseekCoder() {
    return new PatternCutter(
        new Step("[\\r\\n]"),
        new Step("SPACE?\\p{L}+"),
        new Step("SPACE?\\p{P}+"),
        new Step(CHINESE_AND_MORE),
        DIGIT);
  }

  static WordCutter bloom() {
    return new PatternCutter(bloomStep());
  }

  static WordCutter viking() {
    return new PatternCutter(bloomStep(), DIGIT);
  }

  private static WordCutter bloomStep() {
    // … 。 ， 、 । ۔ ، and ASCII marks end a word
    return new Step(" ?[^(SPACE|.,!?\u2026\u3002\uFF0C\u3001\u0964\u06D4\u060C)]+");
  }

  @Override
  public void cut(char[] text, int from, int to, Ints ends) {
    Ints before = new Ints();
    before.add(to);
    for (int step = 0; step < steps.size(); step++) {
      Ints after = step == steps.size() - 1 ? ends : new Ints();
      int at = from;
      for (int i = 0; i < before.size(); i++) {
        steps.get(step).cut(text, at, before.get(i), after);
        at = before.get(i);
      }
      before = after;
    }
  }

  private static final class Step implements WordCutter {
    private final Pattern pattern;

    /**
     * Makes a step.
     *
     * @param expression SPACE and NO_SPACE in it stand for white space and anything else
     */
    Step(String expression) {
      pattern = Pattern.compile(expression.replace("NO_SPACE", NO_SPACE).replace("SPACE", SPACE));
    }

    @Override
    public void cut(char[] text, int from, int to, Ints ends) {
      Matcher matcher = pattern.matcher(CharBuffer.wrap(text)).region(from, to);
      int at = from;
      while (matcher.find()) {
        if (matcher.start() > at) {
          ends.add(matcher.start());
        }
        at = matcher.end();
        ends.add(at);
      }
      if (at < to) {
        ends.add(to);
      }
    }
  }
}

package dev.rowan.app.cli;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.json.JsonTree.Elements;
import dev.rowan.formats.json.JsonTree.Literal;
import dev.rowan.formats.json.JsonTree.Members;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;

/**
 * What a table in training was worth.
 *
 * @param share of the training that was done
 * @param set the name of the test set
 * @param what {@code spearman}, {@code excludingInputs} or {@code raw}; {@code perplexity} of text
 *     that was held out
 * @param value NaN if it could not be measured
 * @param used how many pairs, questions or tokens it is over, of {@code total}
 */
record TrainScore(double share, String set, String what, double value, long used, long total) {
  /** What the score of a language model is called. */
  static final String PERPLEXITY = "perplexity";

  /** What the correlation of word pairs is called. */
  static final String SPEARMAN = "spearman";

  /** What the share of right analogies is called, where the inputs cannot be the answer. */
  static final String EXCLUDING = "excludingInputs";

  /** Returns what to call it for a reader: the set, and what was measured. */
  String label() {
    return set
        + ", "
        + switch (what) {
          case SPEARMAN -> "Spearman";
          case EXCLUDING -> "inputs excluded";
          default -> what;
        };
  }

  /** Returns why there is no value. */
  String unmeasured() {
    if (!what.equals(SPEARMAN)) {
      return "no question has all its words";
    }
    String words = String.format(Locale.ROOT, "%,d of %,d pairs have both words", used, total);
    return used < 2 ? words : words + ", and their scores or cosines are equal";
  }

  /** Writes the members of an object. */
  void write(Json json) {
    json.number("share", share)
        .text("set", set)
        .text("what", what)
        .number("value", value)
        .number("used", used)
        .number("total", total);
  }

  /** Returns scores as {@link #of} reads them. */
  static String asText(List<TrainScore> scores) {
    return Json.object(json -> json.objects("scores", scores, (j, score) -> score.write(j)));
  }

  /**
   * Reads scores that {@link #asText} wrote.
   *
   * @param checkpoint where they stood, for messages
   * @throws FormatException if they are none
   */
  static List<TrainScore> of(String text, Path checkpoint) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return JsonTree.read(checkpoint, MemorySegment.ofArray(bytes))
        .array("scores")
        .map(Elements::elements)
        .orElseThrow(() -> damaged(checkpoint))
        .stream()
        .map(score -> of(score, checkpoint))
        .toList();
  }

  private static TrainScore of(JsonTree score, Path checkpoint) {
    if (score instanceof Members m) {
      try {
        return new TrainScore(
            number(m, "share"),
            m.text("set").orElseThrow(),
            m.text("what").orElseThrow(),
            number(m, "value"),
            m.whole("used").orElseThrow(),
            m.whole("total").orElseThrow());
      } catch (NoSuchElementException | NumberFormatException _) {
        // told below
      }
    }
    throw damaged(checkpoint);
  }

  private static double number(Members in, String name) {
    JsonTree value = in.find(name).orElseThrow();
    return value instanceof Literal(String characters) && !characters.equals("null")
        ? Double.parseDouble(characters)
        : Double.NaN;
  }

  private static FormatException damaged(Path checkpoint) {
    return new FormatException(checkpoint, "the scores of test sets in it are damaged");
  }
}

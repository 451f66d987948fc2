package dev.rowan.formats.tokenizer;

import static dev.rowan.formats.tokenizer.TokenizerProgram.isType;
import static dev.rowan.formats.tokenizer.TokenizerProgram.truth;

import dev.rowan.formats.json.JsonTree.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which way to cut text the pre-tokenizers of a {@code tokenizer.json} describe. */
final class ProgramCuts {
  private ProgramCuts() {}

  /** Returns the way, if it is one that is known here. */
  static Optional<WordSplit> split(List<Members> cuts) {
    if (cuts.isEmpty() || !isType(cuts.getLast(), "ByteLevel")) {
      return Optional.empty();
    }
    List<String> steps = new ArrayList<>();
    for (Members cut : cuts.subList(0, cuts.size() - 1)) {
      Optional<String> step = step(cut);
      if (step.isEmpty()) {
        return Optional.empty();
      }
      steps.add(step.get());
    }
    if (truth(cuts.getLast(), "use_regex", true)) {
      steps.add(WordSplit.GPT2_PATTERN);
    }
    return WordSplit.ofSteps(steps);
  }

  private static Optional<String> step(Members cut) {
    if (isType(cut, "Digits") && truth(cut, "individual_digits", false)) {
      return Optional.of(WordSplit.SINGLE_DIGITS);
    }
    boolean isolated = cut.text("behavior").orElse("").equals("Isolated");
    return isType(cut, "Split") && isolated && !truth(cut, "invert", false)
        ? cut.object("pattern").flatMap(pattern -> pattern.text("Regex"))
        : Optional.empty();
  }
}

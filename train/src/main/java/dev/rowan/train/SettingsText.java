package dev.rowan.train;

import dev.rowan.train.Objective.Cbow;
import dev.rowan.train.Objective.Combine;
import dev.rowan.train.Objective.SkipGram;
import dev.rowan.train.Output.HierarchicalSoftmax;
import dev.rowan.train.Output.NegativeSampling;
import dev.rowan.train.Output.Sharing;
import java.util.Map;
import java.util.Optional;

/**
 * Reads settings back from text.
 *
 * @param values by name
 */
record SettingsText(Map<String, String> values) {

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the setting \"%s\" is missing".formatted(name));
    }
    return value;
  }

  /** A NumberFormatException is an IllegalArgumentException that names the value. */
  int whole(String name) {
    return Integer.parseInt(text(name));
  }

  double number(String name) {
    return Double.parseDouble(text(name));
  }

  Objective objective() {
    return switch (text("objective")) {
      case "skipgram" -> new SkipGram();
      case "cbow-mean" -> new Cbow(Combine.MEAN);
      case "cbow-sum" -> new Cbow(Combine.SUM);
      default -> throw unknown("objective");
    };
  }

  Output output() {
    return switch (text("output")) {
      case "negatives-per-window" -> sampling(Sharing.WINDOW);
      case "negatives-per-pair" -> sampling(Sharing.PAIR);
      case "hierarchical-softmax" -> new HierarchicalSoftmax();
      default -> throw unknown("output");
    };
  }

  private NegativeSampling sampling(Sharing sharing) {
    return new NegativeSampling(whole("negatives"), number("power"), sharing);
  }

  Threading threading() {
    String value = text("threading");
    if (value.equals("shared")) {
      return new Threading.Shared();
    }
    if (value.startsWith("blocks-")) {
      return new Threading.Blocks(Integer.parseInt(value.substring("blocks-".length())));
    }
    throw unknown("threading");
  }

  Optional<CharacterGrams> grams() {
    if (!values.containsKey("grams")) {
      return Optional.empty();
    }
    String[] lengths = text("grams").split("-", 2);
    if (lengths.length != 2) {
      throw unknown("grams");
    }
    return Optional.of(
        new CharacterGrams(
            Integer.parseInt(lengths[0]), Integer.parseInt(lengths[1]), whole("buckets")));
  }

  private IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "the setting \"%s\" is \"%s\", which is not known".formatted(name, text(name)));
  }
}

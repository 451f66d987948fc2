package dev.rowan.app.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of a training in the words of who typed them: options and their values. */
final class TrainWords {
  private static final String OBJECTIVE = "--objective";

  /** Options that other options bring with them; where one side has none, that was told already. */
  private static final Set<String> BROUGHT =
      Set.of(
          "--context",
          "--negatives",
          "--power",
          "--buckets",
          "--phrase-threshold",
          "--phrase-min-count");

  private static final Set<String> PLAIN =
      Set.of(
          "negatives",
          "power",
          "window",
          "epochs",
          "rate",
          "subsample",
          "sentence-words",
          "seed",
          "buckets",
          "x-max",
          "alpha",
          "rows",
          "hidden",
          "batch",
          "sampled",
          "held-out");

  private TrainWords() {}

  /**
   * Returns options by name; empty for one that takes no value.
   *
   * @param settings as they write themselves; other texts are left out
   */
  static Map<String, String> ofSettings(Map<String, String> settings) {
    Map<String, String> options = new LinkedHashMap<>();
    settings.forEach((name, value) -> {
      switch (name) {
        case "objective" -> objective(options, value);
        case "output" -> {
          options.put("--loss", value.startsWith("negatives") ? "negative" : "hierarchical");
          putIf(options, "--per-pair", value.equals("negatives-per-pair"));
        }
        case "threading" -> {
          if (value.startsWith("blocks-")) {
            options.put("--blocks", value.substring("blocks-".length()));
          }
        }
        case "width" -> options.put("-d", value);
        case "grams" -> options.put("--subwords", value);
        case "context" -> options.put("--history", value);
        case "tying" -> putIf(options, "--untied", value.equals("untied"));
        default -> {
          if (PLAIN.contains(name)) {
            options.put("--" + name, number(value));
          }
        }
      }
    });
    return options;
  }

  private static void objective(Map<String, String> options, String value) {
    if (value.startsWith("cbow-")) {
      options.put(OBJECTIVE, "cbow");
      options.put("--context", value.substring("cbow-".length()));
    } else {
      options.put(OBJECTIVE, value.equals("next-token") ? "next" : value);
    }
  }

  private static void putIf(Map<String, String> options, String flag, boolean there) {
    if (there) {
      options.put(flag, "");
    }
  }

  /** Returns a number as people write it: 0.0001, not 1.0E-4. */
  private static String number(String value) {
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException _) {
      return value; // a word
    }
  }

  /**
   * Returns what two commands have that the other has not.
   *
   * @return empty if they say the same
   */
  static Optional<Difference> difference(Map<String, String> then, Map<String, String> now) {
    List<String> had = new ArrayList<>();
    List<String> has = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>(then.keySet());
    names.addAll(now.keySet());
    String objective = then.get(OBJECTIVE);
    if (objective != null && !objective.equals(now.get(OBJECTIVE))) {
      names.retainAll(Set.of(OBJECTIVE)); // all else belongs to it
    }
    for (String name : names) {
      String before = then.get(name);
      String after = now.get(name);
      boolean brought = BROUGHT.contains(name) && (before == null || after == null);
      if (!brought && (before == null || !before.equals(after))) {
        had.add(typed(name, before));
        has.add(typed(name, after));
      }
    }
    return had.isEmpty() ? Optional.empty() : Optional.of(new Difference(listed(had), listed(has)));
  }

  /** What one command had where another has something else. */
  record Difference(String then, String now) {}

  private static String typed(String name, @Nullable String value) {
    if (value == null) {
      return "no " + name;
    }
    return value.isEmpty() ? name : name + " " + Visible.message(value);
  }

  private static String listed(List<String> parts) {
    return parts.size() == 1
        ? parts.getFirst()
        : String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + parts.getLast();
  }
}

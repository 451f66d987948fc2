package dev.rowan.app.cli;

import dev.rowan.analysis.eval.AnalogyScores;
import dev.rowan.analysis.eval.AnalogyScores.Tally;
import dev.rowan.analysis.eval.Correlation;
import dev.rowan.analysis.eval.Correlation.Interval;
import dev.rowan.analysis.eval.EvalRules;
import dev.rowan.analysis.eval.EvalRules.Spelling;
import dev.rowan.analysis.eval.EvalRules.Unknown;
import dev.rowan.analysis.eval.PairScores;
import dev.rowan.analysis.eval.RelationDirections;
import dev.rowan.analysis.eval.TestSet.Form;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.AnalogyBatch.Rule;
import dev.rowan.core.Counted;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results of test sets as text and as JSON. */
final class EvalReport {
  private static final int MOST_WORDS = 8;
  private static final int MOST_NAME = 30;

  private final EvalRules rules;
  private final long rows;

  /**
   * Makes a report.
   *
   * @param rows how many rows count
   */
  EvalReport(EvalRules rules, long rows) {
    this.rules = rules;
    this.rows = rows;
  }

  private String policy() {
    return rules.policy().name().toLowerCase(Locale.ROOT);
  }

  /** Writes all results. */
  void write(Json json, List<PairScores> pairs, List<AnalogyScores> analogies) {
    json.text("policy", policy())
        .text("case", rules.spelling() == Spelling.FOLDED ? "folded" : "exact")
        .text("unknown", rules.unknown() == Unknown.SKIPPED ? "skip" : "zero")
        .number("rows", rows)
        .array(
            "results",
            j -> {
              pairs.forEach(scores -> j.item(inner -> write(inner, scores)));
              analogies.forEach(scores -> j.item(inner -> write(inner, scores)));
            });
  }

  private void write(Json json, PairScores scores) {
    json.text("task", "wordPairs")
        .text("file", scores.name())
        .text("policy", policy())
        .number("spearman", scores.spearman())
        .number("pearson", scores.pearson())
        .numbers("interval", scores.interval().low(), scores.interval().high())
        .number("used", (long) scores.used())
        .number("total", (long) scores.total())
        .number("unknownPairs", (long) scores.unknown())
        .number("unknownPercent", scores.unknownPercent());
    words(json, scores.unknownWords(), scores.skippedLines());
  }

  private static void words(Json json, List<String> unknownWords, int skippedLines) {
    json.array("unknownWords", j -> unknownWords.forEach(j::element))
        .number("skippedLines", (long) skippedLines);
  }

  private void write(Json json, AnalogyScores scores) {
    json.text("task", "analogies")
        .text("file", scores.name())
        .text("form", scores.form() == Form.GOOGLE ? "google" : "bats")
        .text("policy", policy())
        .text("method", method(scores));
    write(json, scores.all());
    if (scores.form() == Form.GOOGLE) {
      json.object("semantic", j -> write(j, scores.semantic()))
          .object("syntactic", j -> write(j, scores.syntactic()));
    }
    json.objects(
        "sections",
        scores.sections(),
        (j, section) -> {
          j.text("section", section.name());
          write(j, section.tally());
          j.object("directions", d -> write(d, section.directions()));
        });
    words(json, scores.unknownWords(), scores.skippedLines());
  }

  private static void write(Json json, Tally tally) {
    json.number("used", (long) tally.used())
        .number("total", (long) tally.total())
        .number("unknownQuestions", (long) tally.unknown())
        .number("raw", (long) tally.raw())
        .number("excludingInputs", (long) tally.excludingInputs())
        .number("alreadyNearest", (long) tally.alreadyNearest())
        .number("byArithmetic", (long) tally.byArithmetic())
        .number("rawAccuracy", tally.share(tally.raw()))
        .number("excludingInputsAccuracy", tally.share(tally.excludingInputs()))
        .number("alreadyNearestAccuracy", tally.share(tally.alreadyNearest()));
  }

  private static void write(Json json, RelationDirections directions) {
    json.number("pairs", (long) directions.pairs())
        .number("meanCosine", directions.meanCosine())
        .number("shuffled", directions.shuffled())
        .number("shuffledBelow", directions.shuffledBelow())
        .number("random", directions.random());
  }

  private static String method(AnalogyScores scores) {
    return scores.rule() == Rule.ADD ? "3CosAdd" : "3CosMul";
  }

  /** Prints all results. */
  void print(Page page, List<PairScores> pairs, List<AnalogyScores> analogies) {
    if (!pairs.isEmpty()) {
      page.part().heading("word pairs: cosines of rows against what people said");
      page.grid(grid(pairs));
      page.note(
          "interval: 95 %% of bootstrap samples of the pairs, from %d pairs on; %s"
              .formatted(Correlation.LEAST_FOR_INTERVAL, said("pairs")));
      pairs.forEach(s -> remarks(page, s.name(), s.unknownWords(), s.skippedLines(), "pair"));
    }
    for (AnalogyScores scores : analogies) {
      page.part().heading("%s: analogies by %s".formatted(scores.name(), method(scores)));
      page.grid(grid(scores));
      page.prose(verdict(scores.all()));
      page.note(
          "before: the answer is already the nearest neighbour of the question's third word, the"
              + " inputs left out; offsets: the mean cosine between the offsets of a relation's"
              + " pairs, and in brackets with its words paired wrongly; "
              + said("questions"));
      remarks(page, scores.name(), scores.unknownWords(), scores.skippedLines(), "question");
    }
  }

  private static String between(Interval interval) {
    return Double.isNaN(interval.low())
        ? "too few"
        : HitRows.number(interval.low()) + " – " + HitRows.number(interval.high());
  }

  private static Grid grid(List<PairScores> pairs) {
    Grid grid = new Grid();
    grid.row(
        Grid.left("", Style.FAINT),
        Grid.right("Spearman", Style.FAINT),
        Grid.left("interval", Style.FAINT),
        Grid.right("Pearson", Style.FAINT),
        Grid.right("pairs used", Style.FAINT));
    for (PairScores s : pairs) {
      grid.row(
          Grid.left(Visible.clipped(s.name(), MOST_NAME), Style.TOKEN),
          Grid.right(HitRows.number(s.spearman()), Style.PLAIN),
          Grid.left(between(s.interval()), Style.FAINT),
          Grid.right(HitRows.number(s.pearson()), Style.PLAIN),
          Grid.right(of(s.used(), s.total()), Style.PLAIN));
    }
    return grid;
  }

  private static Grid grid(AnalogyScores scores) {
    Grid grid = new Grid();
    grid.row(
        Grid.left("", Style.FAINT),
        Grid.right("used", Style.FAINT),
        Grid.right("raw", Style.FAINT),
        Grid.right("excluding", Style.FAINT),
        Grid.right("before", Style.FAINT),
        Grid.right("offsets", Style.FAINT));
    for (AnalogyScores.Section section : scores.sections()) {
      RelationDirections d = section.directions();
      row(
          grid,
          section.name(),
          section.tally(),
          Double.isNaN(d.meanCosine())
              ? ""
              : "%s (%s)".formatted(HitRows.number(d.meanCosine()), HitRows.number(d.shuffled())));
    }
    if (scores.sections().size() > 1) {
      row(grid, "all", scores.all(), "");
    }
    return grid;
  }

  private static void row(Grid grid, String name, Tally tally, String offsets) {
    grid.row(
        Grid.left(Visible.clipped(name, MOST_NAME), Style.TOKEN),
        Grid.right(of(tally.used(), tally.total()), Style.FAINT),
        Grid.right(percent(tally, tally.raw()), Style.PLAIN),
        Grid.right(percent(tally, tally.excludingInputs()), Style.PLAIN),
        Grid.right(percent(tally, tally.alreadyNearest()), Style.BASELINE),
        Grid.right(offsets, Style.PLAIN));
  }

  private static String percent(Tally tally, int count) {
    return tally.used() == 0
        ? "–"
        : String.format(Locale.ROOT, "%.1f %%", 100 * tally.share(count));
  }

  private static String of(int used, int total) {
    return used == total
        ? String.format(Locale.ROOT, "%,d", total)
        : String.format(Locale.ROOT, "%,d of %,d", used, total);
  }

  private static String verdict(Tally all) {
    return String.format(
        Locale.ROOT,
        "Of %s the nearest row is right in %,d, and in %,d once the inputs are left out;"
            + " %s not the nearest neighbour before any arithmetic.",
        Counted.of(all.used(), "question"),
        all.raw(),
        all.excludingInputs(),
        Counted.of(all.byArithmetic(), "of those was", "of those were"));
  }

  /** Says whose rules and which rows. */
  private String said(String what) {
    return "%s's rules, %s, %s rows, %s with an unknown word %s"
        .formatted(
            policy(),
            rules.spelling() == Spelling.FOLDED ? "case folded" : "case kept",
            String.format(Locale.ROOT, "%,d", rows),
            what,
            rules.unknown() == Unknown.SKIPPED ? "left out" : "counted as zero");
  }

  private static void remarks(
      Page page, String name, List<String> unknownWords, int skippedLines, String what) {
    if (!unknownWords.isEmpty()) {
      String some =
          unknownWords.stream()
              .limit(MOST_WORDS)
              .map(word -> Visible.clipped(word, MOST_NAME))
              .collect(Collectors.joining(", "));
      page.note(
          "%s: %,d %s without a row: %s%s"
              .formatted(
                  name,
                  unknownWords.size(),
                  unknownWords.size() == 1 ? "word" : "words",
                  some,
                  unknownWords.size() > MOST_WORDS ? ", …" : ""));
    }
    if (skippedLines > 0) {
      page.note(
          "%s: %,d %s no %s and %s passed over"
              .formatted(
                  name,
                  skippedLines,
                  skippedLines == 1 ? "line is" : "lines are",
                  what,
                  skippedLines == 1 ? "was" : "were"));
    }
  }
}

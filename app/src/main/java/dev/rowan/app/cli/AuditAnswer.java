package dev.rowan.app.cli;

import dev.rowan.analysis.audit.Audit;
import dev.rowan.analysis.audit.FailRule;
import dev.rowan.analysis.audit.Finding;
import dev.rowan.analysis.audit.Measured;
import dev.rowan.analysis.audit.Norms;
import dev.rowan.analysis.audit.Ranges;
import dev.rowan.analysis.audit.Reference;
import dev.rowan.analysis.audit.Rule;
import dev.rowan.analysis.audit.TokenClass;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.NamedTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An audit as text and as JSON. */
record AuditAnswer(
    Audit audit, NamedTable table, Asked asked, int k, List<FailRule.Violation> violations) {
  private static final int MOST_NAMED = 4;
  private static final int MOST_RUNS = 4;

  void write(Json json) {
    json.text("tensor", table.tensor())
        .number("rows", audit.rows())
        .number("width", (long) audit.width())
        .text("indicator", audit.indicator().label())
        .text("indicatorReason", audit.why());
    audit
        .reference()
        .ifPresentOrElse(
            r ->
                json.object(
                    "reference",
                    j ->
                        j.text("kind", r.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .array("ids", ids -> Arrays.stream(r.ids()).forEach(ids::element))),
            () -> json.nothing("reference"));
    Measured ranking = audit.ranking();
    json.number("mean", ranking.mean())
        .number("sd", ranking.sd())
        .number("threshold", ranking.threshold())
        .number("cutoff", audit.cutoff())
        .objects("candidates", audit.candidates().subList(0, shown()), this::candidate)
        .object("counts", this::counts)
        .object("classes", this::classes)
        .object("norm", j -> norms(j, audit.norms()))
        .objects("indicators", audit.measured(), AuditAnswer::indicator)
        .number("componentRows", audit.componentRows())
        .object(
            "findings",
            j -> {
              for (Rule rule : Rule.values()) {
                j.objects(rule.label(), audit.found(rule), this::finding);
              }
            })
        .array("failed", j -> violations.forEach(v -> j.element(v.condition().rule().label())))
        .array("notes", j -> audit.notes().forEach(j::element));
  }

  private int shown() {
    return Math.min(k, audit.candidates().size());
  }

  private void candidate(Json json, Audit.Candidate c) {
    json.text("token", asked.text(c.id()))
        .number("id", c.id())
        .number("value", c.value())
        .number("z", c.z())
        .text("reason", audit.reason(c));
  }

  private void finding(Json json, Finding f) {
    json.text("token", asked.text(f.id())).number("id", f.id()).number("value", f.value());
    if (f.other() >= 0) {
      json.number("other", f.other());
    }
    json.text("reason", f.reason());
  }

  private void counts(Json json) {
    json.number("candidates", (long) audit.candidates().size());
    for (Rule rule : Rule.values()) {
      json.number(rule.label(), (long) audit.found(rule).size());
    }
  }

  private void classes(Json json) {
    for (TokenClass c : TokenClass.values()) {
      json.number(c.label(), audit.classes().count(c));
    }
  }

  private static void norms(Json json, Norms n) {
    json.number("min", n.min())
        .number("max", n.max())
        .number("mean", n.mean())
        .number("sd", n.sd())
        .number("median", n.median())
        .number("medianDeviation", n.deviation());
  }

  private static void indicator(Json json, Measured m) {
    json.text("name", m.indicator().label())
        .number("mean", m.mean())
        .number("sd", m.sd())
        .number("threshold", m.threshold());
  }

  void print(Page page) {
    page.heading(
        "audit of %s: %s × %,d"
            .formatted(table.tensor(), Counted.of(audit.rows(), "row"), audit.width()));
    rules(page);
    page.gap().heading("candidates by " + audit.indicator().title());
    page.note(audit.why());
    audit.reference().ifPresent(r -> page.note(reference(r)));
    Measured ranking = audit.ranking();
    page.note(spread(ranking) + audit.underTrainedText());
    candidates(page);
    page.gap();
    page.note("tokens: " + classText());
    audit.notes().forEach(page::note);
  }

  private String spread(Measured ranking) {
    if (Double.isNaN(ranking.mean())) {
      return "no row of a token is finite, so there is nothing to rank; ";
    }
    String mean = String.format(Locale.ROOT, "mean %.4g ± %.2g; ", ranking.mean(), ranking.sd());
    return Double.isNaN(ranking.threshold())
        ? mean + "no token that text can hold has a finite row, so there are no candidates; "
        : String.format(
            Locale.ROOT,
            "%s%s at or below %.4g, the lowest 2 %% of any table; ",
            mean,
            Counted.of(audit.candidates().size(), "token"),
            ranking.threshold());
  }

  private void rules(Page page) {
    Grid grid = new Grid();
    for (Rule rule : Rule.values()) {
      List<Finding> found = audit.found(rule);
      boolean broken = rule == Rule.NON_FINITE || rule == Rule.TOKEN_WITHOUT_ROW;
      Style style = found.isEmpty() ? Style.FAINT : broken ? Style.BAD : Style.PLAIN;
      grid.row(
          Grid.left(rule.label(), Style.FAINT),
          Grid.right(String.format(Locale.ROOT, "%,d", found.size()), style),
          Grid.left(named(found), Style.TOKEN));
    }
    page.grid(grid);
  }

  private String named(List<Finding> found) {
    String some =
        found.stream().limit(MOST_NAMED).map(this::name).collect(Collectors.joining("  "));
    return found.size() > MOST_NAMED ? some + "  …" : some;
  }

  private String name(Finding f) {
    return Visible.clipped(asked.name(f.id()), 14) + " #" + f.id();
  }

  private static String reference(Reference r) {
    return "reference: %s, %s (%s)"
        .formatted(
            Counted.of(r.ids().length, "row"), r.kind().title(), Ranges.of(r.ids(), MOST_RUNS));
  }

  private void candidates(Page page) {
    Grid grid = new Grid();
    int rank = 0;
    for (Audit.Candidate c : audit.candidates().subList(0, shown())) {
      grid.row(
          Grid.right(String.valueOf(++rank), Style.FAINT),
          Grid.left(Visible.clipped(asked.name(c.id()), 32), Style.TOKEN),
          Grid.right("#" + c.id(), Style.FAINT),
          Grid.right(String.format(Locale.ROOT, "%.6f", c.value()), Style.PLAIN),
          Grid.right(String.format(Locale.ROOT, "%+.2f sd", c.z()), Style.FAINT));
    }
    page.grid(grid);
  }

  private String classText() {
    return Arrays.stream(TokenClass.values())
        .filter(c -> audit.classes().count(c) > 0)
        .map(c ->
            "%,d %s"
                .formatted(
                    audit.classes().count(c), c == TokenClass.NONE ? "without a token" : c.label()))
        .collect(Collectors.joining(", "));
  }

  /** Returns why a check of the user's failed. */
  String failure() {
    return "the audit fails: "
        + violations.stream().map(this::failure).collect(Collectors.joining("; "));
  }

  private String failure(FailRule.Violation violation) {
    return "%,d %s (%s), %,d allowed"
        .formatted(
            violation.found().size(),
            violation.condition().rule().title(),
            violation.found().stream()
                    .limit(MOST_NAMED)
                    .map(this::name)
                    .collect(Collectors.joining(", "))
                + (violation.found().size() > MOST_NAMED ? ", …" : ""),
            violation.condition().allowed());
  }
}

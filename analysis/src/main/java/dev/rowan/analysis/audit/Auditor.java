package dev.rowan.analysis.audit;

import dev.rowan.core.Workers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The steps of an audit: what {@link Audit#of} does. */
final class Auditor {
  private final Audit.Subject subject;
  private final AuditOptions options;
  private final Workers workers;
  private final RowScan scan;
  private final RowScan scoring;
  private final TokenClasses classes;
  private final List<String> notes = new ArrayList<>();

  Auditor(Audit.Subject subject, AuditOptions options, Workers workers) {
    this.subject = subject;
    this.options = options;
    this.workers = workers;
    long most = Math.max(subject.table().rows(), subject.scoring().rows());
    if (most > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the table has %,d rows; an audit takes at most 2^31".formatted(most));
    }
    this.scan = RowScan.of(subject.table(), workers);
    this.scoring =
        subject.scoring() == subject.table() ? scan : RowScan.of(subject.scoring(), workers);
    this.classes = TokenClasses.of(subject.vocabulary(), scan.rows(), subject.encoder(), workers);
  }

  Audit audit() {
    Optional<Reference> reference = reference();
    Indicator chosen = indicator(reference);
    List<Measured> measured = new ArrayList<>();
    long componentRows = 0;
    double[] alongMean = null;
    if (reference.isPresent()) {
      Indicators.Computed computed = Indicators.of(scoring, reference.get(), workers);
      measured.addAll(
          Indicators.measured(
              computed.values(), scoringClasses(), options.thresholdShare(), workers));
      componentRows = computed.componentRows();
      alongMean = scoring == scan ? computed.alongMean() : null;
    }
    measured.add(
        Measured.of(Indicator.NORM, Indicators.norms(scan), classes, options.thresholdShare()));
    measured.sort(
        Comparator.comparing(
            (Measured m) -> m.indicator() != chosen)); // stable: the chosen one first
    Measured ranking = measured.getFirst();
    Cutoff cutoff = Cutoff.of(ranking, reference, classes);
    Norms norms = Norms.of(scan);
    Map<Rule, List<Finding>> findings = rows(norms, alongMean);
    findings.put(Rule.UNDER_TRAINED, underTrained(ranking, cutoff));
    explain(reference);
    return new Audit(
        scan.rows(),
        subject.table().width(),
        chosen,
        why(chosen, reference),
        reference,
        measured,
        componentRows,
        cutoff.value(),
        cutoff.why(),
        candidates(ranking),
        findings,
        classes,
        norms,
        notes);
  }

  private TokenClasses scoringClasses() {
    return scoring.rows() == scan.rows()
        ? classes
        : TokenClasses.of(subject.vocabulary(), scoring.rows(), subject.encoder(), workers);
  }

  private Optional<Reference> reference() {
    Optional<Reference> named = options.reference();
    if (named.isEmpty()) {
      return Reference.find(subject.vocabulary(), scoringClasses(), scoring);
    }
    for (long id : named.get().ids()) {
      subject.scoring().checkId(id);
      if (!scoring.isUsable((int) id)) {
        throw new IllegalArgumentException(
            "reference row #%d is zero or not finite, so it has no direction; name others"
                .formatted(id));
      }
    }
    return named;
  }

  private Indicator indicator(Optional<Reference> reference) {
    if (options.indicator().isPresent()) {
      Indicator wanted = options.indicator().get();
      if (wanted.needsReference() && reference.isEmpty()) {
        throw new IllegalArgumentException(
            "the indicator %s needs rows that are known to be unused, and none were found; name some"
                .formatted(wanted.label()));
      }
      return wanted;
    }
    return subject.tie().isTied() && reference.isPresent() ? Indicator.COSINE : Indicator.NORM;
  }

  private String why(Indicator chosen, Optional<Reference> reference) {
    if (options.indicator().isPresent()) {
      return "as asked for";
    }
    if (chosen == Indicator.COSINE) {
      return "the tables are tied, so training at the output moves every row and norms tell little";
    }
    return switch (subject.tie()) {
      case TIED, TIED_STORED_TWICE ->
          reference.isEmpty()
              ? "the tables are tied, but no rows are known to be unused; norms are a weak sign here"
              : "the tables are tied";
      case UNTIED ->
          "the tables are apart, so the input row of a token that was never seen stays small";
      case NO_OUTPUT, UNKNOWN -> "there is no output table to look at";
    };
  }

  private void explain(Optional<Reference> reference) {
    if (reference.isEmpty() && subject.vocabulary().isPresent()) {
      notes.add(
          "no rows are known to be unused: no impossible bytes, no declared unused tokens, no rows without a token, no shadowed bytes");
    }
    if (subject.vocabulary().isEmpty()) {
      notes.add("there is no vocabulary, so rows go by their ids and classes are unknown");
    } else if (subject.encoder().isEmpty()) {
      notes.add("there is no tokenizer that can encode, so no token was tried for reachability");
    }
    notes.add(
        "candidates are not verdicts: whether the model handles a token shows only when it is asked to repeat it");
  }

  private Map<Rule, List<Finding>> rows(Norms norms, double @Nullable [] alongMean) {
    Map<Rule, List<Finding>> found = new EnumMap<>(Rule.class);
    found.put(Rule.ZERO, where(Rule.ZERO, id -> scan.norm(id) == 0, "every number is 0"));
    found.put(Rule.CONSTANT, where(Rule.CONSTANT, scan::isConstant, "all numbers are the same"));
    found.put(
        Rule.NON_FINITE,
        where(Rule.NON_FINITE, id -> !scan.isFinite(id), "holds a NaN or an infinity"));
    found.put(Rule.DENORMAL, where(Rule.DENORMAL, scan::isDenormal, "holds denormal numbers"));
    Duplicates duplicates = Duplicates.of(scan);
    found.put(Rule.DUPLICATE, duplicates.findings());
    found.put(Rule.NEAR_DUPLICATE, near(duplicates));
    found.put(Rule.NORM_OUTLIER, norms.outliers(scan, options.outlierZ()));
    double[] along =
        alongMean == null
            ? Projection.of(Projection.chunks(scan.table(), 1), scan.mean(), 1, workers)
            : alongMean;
    found.put(Rule.INITIALISATION, new Initial(scan, along).findings(norms, options.initialSd()));
    tokens(found);
    return found;
  }

  private List<Finding> near(Duplicates duplicates) {
    if (options.nearCosine() >= 2 || scan.finite() < 2) {
      return List.of();
    }
    NearDuplicates near = NearDuplicates.of(scan, duplicates, options.nearCosine(), workers);
    if (!near.done()) {
      notes.add(
          "near duplicates were not searched: %,d pairs of rows are too close to be told apart cheaply; raise the limit"
              .formatted(near.pairs()));
    }
    return near.findings();
  }

  private void tokens(Map<Rule, List<Finding>> found) {
    List<Finding> rowsWithout = new ArrayList<>();
    List<Finding> tokensWithout = new ArrayList<>();
    subject
        .vocabulary()
        .ifPresent(known -> {
          for (int id = 0; id < scan.rows(); id++) {
            if (!known.has(id)) {
              rowsWithout.add(
                  new Finding(Rule.ROW_WITHOUT_TOKEN, id, scan.norm(id), -1, "has no token"));
            }
          }
          for (int id = scan.rows(); id < known.size(); id++) {
            if (known.has(id)) {
              tokensWithout.add(
                  new Finding(
                      Rule.TOKEN_WITHOUT_ROW,
                      id,
                      Double.NaN,
                      -1,
                      "the table ends at row #" + (scan.rows() - 1)));
            }
          }
        });
    found.put(Rule.ROW_WITHOUT_TOKEN, rowsWithout);
    found.put(Rule.TOKEN_WITHOUT_ROW, tokensWithout);
  }

  private interface Test {
    boolean holds(int id);
  }

  private List<Finding> where(Rule rule, Test test, String reason) {
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < scan.rows(); id++) {
      if (test.holds(id)) {
        found.add(new Finding(rule, id, scan.norm(id), -1, reason));
      }
    }
    return found;
  }

  private List<Finding> underTrained(Measured ranking, Cutoff cutoff) {
    List<Finding> found = new ArrayList<>();
    for (int id = 0; id < Math.min(scan.rows(), ranking.values().length); id++) {
      if (classes.of(id).isCandidate() && ranking.of(id) <= cutoff.value()) {
        found.add(new Finding(Rule.UNDER_TRAINED, id, ranking.of(id), -1, ranking::text));
      }
    }
    return found;
  }

  private List<Audit.Candidate> candidates(Measured ranking) {
    int count = Math.min(scan.rows(), ranking.values().length);
    return IntStream.range(0, count)
        .filter(id -> classes.of(id).isCandidate() && ranking.of(id) <= ranking.threshold())
        .boxed()
        .sorted(Comparator.comparingDouble((Integer id) -> ranking.of(id)).thenComparing(id -> id))
        .map(id -> new Audit.Candidate(id, ranking.of(id), ranking.z(ranking.of(id))))
        .toList();
  }
}

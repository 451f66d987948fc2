package dev.rowan.app.web;

import dev.rowan.analysis.audit.Audit;
import dev.rowan.analysis.audit.AuditOptions;
import dev.rowan.analysis.audit.Encoder;
import dev.rowan.analysis.audit.Finding;
import dev.rowan.analysis.audit.Measured;
import dev.rowan.analysis.audit.Rule;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Suspicious rows. */
final class AuditEndpoints {
  private static final int MOST_CANDIDATES = 100;
  private static final int MOST_FINDINGS = 40; // of a rule; their number is told

  private final ServedModels models;
  private final Map<ServedModel, Audited> known = new ConcurrentHashMap<>();

  AuditEndpoints(ServedModels models) {
    this.models = models;
  }

  /** A token that training may not have reached. */
  record Suspect(String token, long id, double value, double z, String reason) {}

  /**
   * A row that a rule found.
   *
   * @param other the row that it is like, if the rule is about pairs
   */
  record Found(String token, long id, OptionalLong other, String reason) {}

  /**
   * What a rule found.
   *
   * @param count how many; {@code first} lists the first of them
   */
  record RuleFound(String rule, String title, long count, List<Found> first) {}

  /** What an audit found, with the options that the command line has unless told otherwise. */
  record Audited(
      String tensor,
      long rows,
      long width,
      String indicator,
      String indicatorReason,
      double mean,
      double sd,
      double threshold,
      long candidateCount,
      List<Suspect> candidates,
      List<RuleFound> rules,
      List<String> notes) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.of(
            Api.ROOT + "audit",
            "Finds suspicious rows while the connection lasts. Events: audit, failed, done.",
            List.of(Api.model()),
            Endpoint.EVENTS,
            Optional.of(Audited.class),
            this::audit));
  }

  private Answer audit(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    return new Answer.Events(listener -> {
      Audited audited = known.get(served);
      if (audited == null) {
        audited = audited(served);
        known.put(served, audited);
      }
      listener.event("audit", audited);
    });
  }

  private static Audited audited(ServedModel served) throws IOException {
    NamedTable table = served.table();
    Lexicon model = served.lexicon();
    Optional<Encoder> encoder = served.tokenizer().map(tokenizer -> tokenizer::encode);
    Optional<NamedTable> output = model.tie().isTied() ? Optional.empty() : model.output();
    Audit audit =
        Audit.of(
            new Audit.Subject(
                table.table(),
                output.map(NamedTable::table).orElse(table.table()),
                model.tie(),
                model.vocabulary(),
                encoder),
            AuditOptions.DEFAULT,
            served.workers());
    List<Suspect> suspects = new ArrayList<>();
    for (Audit.Candidate c : audit.candidates().stream().limit(MOST_CANDIDATES).toList()) {
      suspects.add(new Suspect(served.asked().text(c.id()), c.id(), c.value(), c.z(), c.reason()));
    }
    List<RuleFound> rules = new ArrayList<>();
    for (Rule rule : Rule.values()) {
      List<Found> first = new ArrayList<>();
      for (Finding f : audit.found(rule).stream().limit(MOST_FINDINGS).toList()) {
        first.add(
            new Found(
                served.asked().text(f.id()),
                f.id(),
                f.other() < 0 ? OptionalLong.empty() : OptionalLong.of(f.other()),
                f.reason()));
      }
      rules.add(new RuleFound(rule.label(), rule.title(), audit.found(rule).size(), first));
    }
    Measured ranking = audit.ranking();
    return new Audited(
        table.tensor(),
        audit.rows(),
        audit.width(),
        audit.indicator().title(),
        audit.why(),
        ranking.mean(),
        ranking.sd(),
        ranking.threshold(),
        audit.candidates().size(),
        suspects,
        rules,
        audit.notes());
  }
}

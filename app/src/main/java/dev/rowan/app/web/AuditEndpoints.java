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
  private final Map<ServedModel, Done> known = new ConcurrentHashMap<>();

  /**
   * Rules by how much they say about a row, most first: a row that several found gets the first.
   */
  private static final List<Rule> ORDER =
      List.of(
          Rule.NON_FINITE,
          Rule.ZERO,
          Rule.CONSTANT,
          Rule.DENORMAL,
          Rule.INITIALISATION,
          Rule.DUPLICATE,
          Rule.UNDER_TRAINED,
          Rule.NEAR_DUPLICATE,
          Rule.NORM_OUTLIER,
          Rule.ROW_WITHOUT_TOKEN);

  /** An audit, and one byte a row: 0 for nothing, else the place of a rule in its list, from 1. */
  @SuppressWarnings("ArrayRecordComponent") // carries bytes to the wire, never compared
  private record Done(Audited audited, byte[] marks) {}

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
            this::audit),
        Endpoint.of(
            Api.ROOT + "audit/marks",
            "One byte a row, once an audit was made: 0 for no finding, else the place of a rule in"
                + " the audit's list of rules, from 1; of several the gravest.",
            List.of(Api.model()),
            Endpoint.BINARY,
            Optional.empty(),
            this::marks));
  }

  private Answer audit(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    return new Answer.Events(listener -> {
      Done done = known.get(served);
      if (done == null) {
        done = audited(served);
        known.put(served, done);
      }
      listener.event("audit", done.audited());
    });
  }

  private Answer marks(Question question) throws IOException {
    Done done = known.get(models.model(question.optionalText("model")));
    if (done == null) {
      throw new Refusal(409, "this model was not audited yet; ask " + Api.ROOT + "audit first");
    }
    return new Answer.Bytes(done.marks(), Endpoint.BINARY);
  }

  private static byte[] marks(Audit audit) {
    byte[] marks = new byte[Math.toIntExact(audit.rows())];
    List<Rule> listed = List.of(Rule.values());
    for (Rule rule : ORDER.reversed()) {
      byte place = (byte) (listed.indexOf(rule) + 1);
      for (Finding finding : audit.found(rule)) {
        if (finding.id() >= 0 && finding.id() < marks.length) {
          marks[(int) finding.id()] = place;
        }
      }
    }
    return marks;
  }

  private static Done audited(ServedModel served) throws IOException {
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
      suspects.add(
          new Suspect(served.asked().text(c.id()), c.id(), c.value(), c.z(), audit.reason(c)));
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
    Audited audited =
        new Audited(
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
    return new Done(audited, marks(audit));
  }
}

package dev.rowan.analysis.eval;

import dev.rowan.analysis.eval.AnalogyScores.Tally;
import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.EvalRules.Unknown;
import dev.rowan.core.AnalogyBatch;
import dev.rowan.core.Hit;
import dev.rowan.core.Metric;
import dev.rowan.core.Query;
import dev.rowan.core.Scope;
import dev.rowan.core.Search;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Answers the questions of a test set and marks the answers. */
final class AnalogyMarking {
  /** How many rows gensim looks at. */
  private static final int GENSIM_LOOKS = 5;

  private static final int INPUTS = 3;

  private final Search search;
  private final WordRows rows;
  private final EvalRules rules;
  private final AnalogyBatch.Rule rule;
  private final Scope.Range scope;

  AnalogyMarking(Search search, WordRows rows, EvalRules rules, AnalogyBatch.Rule rule) {
    this.search = search;
    this.rows = rows;
    this.rules = rules;
    this.rule = rule;
    this.scope = new Scope.Range(0, rows.limit());
  }

  /** A question whose words have rows. */
  private record Asked(AnalogyBatch.Question ids, TestSet.Question words, Set<String> right) {
    boolean isInput(long id) {
      return id == ids.a() || id == ids.b() || id == ids.c();
    }
  }

  List<AnalogyScores.Section> sections(TestSet.Analogies set, long seed) {
    List<List<Asked>> asked =
        set.sections().stream()
            .map(s -> s.questions().stream().map(this::asked).flatMap(Optional::stream).toList())
            .toList();
    List<Asked> all = asked.stream().flatMap(List::stream).toList();
    int k = rules.policy() == Policy.GENSIM ? GENSIM_LOOKS + INPUTS : 1 + INPUTS;
    List<List<Hit>> answers =
        AnalogyBatch.nearest(search, all.stream().map(Asked::ids).toList(), rule, k, scope);
    Map<Long, List<Hit>> neighbours = neighbours(all);
    List<AnalogyScores.Section> sections = new ArrayList<>();
    int next = 0;
    for (int s = 0; s < asked.size(); s++) {
      TestSet.Section section = set.sections().get(s);
      int first = next;
      next += asked.get(s).size();
      Tally tally = tally(section, asked.get(s), answers.subList(first, next), neighbours);
      sections.add(
          new AnalogyScores.Section(
              section.name(), tally, RelationDirections.of(search, pairs(section), seed)));
    }
    return sections;
  }

  private Optional<Asked> asked(TestSet.Question question) {
    OptionalLong a = rows.row(question.a());
    OptionalLong b = rows.row(question.b());
    OptionalLong c = rows.row(question.c());
    Set<String> right =
        question.expected().stream()
            .filter(word -> rows.row(word).isPresent())
            .map(rows::form)
            .collect(Collectors.toUnmodifiableSet());
    if (a.isEmpty() || b.isEmpty() || c.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    AnalogyBatch.Question ids =
        new AnalogyBatch.Question(a.getAsLong(), b.getAsLong(), c.getAsLong());
    return Optional.of(new Asked(ids, question, right));
  }

  /** Returns the nearest rows of each c, enough to leave the inputs out. */
  private Map<Long, List<Hit>> neighbours(List<Asked> all) {
    Map<Long, Query> queries = new TreeMap<>();
    for (Asked question : all) {
      long c = question.ids().c();
      queries.computeIfAbsent(c, id -> Query.row(search.table(), id));
    }
    List<List<Hit>> hits =
        search.nearest(List.copyOf(queries.values()), Metric.COSINE, INPUTS, scope);
    Map<Long, List<Hit>> neighbours = new HashMap<>();
    int i = 0;
    for (long c : queries.keySet()) {
      neighbours.put(c, hits.get(i++));
    }
    return neighbours;
  }

  private Tally tally(
      TestSet.Section section,
      List<Asked> asked,
      List<List<Hit>> answers,
      Map<Long, List<Hit>> neighbours) {
    int raw = 0;
    int excluding = 0;
    int already = 0;
    int arithmetic = 0;
    for (int i = 0; i < asked.size(); i++) {
      Asked question = asked.get(i);
      List<Hit> hits = answers.get(i);
      boolean right = isRight(question, hits);
      boolean before =
          neighbours.getOrDefault(question.ids().c(), List.of()).stream()
              .filter(hit -> !question.isInput(hit.id()))
              .findFirst()
              .map(hit -> names(question, hit))
              .orElse(false);
      raw += !hits.isEmpty() && names(question, hits.getFirst()) ? 1 : 0;
      excluding += right ? 1 : 0;
      already += before ? 1 : 0;
      arithmetic += right && !before ? 1 : 0;
    }
    int total = section.questions().size();
    int unknown = total - asked.size();
    int used = rules.unknown() == Unknown.ZERO ? total : asked.size();
    return new Tally(total, unknown, used, raw, excluding, already, arithmetic);
  }

  private boolean names(Asked question, Hit hit) {
    return question.right().contains(rows.form(hit.id()));
  }

  private boolean isRight(Asked question, List<Hit> hits) {
    List<Hit> others = hits.stream().filter(hit -> !question.isInput(hit.id())).toList();
    return switch (rules.policy()) {
      case ROWAN -> !others.isEmpty() && names(question, others.getFirst());
      // its list of best scores starts at 0, so that a question without a positive one has no
      // answer
      case WORD2VEC ->
          !others.isEmpty() && others.getFirst().score() > 0 && names(question, others.getFirst());
      case GENSIM -> gensimIsRight(question, others);
    };
  }

  /** The first of five that has no input's form; if all five have one, the last of them. */
  private boolean gensimIsRight(Asked question, List<Hit> others) {
    Set<String> inputs =
        Set.copyOf(
            List.of(
                rows.form(question.words().a()),
                rows.form(question.words().b()),
                rows.form(question.words().c())));
    Optional<String> predicted = Optional.empty();
    for (Hit hit : others.subList(0, Math.min(GENSIM_LOOKS, others.size()))) {
      String form = rows.form(hit.id());
      predicted = Optional.of(form);
      if (!inputs.contains(form)) {
        break;
      }
    }
    return predicted.map(question.right()::contains).orElse(false);
  }

  private List<RelationDirections.Pair> pairs(TestSet.Section section) {
    List<RelationDirections.Pair> pairs = new ArrayList<>();
    for (TestSet.RelationPair pair : section.pairs()) {
      OptionalLong from = rows.row(pair.from());
      OptionalLong to = rows.row(pair.to());
      if (from.isPresent() && to.isPresent()) {
        pairs.add(new RelationDirections.Pair(from.getAsLong(), to.getAsLong()));
      }
    }
    return pairs.stream().distinct().toList();
  }
}

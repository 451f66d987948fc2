package dev.rowan.app.cli;

import dev.rowan.analysis.eval.AnalogyScores;
import dev.rowan.analysis.eval.Correlation.Bootstrap;
import dev.rowan.analysis.eval.EvalRules;
import dev.rowan.analysis.eval.EvalRules.Policy;
import dev.rowan.analysis.eval.EvalRules.Spelling;
import dev.rowan.analysis.eval.EvalRules.Unknown;
import dev.rowan.analysis.eval.Evaluator;
import dev.rowan.analysis.eval.PairScores;
import dev.rowan.analysis.eval.TestSet;
import dev.rowan.core.AnalogyBatch.Rule;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Scores the table on test sets. */
@Command(
    name = "eval",
    description = {
      "Score the table on test sets: word pairs with a similarity (WordSim, SimLex, MEN, any file of"
          + " 'word word score'), analogy questions in the Google form, and relations in the BATS"
          + " form (a file or a folder).",
      "Every result says how much of the test set it is over and under whose rules."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan eval wordsim353.tsv simlex999.txt",
      "  rowan eval questions-words.txt",
      "  rowan eval --policy gensim questions-words.txt    gensim's numbers",
      "  rowan eval capitals.txt    pairs: how parallel are their offsets?"
    })
final class EvalCommand implements Verb {
  private static final double CONFIDENCE = 0.95;

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Test sets: files, or a folder of BATS files.")
  List<Path> files = List.of();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "Whose rules: rowan, gensim or word2vec (${DEFAULT-VALUE}).")
  PolicyName policy = PolicyName.rowan;

  @Option(
      names = "--restrict",
      paramLabel = "N",
      description =
          "Count the first N rows only, 0 for all; 300000 under gensim's rules, else all rows.")
  @Nullable Long restrict;

  @Option(names = "--match-case", description = "Tell upper from lower case.")
  boolean matchCase;

  @Option(
      names = "--unknown",
      paramLabel = "HOW",
      description =
          "skip pairs and questions with a word that has no row, or count them as zero"
              + " (${DEFAULT-VALUE}).")
  UnknownName unknown = UnknownName.skip;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "How analogies are answered: 3cosadd or 3cosmul (${DEFAULT-VALUE}).")
  String method = "3cosadd";

  @Option(
      names = "--as",
      paramLabel = "KIND",
      description = "What the files hold: pairs, google or bats; found out if not given.")
  @Nullable KindName kind;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description =
          "What stands between the fields of a pair: a character, tab or space. If not given: a tab"
              + " under gensim's rules, else whatever the file uses.")
  @Nullable String delimiter;

  @Option(
      names = "--resamples",
      paramLabel = "N",
      description = "Samples of the bootstrap (${DEFAULT-VALUE}).")
  int resamples = 2000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the bootstrap and of the comparisons with chance (${DEFAULT-VALUE}).")
  long seed = 42;

  /** Whose rules, as typed and as written in JSON. */
  enum PolicyName {
    rowan(Policy.ROWAN),
    gensim(Policy.GENSIM),
    word2vec(Policy.WORD2VEC);

    private final Policy policy;

    PolicyName(Policy policy) {
      this.policy = policy;
    }
  }

  /** What becomes of unknown words, as typed and as written in JSON. */
  enum UnknownName {
    skip(Unknown.SKIPPED),
    zero(Unknown.ZERO);

    private final Unknown unknown;

    UnknownName(Unknown unknown) {
      this.unknown = unknown;
    }
  }

  /** What a file holds, as typed. */
  enum KindName {
    pairs(TestSet.Kind.PAIRS),
    google(TestSet.Kind.GOOGLE),
    bats(TestSet.Kind.BATS);

    private final TestSet.Kind kind;

    KindName(TestSet.Kind kind) {
      this.kind = kind;
    }
  }

  @Override
  public void run(Session session) throws IOException {
    EvalRules rules = rules();
    Rule rule = rule();
    Bootstrap bootstrap = new Bootstrap(resamples, seed, CONFIDENCE);
    TestSet.Reading reading =
        new TestSet.Reading(Optional.ofNullable(kind).map(k -> k.kind), separator());
    List<TestSet> sets = new ArrayList<>();
    for (Path file : files) {
      sets.add(TestSet.read(file, rules.policy(), reading));
    }
    NamedTable table = session.table();
    Evaluator evaluator = Evaluator.of(session.lexicon(), session.search(table), rules);
    List<PairScores> pairs = new ArrayList<>();
    List<AnalogyScores> analogies = new ArrayList<>();
    try (Progress _ = session.progress("scoring")) {
      for (TestSet set : sets) {
        switch (set) {
          case TestSet.WordPairs words -> pairs.add(evaluator.pairs(words, bootstrap));
          case TestSet.Analogies asked -> analogies.add(evaluator.analogies(asked, rule, seed));
        }
      }
    }
    EvalReport report = new EvalReport(rules, rules.limit(table.table().rows()));
    session.answer(
        json -> report.write(json, pairs, analogies), page -> report.print(page, pairs, analogies));
  }

  private EvalRules rules() {
    EvalRules rules =
        EvalRules.of(policy.policy)
            .withUnknown(unknown.unknown)
            .withSpelling(matchCase ? Spelling.EXACT : Spelling.FOLDED);
    Long rows = restrict;
    if (rows == null) {
      return rules;
    }
    OutOfRange.atLeast("restrict", rows, 0);
    return rules.withRestrict(rows == 0 ? OptionalLong.empty() : OptionalLong.of(rows));
  }

  private Rule rule() {
    return switch (method.toLowerCase(Locale.ROOT)) {
      case "3cosadd" -> Rule.ADD;
      case "3cosmul" -> Rule.MULTIPLY;
      default ->
          throw new UseException(
              "--method %s: it takes 3cosadd or 3cosmul".formatted(Visible.quoted(method)));
    };
  }

  private OptionalInt separator() {
    String typed = delimiter;
    if (typed == null) {
      return OptionalInt.empty();
    }
    return switch (typed) {
      case "tab", "\\t" -> OptionalInt.of('\t');
      case "space" -> OptionalInt.of(' ');
      default -> {
        if (typed.length() != 1) {
          throw new UseException(
              "--delimiter %s: it takes one character, tab or space"
                  .formatted(Visible.quoted(typed)));
        }
        yield OptionalInt.of(typed.charAt(0));
      }
    };
  }
}

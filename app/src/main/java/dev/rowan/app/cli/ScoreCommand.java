package dev.rowan.app.cli;

import dev.rowan.analysis.output.FinalNorm;
import dev.rowan.analysis.output.OutputScorer;
import dev.rowan.analysis.output.OutputScores;
import dev.rowan.analysis.output.OutputSettings;
import dev.rowan.analysis.output.Scoring;
import dev.rowan.app.answers.Arithmetic;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.OutputTable;
import dev.rowan.core.Expression;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Query;
import dev.rowan.formats.Models;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The unembedding: what a vector scores against every row. */
@Command(
    name = "score",
    description = {
      "Show the tokens that a vector h scores highest: logits h·Eᵀ and their probabilities.",
      "h is a token's row of the input table, an expression of tokens, or a file of numbers. E is the"
          + " output table; the input table where the two are tied, or where the file has no other.",
      "What config.json says of the output (soft cap, scale) is done unless --plain is given."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan score cat",
      "  rowan score cat dog                        two vectors, one pass",
      "  rowan score king - man + woman             an expression",
      "  rowan score -k 20 --vector hidden.txt",
      "  rowan score --vector hidden.npy            a vector a row",
      "  rowan score cat --rank dog --rank kitten   where these two come in",
      "  rowan -m path/to/gpt2 score cat --final-norm"
    })
final class ScoreCommand implements Verb {
  private static final Set<String> OPERATORS = Set.of("+", "-", "−", "–");

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TOKEN",
      arity = "0..*",
      description = "Words, exact vocabulary strings, or #ID; apart by + and -, an expression.")
  List<String> tokens = new ArrayList<>();

  @Option(
      names = "--vector",
      paramLabel = "FILE",
      description = {
        "h as text: numbers apart by spaces, commas or lines, brackets ignored.",
        "Or a .npy file, a vector a row."
      })
  @Nullable Path vector;

  @Option(names = "-k", paramLabel = "N", description = "How many tokens (${DEFAULT-VALUE}).")
  int k = 10;

  @Option(
      names = "--rank",
      paramLabel = "TOKEN",
      description = "Show rank and probability of this token too; may be repeated.")
  List<String> ranked = new ArrayList<>();

  @Option(
      names = "--final-norm",
      paramLabel = "TENSOR",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Apply the model's last RMSNorm or LayerNorm to h first; TENSOR names its weights where the usual names do not find them.")
  @Nullable String finalNorm;

  @Option(
      names = "--temperature",
      paramLabel = "T",
      description = "Divide logits by T for probabilities (${DEFAULT-VALUE}).")
  double temperature = 1;

  @Option(names = "--soft-cap", paramLabel = "C", description = "Cap logits: C tanh(logit / C).")
  @Nullable Double softCap;

  @Option(names = "--scale", paramLabel = "S", description = "Multiply products by S.")
  @Nullable Double scale;

  @Option(names = "--plain", description = "Leave soft cap and scale of config.json away.")
  boolean plain;

  @Override
  public void run(Session session) throws IOException {
    NearCommand.checkK(k);
    OutputTable output = output(session);
    Lexicon model = session.lexicon();
    OutputSettings settings = OutputSettings.beside(model.origin().path());
    Scoring scoring = scoring(settings);
    List<ScoreAnswer.Hidden> hidden = hidden(session, output.table());
    Optional<FinalNorm> norm = norm(session, settings, output.table().table().width());
    List<Query> vectors =
        hidden.stream()
            .map(ScoreAnswer.Hidden::vector)
            .map(h -> norm.map(n -> n.applied(h)).orElse(h))
            .toList();
    List<Asking.Named> named = named(session, output.table());
    long[] ids = named.stream().mapToLong(Asking.Named::id).toArray();
    List<OutputScores> scores;
    try (Progress _ = session.progress("scoring")) {
      scores = OutputScorer.score(session.search(output.table()), vectors, scoring, k, ids);
    }
    Asked asked = session.asked();
    ScoreAnswer answer = new ScoreAnswer(output, scoring, norm, hidden, named, scores, asked);
    session.answer(answer::write, answer::print);
  }

  private Scoring scoring(OutputSettings settings) {
    Scoring said = plain ? Scoring.PLAIN : settings.scoring();
    Double s = scale;
    Double cap = softCap;
    return new Scoring(
        s == null ? said.scale() : s,
        cap == null ? said.softCap() : OptionalDouble.of(cap),
        temperature);
  }

  private List<Asking.Named> named(Session session, NamedTable table) throws IOException {
    Asking asking = new Asking(session, table);
    List<Asking.Named> named = new ArrayList<>();
    for (String token : ranked) {
      named.add(asking.named(token));
    }
    return named;
  }

  private List<ScoreAnswer.Hidden> hidden(Session session, NamedTable output) throws IOException {
    Path file = vector;
    if (tokens.isEmpty() == (file == null)) {
      String taken = finalNorm;
      throw new UseException(
          "score takes either a token or --vector FILE"
              + (taken == null || taken.isEmpty() || file != null
                  ? ""
                  : "; --final-norm took %s: put the token before it"
                      .formatted(Visible.quoted(taken))));
    }
    if (file != null) {
      return VectorFile.readAll(file, output.table().width()).stream().toList();
    }
    NamedTable input = session.lexicon().input();
    Asking asking = new Asking(session, input);
    boolean spelledOut = tokens.size() == 1 && tokens.getFirst().matches(".+ [-+−–] .+");
    boolean expression = spelledOut || tokens.stream().anyMatch(OPERATORS::contains);
    if (expression) {
      Arithmetic sum = Arithmetic.of(tokens, asking, session.asked());
      return List.of(
          new ScoreAnswer.Hidden(
              "h = " + sum.title(),
              sum.inputs(),
              sum.expression().evaluate(input.table(), Expression.Inputs.AS_STORED)));
    }
    List<ScoreAnswer.Hidden> hidden = new ArrayList<>();
    for (String token : tokens) {
      Asking.Point point = asking.point(token);
      hidden.add(
          new ScoreAnswer.Hidden(
              (point.ngrams() > 0 ? "h = the vector of " : "h = the input row of ") + point.title(),
              List.of(Arithmetic.Input.of(point)),
              point.query().excludingNothing()));
    }
    return hidden;
  }

  private Optional<FinalNorm> norm(Session session, OutputSettings settings, int width)
      throws IOException {
    String tensor = finalNorm;
    if (tensor == null) {
      return Optional.empty();
    }
    return Optional.of(
        FinalNorm.of(
            Models.tensors(session.lexicon().origin().path()),
            settings,
            width,
            tensor.isEmpty() ? null : tensor));
  }

  private static OutputTable output(Session session) throws IOException {
    Lexicon model = session.lexicon();
    Globals.TableChoice choice = session.globals().table;
    if (choice == Globals.TableChoice.input) {
      return new OutputTable(model.input(), "the input table, as --table input asks");
    }
    if (choice == Globals.TableChoice.output) {
      return new OutputTable(session.outputTable(), "as --table output asks");
    }
    return OutputTable.of(session);
  }
}

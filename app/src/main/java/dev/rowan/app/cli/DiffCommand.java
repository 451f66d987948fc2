package dev.rowan.app.cli;

import dev.rowan.analysis.compare.Differ;
import dev.rowan.analysis.compare.SharedRows;
import dev.rowan.analysis.compare.TableDiff;
import dev.rowan.app.answers.Asked;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.hub.Tables;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Two tables over their shared tokens. */
@Command(
    name = "diff",
    description = {
      "Compare two tables over the tokens they share: which rows moved and how far, whether one is a"
          + " rotation of the other, how many neighbours they have in common, and which tokens only"
          + " one of them has.",
      "Tokens are matched by their text, rows of models without a vocabulary by id."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan diff base tuned                     a model before and after fine-tuning",
      "  rowan diff default path/to/other.vec      two vocabularies"
    })
final class DiffCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "A", description = "A model, as -m takes it.")
  String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "Another.")
  String second = "";

  @Option(
      names = "--bands",
      paramLabel = "N",
      description = "How many bands of ids to tell apart (${DEFAULT-VALUE}).")
  int bands = 5;

  @Option(
      names = "-k",
      paramLabel = "N",
      description = "How many neighbours to compare, and moved rows to list (${DEFAULT-VALUE}).")
  int k = 10;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed that draws the rows whose neighbours are compared (${DEFAULT-VALUE}).")
  long seed = 42;

  @Override
  public void run(Session session) throws IOException {
    Differ.Settings settings = new Differ.Settings(bands, k, k, seed);
    boolean output = session.globals().table == Globals.TableChoice.output;
    Tables tables = output ? Tables.INPUT_AND_OUTPUT : Tables.INPUT;
    session.globals().nameModel("A", first);
    try (Lexicon a = session.open(tables)) {
      session.globals().model = second;
      try (Lexicon b = session.open(tables)) {
        NamedTable tableOfA = table(a, output, first);
        NamedTable tableOfB = table(b, output, second);
        SharedRows shared;
        TableDiff diff;
        try (Progress _ = session.progress("comparing")) {
          shared = SharedRows.of(a, tableOfA.table(), b, tableOfB.table());
          diff =
              Differ.diff(tableOfA.table(), tableOfB.table(), shared, settings, session.workers());
        }
        DiffReport report =
            new DiffReport(tableOfA, new Asked(a), tableOfB, new Asked(b), shared, diff);
        session.answer(report::write, report::print);
      }
    }
  }

  private static NamedTable table(Lexicon model, boolean output, String spec) {
    if (!output) {
      return model.input();
    }
    return model
        .output()
        .or(() -> model.tie().isTied() ? Optional.of(model.input()) : Optional.empty())
        .orElseThrow(() ->
            new UseException(
                "%s has no output table (%s); leave --table away to compare input tables"
                    .formatted(spec, model.tieEvidence())));
  }
}

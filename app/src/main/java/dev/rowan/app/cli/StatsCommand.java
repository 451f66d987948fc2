package dev.rowan.app.cli;

import dev.rowan.analysis.geometry.TableGeometry;
import dev.rowan.app.answers.Leaning;
import dev.rowan.core.NamedTable;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.RowStatistics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The geometry of the table. */
@Command(
    name = "stats",
    description = {
      "Show the geometry of the table: the mean cosine of all pairs of rows, norms, broken rows, how"
          + " cosines are spread with and without what all rows share, and the directions in which"
          + " rows differ most."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan stats", "  rowan --table output stats", "  rowan stats --directions 0"})
final class StatsCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Mixin ModelArgument argument = new ModelArgument();

  @Option(
      names = "--directions",
      paramLabel = "N",
      description =
          "How many principal directions (${DEFAULT-VALUE}); 0 for norms and mean cosine alone.")
  int count = 3;

  @Option(
      names = "--without",
      paramLabel = "N",
      description =
          "How many of the strongest directions to take away for the last line of the cosines; a"
              + " hundredth of the width if not given.")
  @Nullable Integer without;

  @Option(
      names = "--sample",
      paramLabel = "N",
      description = "How many rows the spread of cosines is from (${DEFAULT-VALUE}).")
  int sample = 2048;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed that draws them (${DEFAULT-VALUE}).")
  long seed = 42;

  @Override
  public void run(Session session) throws IOException {
    argument.choose(session);
    Integer removed = without;
    if (removed != null) {
      OutOfRange.atLeast("without", removed, 0);
    }
    TableGeometry.Settings settings =
        new TableGeometry.Settings(count, removed == null ? -1 : removed, sample, seed);
    NamedTable table = session.table();
    RowStatistics statistics;
    Optional<TableGeometry> geometry = Optional.empty();
    List<Leaning> leanings = List.of();
    try (Progress _ = session.progress("reading every row")) {
      statistics = table.table().statistics(session.workers());
      if (count > 0) {
        TableGeometry found = TableGeometry.of(table.table(), settings, session.workers());
        geometry = Optional.of(found);
        leanings = Leaning.of(session.search(table), found.pca(), count);
      }
    }
    StatsReport report =
        new StatsReport(session.asked(), table, statistics, geometry, leanings, seed);
    session.answer(report::write, report::print);
  }
}

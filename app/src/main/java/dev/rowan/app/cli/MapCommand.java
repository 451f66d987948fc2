package dev.rowan.app.cli;

import dev.rowan.analysis.map.MapMethod;
import dev.rowan.analysis.map.Mapper;
import dev.rowan.analysis.map.PcaSettings;
import dev.rowan.analysis.map.TableMap;
import dev.rowan.analysis.map.TsneSettings;
import dev.rowan.analysis.map.UmapSettings;
import dev.rowan.analysis.picture.Drawing;
import dev.rowan.app.answers.MapStory;
import dev.rowan.core.Counted;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.formats.file.NewFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A picture of rows. */
@Command(
    name = "map",
    description = {
      "Draw rows on a plane and say how far to trust the picture.",
      "Rows are those of WORDS, of a file of words, of a range of ids or of the whole vocabulary;"
          + " without any, those of the 48 words of the tour. Words beside --rows or --all stand"
          + " out among the others."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan map",
      "  rowan map cat dog lion car bus train -o map.svg",
      "  rowan map --words list.tsv -o map.png    a word a line, and its group",
      "  rowan map --rows 2000:4000 --method tsne -o map.svg",
      "  rowan map --all --method tsne king queen paris -o map.svg -o map.tsv"
    })
final class MapCommand implements Verb {
  /** Fewer have no neighbourhood to keep or to lose. */
  static final int LEAST_POINTS = 3;

  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "WORDS",
      arity = "0..*",
      description = "Words, exact vocabulary strings, or #IDs.")
  List<String> words = List.of();

  @Option(
      names = "--words",
      paramLabel = "FILE",
      description = "A word a line; behind a tab, the group it belongs to.")
  @Nullable Path wordFile;

  @Option(
      names = "--rows",
      paramLabel = "FROM:TO",
      description =
          "Rows FROM to TO−1: where a vocabulary is ordered by frequency, the more and less"
              + " frequent ones.")
  @Nullable String rows;

  @Option(names = "--all", description = "Every row.")
  boolean all;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "pca, tsne or umap (${DEFAULT-VALUE}).")
  MethodName method = MethodName.pca;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description =
          "cosine or euclidean (${DEFAULT-VALUE}): what near means, for t-SNE, UMAP and the measure"
              + " of quality.")
  MetricName metric = MetricName.cosine;

  @Option(
      names = "--perplexity",
      paramLabel = "N",
      description = "t-SNE: how many neighbours a row takes seriously (30).")
  @Nullable Double perplexity;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "t-SNE: steps, a third of them to form islands (750).")
  @Nullable Integer iterations;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of everything random (${DEFAULT-VALUE}); the same seed draws the same map.")
  long seed = 1;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write: .svg, .png, .json or .tsv. May come several times.")
  List<String> outputs = List.of();

  @Mixin ForceOption existing = new ForceOption();

  /** A way to map. */
  enum MethodName {
    pca,
    tsne,
    umap
  }

  /** How rows are compared. */
  enum MetricName {
    cosine(Metric.COSINE),
    euclidean(Metric.EUCLIDEAN);

    private final Metric metric;

    MetricName(Metric metric) {
      this.metric = metric;
    }
  }

  @Override
  public void run(Session session) throws IOException {
    List<MapFile> files = outputs.stream().map(MapFile::of).toList();
    existing.check(
        files.stream().map(MapFile::path).toList(),
        ForceOption.inputs(session.modelSpec(), session.globals().tokenizer, wordFile));
    MapMethod asked = settings();
    NamedTable table = session.table();
    long count = table.table().rows();
    long[] range = rows == null ? new long[] {0, all ? count : 0} : range(rows, count);
    if (rows != null && all) {
      throw new UseException("--rows and --all: every row is on the map already; leave one away");
    }
    List<MapWord> wanted = wanted();
    MapSelection selection = MapSelection.of(session, table, wanted, range[0], range[1]);
    if (!session.globals().json) {
      selection.notMapped().forEach(word -> session.remark("left out: " + word.reason()));
    }
    try (InterruptOnExit _ = InterruptOnExit.guard()) {
      WordMap map = map(session, table, selection, asked);
      List<String> written = new ArrayList<>();
      if (!files.isEmpty()) {
        Drawing drawing = map.picture().draw();
        Map<Path, NewFiles.Writing> writings = new LinkedHashMap<>();
        for (MapFile file : files) {
          writings.put(file.path(), place -> file.write(place, map, drawing));
          written.add(line(file, drawing, map));
        }
        existing.write(writings);
      }
      session.answer(
          json -> MapAnswer.write(json, map), page -> MapAnswer.print(page, map, written));
    }
  }

  /** Maps a selection, at least {@value #LEAST_POINTS} rows. */
  static WordMap map(Session session, NamedTable table, MapSelection selection, MapMethod asked)
      throws IOException {
    long[] ids = selection.ids();
    if (ids.length < LEAST_POINTS) {
      throw new UseException(
          "a map takes %d rows or more, not %d; name more words, or --rows FROM:TO or --all"
              .formatted(LEAST_POINTS, ids.length));
    }
    try (MapProgress progress = session.mapProgress(MapStory.name(asked))) {
      TableMap map = Mapper.over(table.table(), session.workers()).map(asked, progress, ids);
      return new WordMap(session, table, selection, map);
    }
  }

  private static String line(MapFile file, Drawing drawing, WordMap map) {
    String path = Visible.message(file.path().toString());
    boolean pictured = file.kind() == MapFile.Kind.svg || file.kind() == MapFile.Kind.png;
    return pictured && drawing.labelled() < map.map().points()
        ? "%s: %,d points, %s"
            .formatted(path, map.map().points(), Counted.of(drawing.labelled(), "label"))
        : "%s: %,d points".formatted(path, map.map().points());
  }

  private List<MapWord> wanted() throws IOException {
    List<MapWord> wanted = new ArrayList<>();
    Path file = wordFile;
    if (file != null) {
      wanted.addAll(MapWord.read(file));
    }
    words.forEach(word -> wanted.add(new MapWord(word, "")));
    return wanted.isEmpty() && rows == null && !all ? MapWord.ofTour() : wanted;
  }

  private MapMethod settings() {
    Double sized = perplexity;
    Integer steps = iterations;
    if (method != MethodName.tsne && (sized != null || steps != null)) {
      throw new UseException(
          "--perplexity and --iterations belong to t-SNE; add --method tsne or leave them away");
    }
    return switch (method) {
      case pca -> PcaSettings.defaults().withMetric(metric.metric).withSeed(seed);
      case umap -> UmapSettings.defaults().withMetric(metric.metric).withSeed(seed);
      case tsne -> {
        TsneSettings tsne = TsneSettings.defaults().withMetric(metric.metric).withSeed(seed);
        if (sized != null) {
          tsne = tsne.withPerplexity(sized);
        }
        yield steps == null ? tsne : tsne.withSchedule(tsne.schedule().withIterations(steps));
      }
    };
  }

  /** Returns the first row and the row after the last. */
  private static long[] range(String typed, long count) {
    int colon = typed.indexOf(':');
    try {
      String from = typed.substring(0, Math.max(0, colon)).strip();
      String to = typed.substring(colon + 1).strip();
      long first = from.isEmpty() ? 0 : Long.parseLong(from);
      long end = to.isEmpty() ? count : Long.parseLong(to);
      if (colon >= 0 && first >= 0 && end > first && end <= count) {
        return new long[] {first, end};
      }
    } catch (NumberFormatException _) {
      // said below, with every other thing that can be wrong
    }
    throw new UseException(
        "--rows %s: it takes FROM:TO with 0 <= FROM < TO <= %,d, this table's rows"
            .formatted(Visible.quoted(typed), count));
  }
}

package dev.rowan.app.cli;

import dev.rowan.analysis.map.PcaSettings;
import dev.rowan.analysis.picture.Drawing;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.answers.TableFigures;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Analogy;
import dev.rowan.core.Counted;
import dev.rowan.core.Expression;
import dev.rowan.core.Hit;
import dev.rowan.core.Lexicon;
import dev.rowan.core.Metric;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Search;
import dev.rowan.text.Resolution;
import dev.rowan.text.Resolution.Single;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The whole story in one command. */
@Command(
    name = "tour",
    description = {
      "Walk through a model's table: lookup, a corner, neighbours, arithmetic, a map, the output."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan tour", "  rowan -m path/to/gpt2 tour"})
final class TourCommand implements Verb {
  private static final List<String> CORNER = List.of("cat", "dog", "three", "four", "king");
  private static final List<String> NEAR = List.of("cat", "three");
  private static final List<List<String>> ANALOGIES =
      List.of(
          List.of("king", "man", "woman"),
          List.of("Paris", "France", "Germany"),
          List.of("doctor", "man", "woman"));

  @Mixin HelpOption help = new HelpOption();

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description =
          "Where to write the map of 48 words, .svg or .png; tour-map.svg in the cache folder if not"
              + " given.")
  @Nullable String picture;

  @Mixin ForceOption existing = new ForceOption();

  @Override
  public void run(Session session) throws IOException {
    if (session.globals().json) {
      throw new UseException("tour is for reading; --json is there for each of its verbs");
    }
    String named = picture;
    Optional<MapFile> file = Optional.ofNullable(named).map(MapFile::of);
    existing.check(
        file.map(MapFile::path).stream().toList(),
        ForceOption.inputs(session.modelSpec(), session.globals().tokenizer));
    NamedTable table = session.table();
    if (session.lexicon().vocabulary().isEmpty()) {
      throw new UseException(
          "tour needs tokens and this model has no vocabulary; name one with --tokenizer");
    }
    Tour tour = new Tour(session, table, session.asked());
    tour.lookup();
    tour.corner();
    tour.neighbours();
    tour.analogies();
    tour.map(file, existing);
    tour.output();
  }

  /** The stops. */
  private record Tour(Session session, NamedTable table, Asked asked) {

    private Page stop(int number, String title) {
      Page page = session.page();
      if (number > 1) {
        page.gap();
      }
      return page.heading(number + ". " + title).gap();
    }

    void lookup() throws IOException {
      Lexicon model = session.lexicon();
      Page page = stop(1, "An embedding table is looked up, not multiplied");
      page.prose(
          "%s holds %s of %s: one row for each token."
              .formatted(
                  table.tensor(),
                  Counted.of(table.table().rows(), "row"),
                  Counted.of(table.table().width(), "number")));
      TableFigures.of(model)
          .share()
          .ifPresent(share ->
              page.prose(
                  "That is %.0f %% of the model's %,d parameters."
                      .formatted(100 * share, model.modelParameters().orElseThrow())));
      model.origin().notes().forEach(page::note);
      page.gap();
      StepCommand.printToy(page, table);
      session.show(page);
    }

    void corner() throws IOException {
      Page page = stop(2, "What rows look like");
      List<Long> ids = new ArrayList<>();
      List<float[]> values = new ArrayList<>();
      for (String word : CORNER) {
        id(word).ifPresent(ids::add);
      }
      int width = Math.min(table.table().width(), Math.clamp((page.columns() - 30) / 9, 2, 8));
      for (long id : ids) {
        values.add(Arrays.copyOf(table.table().row(id), width));
      }
      CornerCommand.print(page, asked, ids, values);
      page.prose("Single numbers say nothing; whole rows can be compared.");
      session.show(page);
    }

    void neighbours() throws IOException {
      Page page = stop(3, "Close rows");
      Search search = session.search(table);
      HitRows rows = new HitRows(asked);
      double baseline = table.table().statistics(session.workers()).meanCosine();
      Asking asking = new Asking(session, table);
      for (String word : NEAR) {
        if (id(word).isPresent()) {
          Asking.Point point = asking.point(word);
          List<Hit> hits = search.nearest(point.query(), Metric.COSINE, 6);
          page.line("  " + page.paint(Style.HEADING, point.title() + " by cosine"));
          rows.cosines(page, hits, baseline);
        }
      }
      page.prose(
          "Nobody told the model what a word means: rows of words used alike became alike. The"
              + " baseline is the mean cosine of all pairs of rows; a cosine means something only"
              + " against it.");
      session.show(page);
    }

    void analogies() throws IOException {
      Page page = stop(4, "Arithmetic on rows, told honestly");
      Search search = session.search(table);
      Grid grid = new Grid();
      grid.row(
          Grid.left("", Style.PLAIN),
          Grid.left("raw nearest", Style.FAINT),
          Grid.left("", Style.FAINT),
          Grid.left("excluding inputs", Style.FAINT),
          Grid.left("", Style.FAINT),
          Grid.left("before", Style.FAINT));
      for (List<String> words : ANALOGIES) {
        List<Long> ids = new ArrayList<>();
        for (String word : words) {
          id(word).ifPresent(ids::add);
        }
        if (ids.size() == 3) {
          Expression expression = Expression.analogy(ids.get(0), ids.get(1), ids.get(2));
          row(grid, ids, Analogy.of(search, expression, Expression.Inputs.AS_STORED, 1));
        }
      }
      page.grid(grid);
      page.prose(
          "The sum usually lands nearest to one of its own inputs, so the usual way leaves them out."
              + " \"before\" is the answer's place among the neighbours of the first word and its"
              + " cosine with it: where that is already 1 or 2, the arithmetic had little to do.");
      session.show(page);
    }

    private void row(Grid grid, List<Long> ids, Analogy analogy) {
      Analogy.Answer answer = analogy.answer().orElseThrow();
      Hit raw = analogy.raw().getFirst();
      grid.row(
          Grid.left(
              "%s − %s + %s"
                  .formatted(
                      asked.name(ids.get(0)), asked.name(ids.get(1)), asked.name(ids.get(2))),
              Style.TOKEN),
          Grid.left(asked.name(raw.id()), Style.PLAIN),
          Grid.right(HitRows.number(raw.score()), Style.FAINT),
          Grid.left(asked.name(answer.hit().id()), Style.GOOD),
          Grid.right(HitRows.number(answer.hit().score()), Style.FAINT),
          Grid.left(
              "place %,d, %s".formatted(answer.rankBefore(), HitRows.number(answer.scoreBefore())),
              Style.PLAIN));
    }

    void map(Optional<MapFile> asked, ForceOption existing) throws IOException {
      Page page = stop(5, "A picture, and what it hides");
      MapSelection words = MapSelection.of(session, table, MapWord.ofTour(), 0, 0);
      if (!words.notMapped().isEmpty()) {
        page.note(
            "%d of the 48 words are not one token of this model"
                .formatted(words.notMapped().size()));
      }
      if (words.named().size() < MapCommand.LEAST_POINTS) {
        session.show(page);
        return;
      }
      WordMap map = MapCommand.map(session, table, words, PcaSettings.defaults());
      MapAnswer.picture(page, map);
      page.prose(
          "A plane cannot hold %,d dimensions. %s."
              .formatted(table.table().width(), map.story().distortion()));
      Drawing drawing = map.picture().draw();
      MapFile file = asked.isPresent() ? asked.get() : MapFile.inCache(session.environment());
      if (asked.isPresent()) {
        existing.write(Map.of(file.path(), place -> file.write(place, map, drawing)));
      } else {
        file.write(file.path(), map, drawing);
      }
      page.note("the same as a picture: " + Visible.message(file.path().toString()));
      session.show(page);
    }

    void output() throws IOException {
      Lexicon model = session.lexicon();
      Page page = stop(6, "The same table at the output");
      String evidence = model.tieEvidence();
      page.prose(evidence.substring(0, 1).toUpperCase(Locale.ROOT) + evidence.substring(1) + ".");
      long numbers = model.input().table().parameters();
      page.prose(
          switch (model.tie()) {
            case TIED, TIED_STORED_TWICE ->
                "Where one table serves at both ends, a second one of %,d parameters is saved."
                    .formatted(numbers);
            case UNTIED ->
                model
                    .output()
                    .map(o ->
                        "Untied: a table of its own at the output costs %,d further parameters."
                            .formatted(o.table().parameters()))
                    .orElse("Untied: the output has a table of its own.");
            case NO_OUTPUT, UNKNOWN -> "Nothing is claimed about an output table.";
          });
      page.gap();
      page.note(
          "Go on: rowan near WORD, rowan analogy A - B + C, rowan map, rowan stats, rowan score WORD;"
              + " your own model with -m.");
      session.show(page);
    }

    /** Returns the row of a word if it is one token of this model. */
    private Optional<Long> id(String word) throws IOException {
      Resolution resolution = session.resolve(word, table);
      if (resolution instanceof Single single) {
        return Optional.of(single.token().id());
      }
      session.remark("%s is not one token of this model; left out".formatted(Visible.quoted(word)));
      return Optional.empty();
    }
  }
}

package dev.rowan.app.cli;

import dev.rowan.analysis.compare.Axis;
import dev.rowan.analysis.compare.Axis.Place;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.answers.Asking;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Hit;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Search;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where words lie on the line between two tokens. */
@Command(
    name = "axis",
    description = {
      "Show where words lie on the line from A to B, rows at unit norm: 0 at A, 1 at B. Without words,"
          + " show the rows that point most along the line, both ways."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  rowan axis bad good terrible fine excellent", "  rowan axis man woman"})
final class AxisCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "A", description = "The start of the line.")
  String from = "";

  @Parameters(index = "1", paramLabel = "B", description = "Its end.")
  String to = "";

  @Parameters(
      index = "2..*",
      paramLabel = "TOKEN",
      arity = "0..*",
      description = "Words to place on it.")
  List<String> tokens = List.of();

  @Option(
      names = "-k",
      paramLabel = "N",
      description = "How many rows each way, without words (${DEFAULT-VALUE}).")
  int k = 10;

  @Override
  public void run(Session session) throws IOException {
    NearCommand.checkK(k);
    NamedTable table = session.table();
    Asked asked = session.asked();
    Asking asking = new Asking(session, table);
    Asking.Point a = asking.rowPoint(from);
    Asking.Point b = asking.rowPoint(to);
    Axis axis = Axis.between(table.table(), a.ids(), b.ids());
    HitRows rows = new HitRows(asked);
    String title = "from %s to %s".formatted(a.title(), b.title());
    if (!tokens.isEmpty()) {
      List<Place> places = new ArrayList<>();
      for (String token : tokens) {
        places.add(axis.place(asking.rowPoint(token).ids().getFirst()));
      }
      places.sort(Comparator.comparingDouble(Place::position).thenComparingLong(Place::id));
      session.answer(
          json ->
              ends(json, a, b)
                  .objects(
                      "places",
                      places,
                      (j, place) ->
                          rows.token(j, place.id())
                              .number("position", place.position())
                              .number("cosine", place.cosine())),
          page -> print(page.heading(title), asked, places));
      return;
    }
    List<Hit> forward;
    List<Hit> backward;
    double baseline;
    try (Progress _ = session.progress("searching")) {
      Search search = session.search(table);
      int most = (int) Math.min(k, table.table().rows());
      forward = axis.farthest(search, most);
      backward = axis.farthestBack(search, most);
      baseline = table.table().statistics(session.workers()).meanCosine();
    }
    session.answer(
        json -> {
          ends(json, a, b);
          rows.write(json, "forward", forward);
          rows.write(json, "backward", backward);
          json.number("baseline", baseline);
        },
        page -> {
          page.heading(title + ": rows that point along the line, by cosine");
          rows.cosines(page, forward, baseline);
          page.line("  " + page.paint(Style.FAINT, "and against it"));
          rows.cosines(page, backward, baseline);
        });
  }

  private static Json ends(Json json, Asking.Point a, Asking.Point b) {
    return json.object("from", j -> HitRows.point(j, a)).object("to", j -> HitRows.point(j, b));
  }

  private static void print(Page page, Asked asked, List<Place> places) {
    Grid grid = new Grid();
    grid.row(
        Grid.left("", Style.FAINT),
        Grid.right("", Style.FAINT),
        Grid.right("position", Style.FAINT),
        Grid.right("cosine", Style.FAINT));
    for (Place place : places) {
      grid.row(
          Grid.left(asked.name(place.id()), Style.TOKEN),
          Grid.right("#" + place.id(), Style.FAINT),
          Grid.right(HitRows.number(place.position()), Style.PLAIN),
          Grid.right(HitRows.number(place.cosine()), Style.PLAIN));
    }
    page.grid(grid);
    page.note(
        "position: 0 at the start, 1 at the end; cosine: between the line and the way from its start"
            + " to the word, near 0 where the position says little");
  }
}

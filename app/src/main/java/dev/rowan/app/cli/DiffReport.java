package dev.rowan.app.cli;

import dev.rowan.analysis.compare.SharedRows;
import dev.rowan.analysis.compare.TableDiff;
import dev.rowan.analysis.compare.TableDiff.Band;
import dev.rowan.analysis.compare.TableDiff.Moved;
import dev.rowan.analysis.compare.TableDiff.Movement;
import dev.rowan.analysis.compare.TableDiff.Strayed;
import dev.rowan.app.answers.Asked;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.NamedTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The difference of two tables as text and as JSON. */
final class DiffReport {
  private static final int NAMED = 6;

  private final NamedTable tableOfA;
  private final Asked a;
  private final NamedTable tableOfB;
  private final Asked b;
  private final SharedRows shared;
  private final TableDiff diff;

  DiffReport(
      NamedTable tableOfA,
      Asked a,
      NamedTable tableOfB,
      Asked b,
      SharedRows shared,
      TableDiff diff) {
    this.tableOfA = tableOfA;
    this.a = a;
    this.tableOfB = tableOfB;
    this.b = b;
    this.shared = shared;
    this.diff = diff;
  }

  /** Writes the members of the answer. */
  void write(Json json) {
    json.object("a", j -> table(j, tableOfA))
        .object("b", j -> table(j, tableOfB))
        .number("shared", (long) shared.first().length)
        .number("onlyInA", shared.missing())
        .number("onlyInB", shared.added());
    tokens(json, "onlyInATokens", a, shared.missingIds());
    tokens(json, "onlyInBTokens", b, shared.addedIds());
    json.number("comparedRows", diff.comparedRows()).number("equalRows", diff.equalRows());
    movement(json, "asStored", diff.asStored());
    movement(json, "aligned", Optional.of(diff.aligned()));
    json.number("alignmentRank", (long) diff.rank())
        .object(
            "neighbourOverlap",
            j ->
                j.number("share", diff.neighbourOverlap())
                    .number("k", (long) diff.neighbours())
                    .number("rows", (long) diff.askedRows()))
        .objects("bands", diff.bands(), DiffReport::band)
        .objects("moved", diff.moved(), this::moved)
        .objects(
            "strayed",
            diff.strayed(),
            (j, strayed) ->
                j.text("token", a.text(strayed.first()))
                    .number("id", strayed.first())
                    .number("idInB", strayed.second())
                    .number("overlap", strayed.overlap()));
  }

  private static void table(Json json, NamedTable table) {
    json.text("tensor", table.tensor())
        .number("rows", table.table().rows())
        .number("width", (long) table.table().width());
  }

  private static void tokens(Json json, String name, Asked asked, List<Long> ids) {
    json.objects(name, ids, (j, id) -> j.text("token", asked.text(id)).number("id", id));
  }

  private static void movement(Json json, String name, Optional<Movement> movement) {
    if (movement.isEmpty()) {
      json.nothing(name);
      return;
    }
    json.object(
        name,
        j ->
            j.number("meanCosine", movement.get().meanCosine())
                .number("relativeDistance", movement.get().distance()));
  }

  private static void band(Json json, Band band) {
    json.number("from", band.from())
        .number("to", band.to())
        .number("rows", band.rows())
        .number("equalRows", band.equal())
        .number("meanCosine", band.meanCosine().orElse(Double.NaN))
        .number("alignedCosine", band.alignedCosine());
  }

  private void moved(Json json, Moved moved) {
    json.text("token", a.text(moved.first().id()))
        .number("id", moved.first().id())
        .number("idInB", moved.second())
        .number("cosine", moved.first().score());
  }

  /** Prints the answer. */
  void print(Page page) {
    page.heading(
        "%s (%s) and %s (%s)"
            .formatted(tableOfA.tensor(), shape(tableOfA), tableOfB.tensor(), shape(tableOfB)));
    Grid grid = new Grid();
    grid.entry("shared tokens", count(shared.first().length), "");
    grid.entry("only in A", count(shared.missing()), names(a, shared.missingIds()));
    grid.entry("only in B", count(shared.added()), names(b, shared.addedIds()));
    if (diff.comparedRows() < shared.first().length) {
      grid.entry(
          "compared", count(diff.comparedRows()), "at equal distances, finite on both sides");
    }
    diff.asStored()
        .ifPresent(stored -> {
          grid.entry("equal rows", count(diff.equalRows()), "number for number");
          grid.entry(
              "mean cosine", HitRows.number(stored.meanCosine()), "of a row with its counterpart");
          grid.entry("distance", HitRows.number(stored.distance()), "relative to B's rows");
        });
    grid.entry(
        "after rotation",
        HitRows.number(diff.aligned().meanCosine()),
        String.format(
            Locale.ROOT,
            "mean cosine once A is rotated onto B in %s; distance %s",
            Counted.of(diff.rank(), "direction"),
            HitRows.number(diff.aligned().distance())));
    grid.entry(
        "neighbours",
        Double.isNaN(diff.neighbourOverlap())
            ? "–"
            : String.format(Locale.ROOT, "%.1f %%", 100 * diff.neighbourOverlap()),
        String.format(
            Locale.ROOT,
            "of the %,d nearest %s the same, over %s",
            diff.neighbours(),
            diff.neighbours() == 1 ? "is" : "are",
            Counted.of(diff.askedRows(), "row")));
    page.grid(grid);
    if (diff.asStored().isEmpty()) {
      page.note(
          "the widths differ, so columns mean different things: rows are compared after rotation, and"
              + " by their neighbours");
    }
    bands(page.gap());
    movers(page);
    strays(page);
  }

  private void bands(Page page) {
    page.heading("by id, lowest first");
    Grid grid = new Grid();
    grid.row(
        Grid.left("ids in A", Style.FAINT),
        Grid.right("rows", Style.FAINT),
        Grid.right("equal", Style.FAINT),
        Grid.right("cosine", Style.FAINT),
        Grid.right("after rotation", Style.FAINT));
    for (Band band : diff.bands()) {
      grid.row(
          Grid.left("#%d – #%d".formatted(band.from(), band.to()), Style.FAINT),
          Grid.right(count(band.rows()), Style.FAINT),
          Grid.right(count(band.equal()), Style.PLAIN),
          Grid.right(HitRows.number(band.meanCosine().orElse(Double.NaN)), Style.PLAIN),
          Grid.right(HitRows.number(band.alignedCosine()), Style.PLAIN));
    }
    page.grid(grid);
  }

  private void movers(Page page) {
    if (diff.moved().isEmpty()) {
      return;
    }
    page.gap();
    page.heading(diff.asStored().isPresent() ? "moved most" : "moved most, after rotation");
    Grid grid = new Grid();
    for (Moved moved : diff.moved()) {
      grid.row(
          Grid.left(Visible.clipped(a.name(moved.first().id()), 32), Style.TOKEN),
          Grid.right("#" + moved.first().id(), Style.FAINT),
          Grid.right(HitRows.number(moved.first().score()), Style.PLAIN));
    }
    page.grid(grid);
  }

  private void strays(Page page) {
    if (diff.strayed().isEmpty()) {
      return;
    }
    page.gap();
    page.heading(
        String.format(
            Locale.ROOT,
            "kept fewest of their %s, of %s asked",
            Counted.of(diff.neighbours(), "neighbour"),
            Counted.of(diff.askedRows(), "row")));
    Grid grid = new Grid();
    for (Strayed strayed : diff.strayed()) {
      grid.row(
          Grid.left(Visible.clipped(a.name(strayed.first()), 32), Style.TOKEN),
          Grid.right("#" + strayed.first(), Style.FAINT),
          Grid.right(String.format(Locale.ROOT, "%.0f %%", 100 * strayed.overlap()), Style.PLAIN));
    }
    page.grid(grid);
  }

  private static String shape(NamedTable table) {
    return String.format(Locale.ROOT, "%,d × %,d", table.table().rows(), table.table().width());
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String names(Asked asked, List<Long> ids) {
    String some =
        ids.stream()
            .limit(NAMED)
            .map(id -> Visible.clipped(asked.name(id), 16) + " #" + id)
            .collect(Collectors.joining(", "));
    return ids.size() > NAMED ? some + ", …" : some;
  }
}

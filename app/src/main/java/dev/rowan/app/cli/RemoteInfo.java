package dev.rowan.app.cli;

import dev.rowan.core.kernel.RowFormat;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.hub.Inspection;
import java.util.Locale;
import java.util.Optional;

/** What {@code info} answers for a model whose table is not here. */
final class RemoteInfo {
  private final Inspection model;

  RemoteInfo(Inspection model) {
    this.model = model;
  }

  void write(Json json) {
    json.text("format", model.format());
    model
        .architecture()
        .ifPresentOrElse(a -> json.text("architecture", a), () -> json.nothing("architecture"));
    json.object("input", j -> write(j, model.input()));
    model
        .output()
        .ifPresentOrElse(
            output -> json.object("output", j -> write(j, output)), () -> json.nothing("output"));
    switch (model.tie().tie()) {
      case TIED, TIED_STORED_TWICE -> json.truth("tied", true);
      case UNTIED -> json.truth("tied", false);
      case NO_OUTPUT, UNKNOWN -> json.nothing("tied");
    }
    json.text("tiedEvidence", model.tie().evidence());
    model
        .vocabulary()
        .ifPresentOrElse(
            v ->
                json.object(
                    "vocabulary",
                    j -> j.text("kind", InfoCommand.kind(v)).number("size", (long) v.tokens())),
            () -> json.nothing("vocabulary"));
    json.number("rowsWithoutToken", model.rowsWithoutToken());
    model
        .modelParameters()
        .ifPresentOrElse(
            n -> json.number("modelParameters", n), () -> json.nothing("modelParameters"));
    json.number("shareOfModel", share().orElse(Double.NaN));
    json.text("path", model.source());
    json.text("version", model.version());
    json.array("notes", j -> model.notes().forEach(j::element));
  }

  private static void write(Json json, TensorInfo table) {
    json.text("tensor", table.name())
        .number("rows", table.shape().getFirst())
        .number("width", table.shape().getLast())
        .text("dtype", dtype(table))
        .number("parameters", table.elements())
        .number("bytes", table.bytes());
  }

  private static String dtype(TensorInfo table) {
    return table.dtype().rows().map(RowFormat::label).orElse(table.dtype().label());
  }

  private Optional<Double> share() {
    return model.modelParameters().isPresent() && model.modelParameters().getAsLong() > 0
        ? Optional.of((double) model.input().elements() / model.modelParameters().getAsLong())
        : Optional.empty();
  }

  void print(Page page) {
    page.heading(
        "%s%s".formatted(model.architecture().map(a -> a + ", ").orElse(""), model.format()));
    Grid grid = new Grid();
    InfoCommand.entry(grid, "model", Visible.token(model.source()));
    InfoCommand.entry(grid, "version", model.version().substring(0, 12));
    table(grid, "input", model.input());
    model.output().ifPresent(output -> table(grid, "output", output));
    InfoCommand.entry(grid, "tied", InfoCommand.tied(model.tie().tie()));
    model
        .vocabulary()
        .ifPresentOrElse(
            v ->
                InfoCommand.entry(
                    grid, "tokens", "%,d, %s".formatted(v.tokens(), InfoCommand.kind(v))),
            () -> InfoCommand.entry(grid, "tokens", "no vocabulary found; rows go by #ID"));
    if (model.rowsWithoutToken() > 0) {
      InfoCommand.entry(grid, "", "%,d rows have no token".formatted(model.rowsWithoutToken()));
    }
    share()
        .ifPresent(share ->
            InfoCommand.entry(
                grid,
                "share",
                String.format(
                    Locale.ROOT,
                    "%.1f %% of the model's %,d parameters",
                    100 * share,
                    model.modelParameters().orElseThrow())));
    page.grid(grid);
    page.note("tied: " + model.tie().evidence());
    model.notes().forEach(page::note);
  }

  private static void table(Grid grid, String name, TensorInfo table) {
    InfoCommand.entry(
        grid,
        name,
        "%,d rows × %,d, %s, %s"
            .formatted(
                table.shape().getFirst(),
                table.shape().getLast(),
                dtype(table),
                InfoCommand.bytes(table.bytes())));
    InfoCommand.entry(grid, "", table.name());
  }
}

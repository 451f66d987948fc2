package dev.rowan.app.cli;

import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Lexicon;
import dev.rowan.core.NamedTable;
import dev.rowan.core.Tie;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.hub.Inspection;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is in a model. */
@Command(
    name = "info",
    description = "Show what a model file holds: its tables, its tokens, tied or not.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan info",
      "  rowan -m path/to/gpt2 info",
      "  rowan -m path/to/gpt2 info --all          every tensor",
      "  rowan -m hf:openai-community/gpt2 info    reads the header, not the table"
    })
final class InfoCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Option(names = "--all", description = "List every tensor too.")
  boolean all;

  @Override
  public void run(Session session) throws IOException {
    Optional<Inspection> remote = session.inspection();
    if (remote.isPresent()) {
      RemoteInfo info = new RemoteInfo(remote.get());
      answer(session, info::write, info::print, all ? remote.get().tensors() : List.of());
      return;
    }
    Lexicon model = session.lexicon();
    List<TensorInfo> tensors = all ? Models.tensors(model.origin().path()).tensors() : List.of();
    answer(session, json -> write(json, model), page -> print(page, model), tensors);
  }

  private void answer(
      Session session, Json.Content object, Consumer<Page> text, List<TensorInfo> tensors) {
    session.answer(
        json -> {
          object.write(json);
          if (all) {
            json.objects("tensors", tensors, InfoCommand::write);
          }
        },
        page -> {
          text.accept(page);
          if (all) {
            print(page, tensors);
          }
        });
  }

  private static void write(Json json, TensorInfo tensor) {
    json.text("name", tensor.name())
        .text("dtype", tensor.dtype().label())
        .array("shape", j -> tensor.shape().forEach(j::element))
        .number("bytes", tensor.bytes());
  }

  private static void print(Page page, List<TensorInfo> tensors) {
    page.gap().heading("%,d tensors".formatted(tensors.size()));
    Grid grid = new Grid();
    for (TensorInfo tensor : tensors) {
      grid.row(
          Grid.left(Visible.message(tensor.name()), Style.PLAIN),
          Grid.right(tensor.dtype().label(), Style.FAINT),
          Grid.right(tensor.shapeText(), Style.PLAIN),
          Grid.right(bytes(tensor.bytes()), Style.FAINT));
    }
    page.grid(grid);
  }

  private static void write(Json json, Lexicon model) {
    json.text("format", model.origin().format());
    model
        .origin()
        .architecture()
        .ifPresentOrElse(a -> json.text("architecture", a), () -> json.nothing("architecture"));
    json.object("input", j -> write(j, model.input()));
    model
        .output()
        .ifPresentOrElse(
            output -> json.object("output", j -> write(j, output)), () -> json.nothing("output"));
    switch (model.tie()) {
      case TIED, TIED_STORED_TWICE -> json.truth("tied", true);
      case UNTIED -> json.truth("tied", false);
      case NO_OUTPUT, UNKNOWN -> json.nothing("tied");
    }
    json.text("tiedEvidence", model.tieEvidence());
    model
        .vocabulary()
        .ifPresentOrElse(
            v ->
                json.object(
                    "vocabulary", j -> j.text("kind", kind(v)).number("size", (long) v.tokens())),
            () -> json.nothing("vocabulary"));
    json.number("rowsWithoutToken", model.rowsWithoutToken());
    OptionalLong parameters = model.modelParameters();
    parameters.ifPresentOrElse(
        n -> json.number("modelParameters", n), () -> json.nothing("modelParameters"));
    json.number("shareOfModel", share(model).orElse(Double.NaN));
    json.text("path", model.origin().path().toString());
    json.array("notes", j -> model.origin().notes().forEach(j::element));
  }

  private static void write(Json json, NamedTable table) {
    json.text("tensor", table.tensor())
        .number("rows", table.table().rows())
        .number("width", (long) table.table().width())
        .text("dtype", table.table().format().label())
        .number("parameters", table.table().parameters())
        .number("bytes", table.table().bytes());
  }

  /** Returns the part of the model's parameters that the input table is, in [0, 1]. */
  static Optional<Double> share(Lexicon model) {
    OptionalLong all = model.modelParameters();
    return all.isPresent() && all.getAsLong() > 0
        ? Optional.of((double) model.input().table().parameters() / all.getAsLong())
        : Optional.empty();
  }

  /** Returns how a vocabulary spells, for people and scripts. */
  static String kind(Vocabulary vocabulary) {
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL -> "byte-level";
      case WORDPIECE -> "wordpiece";
      case SENTENCEPIECE -> "sentencepiece";
      case PLAIN -> "plain";
    };
  }

  private static void print(Page page, Lexicon model) {
    page.heading(
        "%s%s"
            .formatted(
                model.origin().architecture().map(a -> a + ", ").orElse(""),
                model.origin().format()));
    Grid grid = new Grid();
    entry(grid, "file", Visible.token(model.origin().path().toString()).replace("␣", " "));
    table(grid, "input", model.input());
    model.output().ifPresent(output -> table(grid, "output", output));
    entry(grid, "tied", tied(model.tie()));
    model
        .vocabulary()
        .ifPresentOrElse(
            v -> entry(grid, "tokens", "%,d, %s".formatted(v.tokens(), kind(v))),
            () -> entry(grid, "tokens", "no vocabulary found; rows go by #ID"));
    if (model.rowsWithoutToken() > 0) {
      entry(grid, "", "%,d rows have no token".formatted(model.rowsWithoutToken()));
    }
    share(model)
        .ifPresent(share ->
            entry(
                grid,
                "share",
                String.format(
                    Locale.ROOT,
                    "%.1f %% of the model's %,d parameters",
                    100 * share,
                    model.modelParameters().orElseThrow())));
    page.grid(grid);
    page.note("tied: " + model.tieEvidence());
    model.origin().notes().forEach(page::note);
  }

  private static void table(Grid grid, String name, NamedTable table) {
    entry(
        grid,
        name,
        "%,d rows × %,d, %s, %s"
            .formatted(
                table.table().rows(),
                table.table().width(),
                table.table().format().label(),
                bytes(table.table().bytes())));
    entry(grid, "", table.tensor());
  }

  /** Adds a named value. */
  static void entry(Grid grid, String name, String value) {
    grid.row(Grid.left(name, Style.FAINT), Grid.left(value, Style.PLAIN));
  }

  /** Returns how two tables relate, for people. */
  static String tied(Tie tie) {
    return switch (tie) {
      case TIED -> "yes, the input table serves at the output too";
      case TIED_STORED_TWICE -> "yes, though the file stores the table twice";
      case UNTIED -> "no, the output has a table of its own";
      case NO_OUTPUT -> "there is no output table";
      case UNKNOWN -> "the file does not say";
    };
  }

  /** Returns a number of bytes as people say it. */
  static String bytes(long bytes) {
    if (bytes < 1_000_000) {
      return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
    return bytes < 1_000_000_000
        ? String.format(Locale.ROOT, "%.1f MB", bytes / 1e6)
        : String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.hub.Inspection;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
      "  rowan info path/to/gpt2",
      "  rowan info path/to/gpt2 --all          every tensor",
      "  rowan info hf:openai-community/gpt2    reads the header, not the table"
    })
final class InfoCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Mixin ModelArgument argument = new ModelArgument();

  @Option(names = "--all", description = "List every tensor too.")
  boolean all;

  @Override
  public void run(Session session) throws IOException {
    argument.choose(session);
    Optional<Inspection> remote = session.inspection();
    if (remote.isPresent()) {
      answer(session, InfoAnswer.of(remote.get()), all ? remote.get().tensors() : List.of());
      return;
    }
    Lexicon model = session.lexicon();
    List<TensorInfo> tensors = all ? Models.tensors(model.origin().path()).tensors() : List.of();
    answer(session, InfoAnswer.of(model), tensors);
  }

  private void answer(Session session, InfoAnswer info, List<TensorInfo> tensors) {
    session.answer(
        json -> {
          info.write(json);
          if (all) {
            json.objects("tensors", tensors, InfoCommand::write);
          }
        },
        page -> {
          info.print(page);
          if (all) {
            print(page, tensors);
          }
        });
  }

  private static void write(Json json, TensorInfo tensor) {
    json.text("name", tensor.name())
        .text("dtype", tensor.dtype().shown())
        .array("shape", j -> tensor.shape().forEach(j::element))
        .number("bytes", tensor.bytes());
  }

  private static void print(Page page, List<TensorInfo> tensors) {
    page.gap().heading(Counted.of(tensors.size(), "tensor"));
    Grid grid = new Grid();
    for (TensorInfo tensor : tensors) {
      grid.row(
          Grid.left(Visible.message(tensor.name()), Style.PLAIN),
          Grid.right(tensor.dtype().shown(), Style.FAINT),
          Grid.right(tensor.shapeText(), Style.PLAIN),
          Grid.right(bytes(tensor.bytes()), Style.FAINT));
    }
    page.grid(grid);
  }

  /** Returns a number of bytes as people say it. */
  static String bytes(long bytes) {
    if (bytes < 1_000_000) {
      return Counted.of(bytes, "byte");
    }
    return bytes < 1_000_000_000
        ? String.format(Locale.ROOT, "%.1f MB", bytes / 1e6)
        : String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
  }
}

package dev.rowan.app.cli;

import dev.rowan.analysis.edit.EditOptions;
import dev.rowan.analysis.edit.EditPlan;
import dev.rowan.analysis.edit.EditRequest;
import dev.rowan.analysis.edit.Edited;
import dev.rowan.analysis.edit.Editor;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.write.NewFolder;
import dev.rowan.hub.RemoteSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a model's vocabulary and table, into a new folder. */
@Command(
    name = "edit",
    sortOptions = false,
    description = {
      "Write a new model folder with other rows, tokens or numbers in its tables.",
      "MODEL is a folder of safetensors and is never touched. Config, tokenizer and every table"
          + " change together, tied tables stay tied, all other tensors keep their bytes. The result"
          + " is opened and compared with MODEL before it gets its name: there is all of it, or"
          + " nothing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan edit gpt2 -o gpt2-64 --pad-to-multiple-of 64 --dry-run",
      "  rowan edit gpt2 -o gpt2-chat --add-tokens tokens.txt --special --init pieces",
      "  rowan edit gpt2 -o swapped --swap \" cat\" \" dog\"",
      "  rowan edit gpt2 -o small --prune-to corpus.txt",
      "  rowan edit gpt2 -o half --center --dtype bf16 --link"
    })
final class EditCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "MODEL", description = "The folder of a model.")
  String in = "";

  @Option(
      names = {"-o", "--out"},
      paramLabel = "OUT",
      required = true,
      description = "The folder to write; it must not hold anything.")
  String out = "";

  @Option(names = "--dry-run", description = "Check everything, print every change, write nothing.")
  boolean dryRun;

  @Mixin EditWishes wishes = new EditWishes();

  @Option(
      names = "--link",
      description =
          "Link files that stay instead of copying them: quick and small, but whoever later writes"
              + " into one changes both folders.")
  boolean link;

  @Option(
      names = "--also",
      paramLabel = "TENSOR",
      description = "A further tensor with a row for each token.")
  Set<String> also = Set.of();

  @Option(
      names = "--leave",
      paramLabel = "TENSOR",
      description = "A tensor that has as many rows as there are tokens by chance.")
  Set<String> leave = Set.of();

  @Override
  public void run(Session session) throws IOException {
    EditRequest request = request(session);
    ForceOption.checkApart(List.of(request.target()), List.of());
    if (!dryRun) {
      removeLeftovers(request.target(), session);
    }
    try (InterruptOnExit _ = InterruptOnExit.guard();
        Splitters splitters = new Splitters(session);
        EditPlan plan = plan(new Editor(session.workers(), splitters), request, session)) {
      EditAnswer answer = new EditAnswer(plan, request.target());
      if (dryRun) {
        session.answer(
            json -> answer.write(json, Optional.empty()),
            page -> answer.show(page, Optional.empty()));
        return;
      }
      List<Edited> written = new ArrayList<>();
      try (Progress _ = session.progress("writing")) {
        ForceOption.writeFolder(() -> written.add(plan.write()));
      }
      Edited edited = written.getFirst();
      session.answer(
          json -> answer.write(json, Optional.of(edited)),
          page -> answer.show(page, Optional.of(edited)));
    }
  }

  /** A killed edit could not clean up after itself. */
  private static void removeLeftovers(Path target, Session session) throws IOException {
    Path parent = target.toAbsolutePath().normalize().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return; // told by the plan
    }
    for (Path gone : NewFolder.removeLeftovers(parent)) {
      session.remark(
          "removed %s, the half-written folder of a run that was killed"
              .formatted(Visible.message(gone.toString())));
    }
  }

  private static EditPlan plan(Editor editor, EditRequest request, Session session)
      throws IOException {
    try (Progress _ = session.progress("checking")) {
      return editor.plan(request);
    }
  }

  private EditRequest request(Session session) throws IOException {
    ForceOption.checkApart(List.of(Path.of(out)), List.of());
    if (in.equals("default")) {
      throw new UseException(
          "the model that comes with Rowan is no folder; write it out first: rowan convert default minilm --to safetensors");
    }
    if (RemoteSpec.isRemote(in)) {
      throw new UseException(
          "of a remote model only the table is fetched, and an edit needs all of it; download the model and name its folder");
    }
    session.globals().nameModel("MODEL", in);
    EditOptions options =
        new EditOptions(
            wishes.initialisation(session),
            link ? EditOptions.Untouched.LINKED : EditOptions.Untouched.COPIED,
            scope(session.globals()),
            also,
            leave);
    String tensor = session.globals().tensor;
    OpenOptions open =
        tensor == null ? OpenOptions.DEFAULT : OpenOptions.DEFAULT.withTensor(tensor);
    if (session.globals().tokenizer != null) {
      throw new UseException(
          "an edit changes the tokenizer in the model's folder; leave --tokenizer away");
    }
    return new EditRequest(
        ModelChoice.path(in), open, Path.of(out), wishes.edits(session), options);
  }

  private static EditOptions.Scope scope(Globals globals) {
    return switch (globals.table) {
      case null -> EditOptions.Scope.EVERY_TABLE;
      case input -> EditOptions.Scope.INPUT;
      case output -> EditOptions.Scope.OUTPUT;
    };
  }
}

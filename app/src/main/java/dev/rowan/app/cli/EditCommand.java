package dev.rowan.app.cli;

import dev.rowan.analysis.edit.Edit;
import dev.rowan.analysis.edit.EditOptions;
import dev.rowan.analysis.edit.EditPlan;
import dev.rowan.analysis.edit.EditRequest;
import dev.rowan.analysis.edit.Edited;
import dev.rowan.analysis.edit.Editor;
import dev.rowan.analysis.edit.Initialisation;
import dev.rowan.analysis.edit.NewToken;
import dev.rowan.formats.OpenOptions;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.hub.RemoteSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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

  @Option(names = "--grow", paramLabel = "N", description = "Add N rows.")
  @Nullable Long grow;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Add rows until there are N; never takes one away.")
  @Nullable Long rows;

  @Option(
      names = "--pad-to-multiple-of",
      paramLabel = "N",
      description =
          "Add rows until their number is a multiple of N; done after all other edits of rows.")
  @Nullable Long multiple;

  @Option(
      names = "--shrink",
      paramLabel = "N",
      description = "Cut the rows from N on, which must have no token.")
  @Nullable Long shrink;

  @Option(
      names = "--add-tokens",
      paramLabel = "FILE",
      description =
          "Add tokens, one a line as it stands in text; text behind a tab says what it means, for"
              + " --init pieces. Rows without a token are used first.")
  @Nullable Path addTokens;

  @Option(
      names = "--special",
      description = "The added tokens are special: left out of decoded text.")
  boolean special;

  @Option(
      names = "--init",
      paramLabel = "HOW",
      defaultValue = "covariance",
      description =
          "What new rows start as: covariance (drawn around the mean, 1e-9 of the covariance; the"
              + " default), mean, pieces (mean of the rows of the token's pieces), zeros, or"
              + " copy:TOKEN.")
  String init = "covariance";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of --init covariance; 0 if not given.")
  long seed;

  @Option(
      names = "--swap",
      arity = "2",
      paramLabel = "TOKEN",
      description = "Let the rows of two tokens change places.")
  List<String> swap = List.of();

  @Option(
      names = "--replace",
      arity = "2",
      paramLabel = "TOKEN",
      description = "Give the first token the row of the second.")
  List<String> replace = List.of();

  @Option(
      names = "--reset",
      paramLabel = "TOKEN",
      description = "Start the row of a token anew, as --init says.")
  List<String> reset = List.of();

  @Option(
      names = "--merge",
      paramLabel = "OTHER",
      description = "Mix with the tables of another model: (1 − weight) × MODEL + weight × OTHER.")
  @Nullable Path merge;

  @Option(
      names = "--task-vector",
      arity = "2",
      paramLabel = "MODEL",
      description = "Add weight × (first − second): what training made of the second.")
  List<Path> taskVector = List.of();

  @Option(
      names = "--weight",
      paramLabel = "W",
      description = "Of --merge (0.5 if not given) and --task-vector (1).")
  @Nullable Double weight;

  @Option(names = "--center", description = "Take the mean of all rows from each row.")
  boolean center;

  @Option(names = "--normalize", description = "Divide each row by its length.")
  boolean normalize;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      description = "Store the tables as f32, f16, bf16 or f64; other tensors stay.")
  @Nullable String dtype;

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
      Edited edited;
      try (Progress _ = session.progress("writing")) {
        edited = plan.write();
      }
      session.answer(
          json -> answer.write(json, Optional.of(edited)),
          page -> answer.show(page, Optional.of(edited)));
    }
  }

  private static EditPlan plan(Editor editor, EditRequest request, Session session)
      throws IOException {
    try (Progress _ = session.progress("checking")) {
      return editor.plan(request);
    }
  }

  private EditRequest request(Session session) throws IOException {
    if (in.equals("default")) {
      throw new UseException(
          "the model that comes with Rowan is no folder; write it out first: rowan convert default minilm --to safetensors");
    }
    if (RemoteSpec.isRemote(in)) {
      throw new UseException(
          "of a remote model only the table is fetched, and an edit needs all of it; download the model and name its folder");
    }
    session.globals().model = in;
    EditOptions options =
        new EditOptions(
            initialisation(session),
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
    return new EditRequest(Path.of(in), open, Path.of(out), edits(session), options);
  }

  private static EditOptions.Scope scope(Globals globals) {
    return switch (globals.table) {
      case null -> EditOptions.Scope.EVERY_TABLE;
      case input -> EditOptions.Scope.INPUT;
      case output -> EditOptions.Scope.OUTPUT;
    };
  }

  private Initialisation initialisation(Session session) throws IOException {
    String how = init.toLowerCase(Locale.ROOT);
    if (how.startsWith("copy:")) {
      return new Initialisation.CopyOf(id(session, init.substring("copy:".length())));
    }
    return switch (how) {
      case "covariance" -> new Initialisation.MeanAndCovariance(seed);
      case "mean" -> new Initialisation.Mean();
      case "pieces" -> new Initialisation.Pieces();
      case "zeros" -> new Initialisation.Zeros();
      default ->
          throw new UseException(
              "--init %s: it takes covariance, mean, pieces, zeros or copy:TOKEN"
                  .formatted(Visible.quoted(init)));
    };
  }

  /** The edits in the order in which they are done. */
  private List<Edit> edits(Session session) throws IOException {
    List<Edit> edits = new ArrayList<>(merges());
    for (int i = 0; i + 1 < swap.size(); i += 2) {
      edits.add(new Edit.Swap(id(session, swap.get(i)), id(session, swap.get(i + 1))));
    }
    for (int i = 0; i + 1 < replace.size(); i += 2) {
      Initialisation by = new Initialisation.CopyOf(id(session, replace.get(i + 1)));
      edits.add(new Edit.Replace(id(session, replace.get(i)), by));
    }
    for (String token : reset) {
      edits.add(new Edit.Replace(id(session, token), initialisation(session)));
    }
    if (shrink != null) {
      edits.add(new Edit.Shrink(shrink));
    }
    if (addTokens != null) {
      edits.add(
          new Edit.AddTokens(
              TokenLines.read(addTokens, special ? NewToken.Kind.SPECIAL : NewToken.Kind.WORD)));
    } else if (special) {
      throw new UseException("--special is about --add-tokens, which is not there");
    }
    if (grow != null) {
      edits.add(new Edit.Grow(grow));
    }
    if (rows != null) {
      edits.add(new Edit.GrowTo(rows));
    }
    if (multiple != null) {
      edits.add(new Edit.PadToMultiple(multiple));
    }
    if (center) {
      edits.add(new Edit.Centre());
    }
    if (normalize) {
      edits.add(new Edit.Normalise());
    }
    if (dtype != null) {
      edits.add(new Edit.Convert(dtype(dtype)));
    }
    return edits;
  }

  private List<Edit> merges() {
    if (weight != null && merge == null && taskVector.isEmpty()) {
      throw new UseException("--weight is about --merge or --task-vector, which are not there");
    }
    List<Edit> merges = new ArrayList<>();
    if (merge != null) {
      merges.add(new Edit.Average(merge, weight == null ? 0.5 : weight));
    }
    for (int i = 0; i + 1 < taskVector.size(); i += 2) {
      merges.add(
          new Edit.TaskVector(
              taskVector.get(i), taskVector.get(i + 1), weight == null ? 1 : weight));
    }
    return merges;
  }

  private static Dtype dtype(String asked) {
    return switch (asked.toLowerCase(Locale.ROOT)) {
      case "f32" -> SafetensorsDtypes.F32;
      case "f16" -> SafetensorsDtypes.F16;
      case "bf16" -> SafetensorsDtypes.BF16;
      case "f64" -> SafetensorsDtypes.F64;
      default ->
          throw new UseException(
              "--dtype %s: it takes f32, f16, bf16 or f64".formatted(Visible.quoted(asked)));
    };
  }

  private static long id(Session session, String typed) throws IOException {
    return session.asked().single(session.resolve(typed, session.lexicon().input())).id();
  }
}

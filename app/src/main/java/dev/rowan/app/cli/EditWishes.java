package dev.rowan.app.cli;

import static java.util.stream.Collectors.joining;

import dev.rowan.analysis.edit.Edit;
import dev.rowan.analysis.edit.Initialisation;
import dev.rowan.analysis.edit.NewToken;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The edits that are asked for on the command line. */
final class EditWishes {
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
      description = "Cut the rows from N on; their tokens leave the tokenizer.")
  @Nullable Long shrink;

  @Option(
      names = "--prune-to",
      paramLabel = "FILE",
      description =
          "Keep the tokens that this text uses, and those that the tokenizer needs; ids change, and"
              + " token-ids.tsv says how. May be given several times.")
  List<Path> pruneTo = List.of();

  @Option(
      names = "--min-count",
      paramLabel = "N",
      description = "How often --prune-to must find a token to keep it; 1 if not given.")
  @Nullable Long minCount;

  @Option(
      names = "--transplant",
      paramLabel = "FOLDER",
      description =
          "Take the tokenizer of another folder: rows of shared tokens are copied, the others start"
              + " as --init says (pieces if not given; neighbours[:K] where FOLDER holds a model).")
  @Nullable Path transplant;

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
      description =
          "What new rows start as: covariance (drawn around the mean, 1e-9 of the covariance; the"
              + " default), mean, pieces (mean of the rows of the token's pieces; the default of"
              + " --transplant), neighbours[:K], zeros, or copy:TOKEN.")
  @Nullable String init;

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

  /** Returns what new rows start as. */
  Initialisation initialisation(Session session) throws IOException {
    String asked = init;
    if (asked == null) {
      return transplant == null
          ? new Initialisation.MeanAndCovariance(seed)
          : new Initialisation.Pieces();
    }
    String how = asked.toLowerCase(Locale.ROOT);
    if (how.startsWith("copy:")) {
      return new Initialisation.CopyOf(id(session, asked.substring("copy:".length())));
    }
    if (how.startsWith("neighbours:")) {
      return neighbours(how.substring("neighbours:".length()));
    }
    return switch (how) {
      case "covariance" -> new Initialisation.MeanAndCovariance(seed);
      case "mean" -> new Initialisation.Mean();
      case "pieces" -> new Initialisation.Pieces();
      case "neighbours" -> new Initialisation.Neighbours(10);
      case "zeros" -> new Initialisation.Zeros();
      default ->
          throw new UseException(
              "--init %s: it takes covariance, mean, pieces, zeros, copy:TOKEN or neighbours[:K]"
                  .formatted(Visible.quoted(asked)));
    };
  }

  private static Initialisation neighbours(String count) {
    try {
      return new Initialisation.Neighbours(Integer.parseInt(count));
    } catch (NumberFormatException _) {
      throw new UseException(
          "--init neighbours:%s: it takes a whole number, such as neighbours:10"
              .formatted(Visible.quoted(count)));
    }
  }

  /** The edits in the order in which they are done. */
  List<Edit> edits(Session session) throws IOException {
    List<Edit> edits = new ArrayList<>(merges());
    edits.addAll(rows(session));
    if (transplant != null) {
      edits.add(new Edit.TransplantTo(transplant));
    }
    if (!pruneTo.isEmpty()) {
      edits.add(new Edit.PruneTo(pruneTo, minCount == null ? 1 : minCount));
    } else if (minCount != null) {
      throw new UseException("--min-count is about --prune-to, which is not there");
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

  /** Edits of single rows; what would overwrite another of them is refused. */
  private List<Edit> rows(Session session) throws IOException {
    List<Edit> edits = new ArrayList<>();
    Map<Long, String> changed = new HashMap<>(); // by which option
    for (int i = 0; i + 1 < swap.size(); i += 2) {
      long a = id(session, swap.get(i));
      long b = id(session, swap.get(i + 1));
      String option = option("--swap", swap.get(i), swap.get(i + 1));
      changed.put(a, option);
      changed.put(b, option);
      edits.add(new Edit.Swap(a, b));
    }
    for (int i = 0; i + 1 < replace.size(); i += 2) {
      long row = id(session, replace.get(i));
      once(changed, row, option("--replace", replace.get(i), replace.get(i + 1)));
      Initialisation by = new Initialisation.CopyOf(id(session, replace.get(i + 1)));
      edits.add(new Edit.Replace(row, by));
    }
    for (String token : reset) {
      long row = id(session, token);
      once(changed, row, option("--reset", token));
      edits.add(new Edit.Replace(row, initialisation(session)));
    }
    return edits;
  }

  private static String option(String name, String... tokens) {
    return Arrays.stream(tokens).map(Visible::quoted).collect(joining(" ", name + " ", ""));
  }

  private static void once(Map<Long, String> changed, long row, String option) {
    String before = changed.put(row, option);
    if (before != null) {
      throw new UseException(
          "%s and %s both change row #%d, and the later would undo the other; leave one away, or edit twice"
              .formatted(before, option, row));
    }
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

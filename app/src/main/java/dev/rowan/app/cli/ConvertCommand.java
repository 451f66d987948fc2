package dev.rowan.app.cli;

import dev.rowan.core.Counted;
import dev.rowan.core.Lexicon;
import dev.rowan.formats.Models;
import dev.rowan.formats.file.NewFiles;
import dev.rowan.formats.tensor.TensorInfo;
import dev.rowan.formats.write.Conversion;
import dev.rowan.formats.write.ConvertOptions;
import dev.rowan.formats.write.Converter;
import dev.rowan.formats.write.NewFolder;
import dev.rowan.formats.write.NumberFormat;
import dev.rowan.formats.write.TargetFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a table in another format. */
@Command(
    name = "convert",
    description = {
      "Write the input table, or with --table output that one, and its tokens in another format.",
      "The format follows from the ending of OUT (.safetensors .gguf .vec .bin .npy .npz .csv"
          + " .tsv; none for a safetensors folder with its tokenizer) unless --to names it. What would not come back is refused before"
          + " anything is written; what is not kept is said."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowan convert default minilm.vec                    word2vec text",
      "  rowan convert glove.txt glove --to model2vec --dtype f16",
      "  rowan convert path/to/gpt2 gpt2.npy"
    })
final class ConvertCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(index = "0", paramLabel = "IN", description = "A model, as -m takes it.")
  String in = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "The file or folder to write.")
  String out = "";

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description =
          "safetensors, model2vec, gguf, word2vec, word2vec-binary, glove, npy, npz, projector, csv"
              + " or tsv; fasttext for what train --keep-output wrote.")
  @Nullable String to;

  @Option(
      names = "--dtype",
      paramLabel = "TYPE",
      description = "f32, f16, bf16 or int8; as stored if not given.")
  @Nullable String dtype;

  @Option(
      names = "--with-token",
      description = "Leave out rows without a token; ids behind them change.")
  boolean withToken;

  /** A format as typed. */
  enum Name {
    SAFETENSORS("safetensors", TargetFormat.SAFETENSORS, ""),
    SAFETENSORS_FILE("safetensors", TargetFormat.SAFETENSORS_FILE, ".safetensors"),
    MODEL2VEC("model2vec", TargetFormat.MODEL2VEC),
    GGUF("gguf", TargetFormat.GGUF, ".gguf"),
    WORD2VEC("word2vec", TargetFormat.WORD2VEC_TEXT, ".vec"),
    WORD2VEC_BINARY("word2vec-binary", TargetFormat.WORD2VEC_BINARY, ".bin"),
    GLOVE("glove", TargetFormat.GLOVE_TEXT),
    NPY("npy", TargetFormat.NPY, ".npy"),
    NPZ("npz", TargetFormat.NPZ, ".npz"),
    PROJECTOR("projector", TargetFormat.PROJECTOR),
    CSV("csv", TargetFormat.CSV, ".csv"),
    TSV("tsv", TargetFormat.TSV, ".tsv");

    final String typed;
    final TargetFormat format;
    private final @Nullable String ending; // none for folders and for what shares one

    Name(String typed, TargetFormat format) {
      this(typed, format, null);
    }

    Name(String typed, TargetFormat format, @Nullable String ending) {
      this.typed = typed;
      this.format = format;
      this.ending = ending;
    }

    private String usualEnding() {
      return format.isFolder() ? "" : ending == null ? ".txt" : ending;
    }
  }

  @Mixin ForceOption existing = new ForceOption();

  @Override
  public void run(Session session) throws IOException {
    Path target = Path.of(out);
    if (FastTextModel.NAME.equalsIgnoreCase(to)) {
      existing.check(List.of(target), List.of(Path.of(in)));
      checkEnding(to, target);
      Globals globals = session.globals();
      if (dtype != null || withToken || globals.table != null || globals.tensor != null) {
        throw new UseException(
            "--to fasttext keeps all rows as they are; leave --dtype, --with-token, --table and --tensor away");
      }
      try (InterruptOnExit _ = InterruptOnExit.guard()) {
        FastTextModel.convert(session, Path.of(in), target, existing);
      }
      return;
    }
    Name name = name(to, target);
    List<Path> inputs = ForceOption.inputs(in, session.globals().tokenizer);
    if (existing.force && Files.isRegularFile(target)) {
      inputs.addAll(numberFiles());
    }
    if (name.format.isFolder()) {
      ForceOption.checkApart(List.of(target), inputs);
      NewFolder.check(target);
    } else {
      existing.check(List.of(target), inputs);
    }
    checkEnding(to, target);
    NumberFormat numbers = numbers();
    session.globals().nameModel("IN", in);
    Lexicon model = model(session, name.format);
    ConvertOptions options =
        ConvertOptions.DEFAULT
            .withNumbers(numbers)
            .withRows(
                withToken ? ConvertOptions.RowChoice.WITH_TOKEN : ConvertOptions.RowChoice.ALL)
            .withWorkers(session.workers())
            .withTokenizer(session::tokenizerSource);
    Conversion written = write(session, model, name.format, options);
    session.answer(
        json ->
            json.text("path", target.toString())
                .text("format", name.typed)
                .number("rows", written.rows())
                .number("width", (long) written.width())
                .text("dtype", written.numbers())
                .array("notes", j -> written.notes().forEach(j::element)),
        page -> {
          page.line(
              "%s: %s × %,d, %s, as %s"
                  .formatted(
                      Visible.message(target.toString()),
                      Counted.of(written.rows(), "row"),
                      written.width(),
                      written.numbers(),
                      name.format.label()));
          written.notes().forEach(page::note);
        });
  }

  private Conversion write(
      Session session, Lexicon model, TargetFormat format, ConvertOptions options)
      throws IOException {
    Path target = Path.of(out);
    List<Conversion> written = new ArrayList<>();
    NewFiles.Writing writing =
        place -> written.add(Converter.convert(model, place, format, options));
    try (InterruptOnExit _ = InterruptOnExit.guard();
        Progress _ = session.progress("writing")) {
      if (format.isFolder()) {
        ForceOption.writeFolder(() -> writing.writeTo(target));
      } else {
        existing.write(Map.of(target, writing));
      }
    }
    return written.getFirst();
  }

  /** Returns the files whose numbers IN is made of; an ONNX graph names them as it likes. */
  private List<Path> numberFiles() throws IOException {
    return Files.exists(Path.of(in))
        ? Models.tensors(Path.of(in)).tensors().stream().map(TensorInfo::file).distinct().toList()
        : List.of();
  }

  /** Returns what to write: the model, or of one with two tables the output table alone. */
  private static Lexicon model(Session session, TargetFormat format) throws IOException {
    if (session.globals().table == Globals.TableChoice.output) {
      session.outputTable(); // refused if there is none
      Lexicon model = session.withOwnOutput();
      return model.ofOutput().orElse(model);
    }
    return format.holdsOutput() ? session.withOwnOutput() : session.lexicon();
  }

  /** Returns the format that was asked for, else the one that the ending of the target names. */
  static Name name(@Nullable String asked, Path target) {
    if (asked != null) {
      String typed = asked.toLowerCase(Locale.ROOT);
      Optional<Name> file = named(ending(target)).filter(name -> name.typed.equals(typed));
      return file.or(() ->
              Arrays.stream(Name.values()).filter(name -> name.typed.equals(typed)).findFirst())
          .orElseThrow(() ->
              new UseException("--to %s: it takes %s".formatted(Visible.quoted(asked), names())));
    }
    return named(ending(target))
        .orElseThrow(() ->
            new UseException(
                "the ending of %s names no format; name one with --to: %s"
                    .formatted(Visible.quoted(String.valueOf(target.getFileName())), names())));
  }

  /**
   * Checks that a file does not get the ending of another format than it has.
   *
   * @param asked the format asked for by name, if one was
   */
  static void checkEnding(@Nullable String asked, Path target) {
    String ending = ending(target);
    if (asked == null || ending.isEmpty()) {
      return;
    }
    String typed = asked.toLowerCase(Locale.ROOT);
    boolean grams = typed.equals(FastTextModel.NAME);
    String other = named(ending).map(name -> name.typed).orElse("");
    if (other.isEmpty() || other.equals(typed) || (grams && ending.equals(".bin"))) {
      return;
    }
    String usual = grams ? ".bin" : name(asked, target).usualEnding();
    String file = String.valueOf(target.getFileName());
    throw new UseException(
        "--to %s, but the ending of %s means %s: leave --to away, or write to %s"
            .formatted(
                typed,
                Visible.quoted(file),
                other,
                Visible.quoted(file.substring(0, file.length() - ending.length()) + usual)));
  }

  private static Optional<Name> named(String ending) {
    return Arrays.stream(Name.values()).filter(name -> ending.equals(name.ending)).findFirst();
  }

  private static String ending(Path target) {
    Path last = target.getFileName();
    String file = last == null ? "" : last.toString().toLowerCase(Locale.ROOT);
    int dot = file.lastIndexOf('.');
    return dot < 0 ? "" : file.substring(dot);
  }

  private static String names() {
    return Arrays.stream(Name.values())
            .map(name -> name.typed)
            .distinct()
            .collect(Collectors.joining(", "))
        + " or "
        + FastTextModel.NAME;
  }

  private NumberFormat numbers() {
    String asked = dtype;
    if (asked == null) {
      return NumberFormat.KEEP;
    }
    return switch (asked.toLowerCase(Locale.ROOT)) {
      case "f32" -> NumberFormat.F32;
      case "f16" -> NumberFormat.F16;
      case "bf16" -> NumberFormat.BF16;
      case "int8" -> NumberFormat.INT8;
      default ->
          throw new UseException(
              "--dtype %s: it takes f32, f16, bf16 or int8".formatted(Visible.quoted(asked)));
    };
  }
}

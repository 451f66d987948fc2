package dev.rowan.formats.write;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Tie;
import dev.rowan.core.Workers;
import dev.rowan.formats.tokenizer.TokenizerModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Writes an open lexicon in another format.
 *
 * {@snippet :
 * try (Lexicon glove = Models.open(Path.of("glove.6B.100d.txt"))) {
 *   Converter.convert(glove, Path.of("glove-m2v"), TargetFormat.MODEL2VEC, ConvertOptions.DEFAULT);
 * }
 * }
 *
 * <p>Kept are the rows of the input table in order, their tokens, the number format where the
 * target has it, and, in formats with a place for it, where the rows came from; safetensors, GGUF
 * and npz keep an output table too. What is not kept is said in {@link Conversion#notes}. Tokens or
 * numbers that would not come back are refused before anything is written.
 *
 * <p>A file or folder appears under its name only when it is complete and on disk. A file of that
 * name is replaced, a folder that holds something is not.
 */
public final class Converter {
  private Converter() {}

  /**
   * Converts. Cost: one pass over the table, two where numbers must be checked first. Memory: a few
   * megabytes, and for the folders with safetensors the rows in their new number format.
   *
   * @param target where the file or folder is to be
   * @throws IllegalArgumentException if the format cannot hold the tokens or numbers, with the
   *     reason; nothing is written then
   * @throws java.nio.file.FileAlreadyExistsException if a folder is to be written where something
   *     is
   * @throws IOException if writing fails; what was there before is untouched then
   */
  public static Conversion convert(
      Lexicon lexicon, Path target, TargetFormat format, ConvertOptions options)
      throws IOException {
    Path parent = target.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new NotDirectoryException(String.valueOf(parent));
    }
    if (format.isFolder()) {
      NewFolder.check(target);
    }
    Source source = Source.of(lexicon, options.rows());
    if (source.rows() == 0) {
      throw new IllegalArgumentException("there is no row to write");
    }
    if (options.workers().isPresent()) {
      return convert(source, target, format, options, options.workers().get());
    }
    try (Workers own = Workers.perProcessor()) {
      return convert(source, target, format, options, own);
    }
  }

  private static Conversion convert(
      Source source, Path target, TargetFormat format, ConvertOptions options, Workers workers)
      throws IOException {
    TokenRules.check(source, format);
    Encoder encoder = Numbers.choose(source, options.numbers(), format);
    EncodedRows rows = new EncodedRows(source, encoder, workers);
    Optional<EncodedRows> output = output(source, format, options.numbers(), workers);
    switch (format) {
      case SAFETENSORS -> {
        TokenizerOut tokenizer =
            TokenizerOut.of(source, TokenizerOut.Unknown.LEAVE, options.tokenizer());
        NewFolder.write(
            target, folder -> SafetensorsOut.folder(source, rows, output, tokenizer, folder));
      }
      case SAFETENSORS_FILE -> SafetensorsOut.file(source, rows, output, target);
      case MODEL2VEC -> {
        TokenizerOut tokenizer =
            TokenizerOut.of(source, TokenizerOut.Unknown.ADD, options.tokenizer());
        checkModel2Vec(source, tokenizer);
        NewFolder.write(target, folder -> FolderOut.model2vec(source, rows, tokenizer, folder));
      }
      case GGUF -> {
        Optional<TokenizerModel> tokenizer =
            source.hasTokens() ? SourceTokenizer.of(source, options.tokenizer()) : Optional.empty();
        GgufOut.write(source, rows, output, tokenizer, target);
      }
      case WORD2VEC_TEXT, GLOVE_TEXT -> TextOut.vectors(source, target, format);
      case WORD2VEC_BINARY -> TextOut.binary(source, target);
      case NPY -> {
        NumpyOut.npy(rows, target);
        source.note("npy holds numbers alone: tokens were not written");
      }
      case NPZ -> {
        NumpyOut.checkTokens(source);
        NumpyOut.npz(source, rows, output, target);
      }
      case PROJECTOR -> NewFolder.write(target, folder -> FolderOut.projector(source, folder));
      case CSV, TSV -> TextOut.columns(source, target, format);
    }
    noteLoss(source, rows, "");
    output.ifPresent(table -> noteLoss(source, table, "of the output table: "));
    noteLosses(source, format);
    return new Conversion(target, source.rows(), source.width(), encoder.label(), source.notes());
  }

  /** Readers of Model2Vec refuse a table with more or fewer rows than tokens. */
  private static void checkModel2Vec(Source source, TokenizerOut tokenizer) {
    for (long row = 0; row < source.rows(); row++) {
      if (source.token(row) == null) {
        throw new IllegalArgumentException(
            "row %d has no token, and Model2Vec needs one for each row; leave out the rows without a token (--with-token)"
                .formatted(source.id(row)));
      }
    }
    if (tokenizer.namedRows() > source.rows()) {
      throw new IllegalArgumentException(
          "the tokenizer has %,d tokens but the table %,d rows; Model2Vec needs as many rows"
              .formatted(tokenizer.namedRows(), source.rows()));
    }
  }

  private static void noteLoss(Source source, EncodedRows rows, String whose) {
    String loss = rows.encoder().loss();
    if (!loss.isEmpty()) {
      source.note(whose + loss);
    }
  }

  private static void noteLosses(Source source, TargetFormat format) throws IOException {
    if (format != TargetFormat.MODEL2VEC && FolderOut.normalizes(source)) {
      source.note(
          "the Model2Vec model gives what it makes of a text the length 1 (normalize); %s has no place to say so"
              .formatted(format.label()));
    }
    switch (format) {
      case WORD2VEC_TEXT, WORD2VEC_BINARY, GLOVE_TEXT, NPY, CSV, TSV, PROJECTOR ->
          noteTexts(source, format);
      case SAFETENSORS, SAFETENSORS_FILE, MODEL2VEC, GGUF, NPZ -> {}
    }
    boolean untied = source.lexicon().tie() == Tie.UNTIED;
    if (untied && source.lexicon().output().isEmpty()) {
      source.note(
          "the model has an output table of its own, which is not open and was not written");
    } else if (untied && !format.holdsOutput()) {
      source.note("the output table was not written: %s holds one table".formatted(format.label()));
    }
    if (source.lexicon().tie().isTied() && !saysTie(format)) {
      source.note(
          "the model uses its input table at the output too; %s has no place to say so"
              .formatted(format.label()));
    }
    if (source.lexicon().subwords().isPresent()) {
      source.note("vectors of unseen words cannot be made from what was written");
    }
  }

  private static void noteTexts(Source source, TargetFormat format) {
    List<String> names = List.copyOf(source.texts().keySet());
    source.note(
        "%s has no place for where the rows came from%s"
            .formatted(
                format.label(),
                names.isEmpty()
                    ? ""
                    : ", nor for what the file says of itself (%s%s)"
                        .formatted(
                            String.join(", ", names.subList(0, Math.min(4, names.size()))),
                            names.size() > 4 ? ", …" : "")));
  }

  private static boolean saysTie(TargetFormat format) {
    return switch (format) {
      case SAFETENSORS, SAFETENSORS_FILE, GGUF, NPZ -> true;
      case MODEL2VEC, WORD2VEC_TEXT, WORD2VEC_BINARY, GLOVE_TEXT, NPY, PROJECTOR, CSV, TSV -> false;
    };
  }

  /** An output table of its own, or one that safetensors files store a second time. */
  private static Optional<EncodedRows> output(
      Source source, TargetFormat format, NumberFormat numbers, Workers workers) {
    boolean kept =
        switch (source.lexicon().tie()) {
          case UNTIED -> format.holdsOutput();
          case TIED_STORED_TWICE ->
              format == TargetFormat.SAFETENSORS || format == TargetFormat.SAFETENSORS_FILE;
          case TIED, NO_OUTPUT, UNKNOWN -> false;
        };
    return kept
        ? source
            .output()
            .map(
                output -> new EncodedRows(output, Numbers.choose(output, numbers, format), workers))
        : Optional.empty();
  }
}

package dev.rowan.formats.write;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.safetensors.SafetensorsWriter.Tensor;
import dev.rowan.formats.safetensors.StoredTokens;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Safetensors: the table, and the output table where there is one of its own, as a folder with
 * tokenizer and config or as one file with the spellings of the tokens in it.
 */
final class SafetensorsOut {
  private SafetensorsOut() {}

  static void folder(
      Source source,
      EncodedRows rows,
      Optional<EncodedRows> output,
      TokenizerOut tokenizer,
      Path folder)
      throws IOException {
    write(source, rows, output, List.of(), folder.resolve("model.safetensors"));
    tokenizer.write(folder.resolve("tokenizer.json"));
    FolderOut.text(folder.resolve("config.json"), config(source));
  }

  static void file(Source source, EncodedRows rows, Optional<EncodedRows> output, Path file)
      throws IOException {
    List<Tensor> tokens = List.of();
    if (source.hasTokens()) {
      Vocabulary vocabulary = vocabulary(source);
      tokens = StoredTokens.tensors(vocabulary);
      if (vocabulary.spelling() != Spelling.PLAIN) {
        source.note(
            "one safetensors file names the rows but has no place for what splits text; a folder has (leave the ending away)");
      }
    } else {
      source.note("the model has no vocabulary, so the rows have no names");
    }
    write(source, rows, output, tokens, file);
  }

  private static void write(
      Source source, EncodedRows rows, Optional<EncodedRows> output, List<Tensor> tokens, Path file)
      throws IOException {
    try (Arena arena = Arena.ofShared()) {
      List<Tensor> tensors = new ArrayList<>(tokens);
      tensors.add(tensor(inputName(source), rows, rows.whole(arena), source.rows()));
      output.ifPresent(table ->
          tensors.add(
              tensor(outputName(source), table, table.whole(arena), table.source().rows())));
      SafetensorsWriter.write(file, tensors, source.textsAndProvenance());
    }
  }

  private static Vocabulary vocabulary(Source source) {
    byte[][] entries = new byte[Math.toIntExact(source.rows())][];
    BitSet absent = new BitSet();
    for (int row = 0; row < entries.length; row++) {
      byte[] token = source.token(row);
      entries[row] = token == null ? new byte[0] : token;
      absent.set(row, token == null);
    }
    return Vocabulary.of(source.vocabulary().spelling(), entries, absent, new BitSet());
  }

  /** Names that no convention knows would not be found again. */
  private static String inputName(Source source) {
    String name = source.lexicon().input().tensor();
    return name.contains("embed") || name.contains("wte") || name.startsWith("shared")
        ? name
        : "embeddings.weight";
  }

  private static String outputName(Source source) {
    String name = source.lexicon().output().orElseThrow().tensor();
    return TableNames.isOutput(name) ? name : "lm_head.weight";
  }

  private static String config(Source source) {
    StringBuilder json = new StringBuilder("{");
    source
        .lexicon()
        .origin()
        .architecture()
        .ifPresent(name -> json.append("\"model_type\":").append(Json.quoted(name)).append(','));
    switch (source.lexicon().tie()) {
      case TIED, TIED_STORED_TWICE -> json.append("\"tie_word_embeddings\":true,");
      // a silent config would count as tied
      case UNTIED, NO_OUTPUT, UNKNOWN -> json.append("\"tie_word_embeddings\":false,");
    }
    return json.append("\"vocab_size\":")
        .append(source.rows())
        .append(",\"hidden_size\":")
        .append(source.width())
        .append("}\n")
        .toString();
  }

  static Tensor tensor(String name, EncodedRows rows, MemorySegment data, long count) {
    return new Tensor(
        name, dtype(rows.encoder().label()), List.of(count, (long) rows.source().width()), data);
  }

  private static String label(String numbers) {
    return numbers.toUpperCase(Locale.ROOT);
  }

  private static Dtype dtype(String numbers) {
    Dtype dtype = SafetensorsDtypes.byLabel().get(label(numbers));
    if (dtype == null) {
      throw new IllegalStateException("safetensors has no " + numbers);
    }
    return dtype;
  }
}

package dev.rowan.formats.write;

import dev.rowan.formats.convention.TableNames;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Models that are folders: safetensors with tokenizer and config, Model2Vec, the projector. */
final class FolderOut {
  private FolderOut() {}

  /** The table, the output table where there is one of its own, tokens, and how they are tied. */
  static void safetensors(
      Source source,
      EncodedRows rows,
      Optional<EncodedRows> output,
      TokenizerOut tokenizer,
      Path folder)
      throws IOException {
    try (Arena arena = Arena.ofShared()) {
      List<SafetensorsWriter.Tensor> tensors = new ArrayList<>();
      String name = inputName(source);
      tensors.add(tensor(name, rows, rows.whole(arena), source.rows()));
      output.ifPresent(table ->
          tensors.add(
              tensor(outputName(source), table, table.whole(arena), table.source().rows())));
      SafetensorsWriter.write(folder.resolve("model.safetensors"), tensors, source.provenance());
    }
    tokenizer.write(folder.resolve("tokenizer.json"));
    text(folder.resolve("config.json"), config(source));
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

  /** What model2vec 0.8 opens: {@code embeddings}, tokenizer, config, modules. */
  static void model2vec(Source source, EncodedRows rows, TokenizerOut tokenizer, Path folder)
      throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = rows.whole(arena);
      long count = source.rows();
      if (tokenizer.addsRow()) {
        long rowBytes = rows.encoder().rowBytes();
        MemorySegment longer = arena.allocate(data.byteSize() + rowBytes, 64);
        MemorySegment.copy(data, 0, longer, 0, data.byteSize());
        data = longer;
        count++;
      }
      SafetensorsWriter.write(
          folder.resolve("model.safetensors"),
          List.of(tensor("embeddings", rows, data, count)),
          source.provenance());
    }
    tokenizer.write(folder.resolve("tokenizer.json"));
    text(
        folder.resolve("config.json"),
        """
        {"model_type":"model2vec","architectures":["StaticModel"],"tokenizer_name":%s,\
        "apply_pca":null,"sif_coefficient":null,"hidden_dim":%d,"seq_length":1000000,\
        "normalize":false,"pooling":"mean","embedding_dtype":%s}
        """
            .formatted(
                Json.quoted(String.valueOf(source.lexicon().origin().path().getFileName())),
                source.width(),
                Json.quoted(numpyName(rows.encoder().label()))));
    text(
        folder.resolve("modules.json"),
        """
        [{"idx":0,"name":"0","path":".","type":"sentence_transformers.models.StaticEmbedding"}]
        """);
  }

  private static String numpyName(String numbers) {
    return switch (numbers) {
      case "f64" -> "float64";
      case "f16" -> "float16";
      case "i8" -> "int8";
      default -> "float32";
    };
  }

  /** Numbers and tokens as text, and the config that TensorBoard looks for. */
  static void projector(Source source, Path folder) throws IOException {
    TextOut.numbers(source, folder.resolve("tensors.tsv"));
    TextOut.tokens(source, folder.resolve("metadata.tsv"));
    text(
        folder.resolve("projector_config.pbtxt"),
        """
        embeddings {
          tensor_name: %s
          tensor_shape: %d
          tensor_shape: %d
          tensor_path: "tensors.tsv"
          metadata_path: "metadata.tsv"
        }
        """
            .formatted(
                Json.quoted(source.lexicon().input().tensor()), source.rows(), source.width()));
  }

  private static SafetensorsWriter.Tensor tensor(
      String name, EncodedRows rows, MemorySegment data, long count) {
    return new SafetensorsWriter.Tensor(
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

  private static void text(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    NewFile.write(file, out -> out.append(MemorySegment.ofArray(bytes)));
  }
}

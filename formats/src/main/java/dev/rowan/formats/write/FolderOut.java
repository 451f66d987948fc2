package dev.rowan.formats.write;

import dev.rowan.core.Origin;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.NewFile;
import dev.rowan.formats.json.JsonTree;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Folders of other programs: Model2Vec and the projector of TensorBoard. */
final class FolderOut {
  /** Settings of a table that was no Model2Vec model: the mean of rows, as it is. */
  private static final String USUAL =
      """
      {"model_type":"model2vec","architectures":["StaticModel"],"apply_pca":null,\
      "sif_coefficient":null,"seq_length":1000000,"normalize":false,"pooling":"mean"}
      """;

  private FolderOut() {}

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
          List.of(SafetensorsOut.tensor("embeddings", rows, data, count)),
          source.textsAndProvenance());
    }
    tokenizer.write(folder.resolve("tokenizer.json"));
    JsonTree.Members config = JsonTree.read(folder, utf8(USUAL));
    config.members().putAll(kept(source).members());
    config.put("model_type", new JsonTree.Text("model2vec"));
    config.put("hidden_dim", JsonTree.Literal.of(source.width()));
    config.put("embedding_dtype", new JsonTree.Text(numpyName(rows.encoder().label())));
    if (config.find("tokenizer_name").isEmpty()) {
      config.put("tokenizer_name", new JsonTree.Text(source.name()));
    }
    MemorySegment written = MemorySegment.ofArray(config.text(JsonTree.Layout.INDENTED));
    NewFile.write(folder.resolve("config.json"), out -> out.append(written));
    text(
        folder.resolve("modules.json"),
        """
        [{"idx":0,"name":"0","path":".","type":"sentence_transformers.models.StaticEmbedding"}]
        """);
  }

  /** Returns whether a Model2Vec model gives what it makes of a text the length 1. */
  static boolean normalizes(Source source) throws IOException {
    return kept(source).find("normalize").equals(Optional.of(JsonTree.Literal.truth(true)));
  }

  /** Settings of a Model2Vec model stay, such as whether what it makes of a text gets length 1. */
  private static JsonTree.Members kept(Source source) throws IOException {
    Origin origin = source.lexicon().origin();
    Path config =
        Files.isDirectory(origin.path())
            ? origin.path().resolve("config.json")
            : origin.path().resolveSibling("config.json");
    if (!origin.format().equals("model2vec") || !Files.isRegularFile(config)) {
      return JsonTree.Members.empty();
    }
    try (MappedFile file = MappedFile.open(config)) {
      return JsonTree.read(config, file.bytes());
    }
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

  static void text(Path file, String text) throws IOException {
    NewFile.write(file, out -> out.append(utf8(text)));
  }

  private static MemorySegment utf8(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
  }
}

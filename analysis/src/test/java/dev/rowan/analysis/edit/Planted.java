package dev.rowan.analysis.edit;

import static java.util.Objects.requireNonNull;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.core.Workers;
import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.Models;
import dev.rowan.formats.safetensors.SafetensorsDtypes;
import dev.rowan.formats.safetensors.SafetensorsWriter;
import dev.rowan.formats.tensor.Dtype;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Model folders made by hand: the table of the examples, a tokenizer of five words, a config. */
final class Planted {
  /** Rows whose mean is [1.6, 4] and whose covariance (÷ V) is [[7.44, 4], [4, 6]]. */
  static final float[] T = {1, 2, 3, 4, 6, 8, 0, 1, -2, 5};

  static final String INPUT = "model.embed_tokens.weight";
  static final String OUTPUT = "lm_head.weight";
  static final List<String> WORDS = List.of("zero", "one", "two", "three", "four");

  private Planted() {}

  static SafetensorsWriter.Tensor f32(String name, List<Long> shape, float... values) {
    return new SafetensorsWriter.Tensor(
        name, SafetensorsDtypes.F32, shape, MemorySegment.ofArray(values));
  }

  static SafetensorsWriter.Tensor f64(String name, List<Long> shape, double... values) {
    return new SafetensorsWriter.Tensor(
        name, SafetensorsDtypes.F64, shape, MemorySegment.ofArray(values));
  }

  static SafetensorsWriter.Tensor bf16(String name, List<Long> shape, float... values) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[values.length * 2]);
    FloatFormat.BF16.encode(values, 0, values.length, bytes, 0);
    return new SafetensorsWriter.Tensor(name, SafetensorsDtypes.BF16, shape, bytes);
  }

  static SafetensorsWriter.Tensor ints(String name, int count) {
    Dtype dtype = requireNonNull(SafetensorsDtypes.byLabel().get("I64"));
    return new SafetensorsWriter.Tensor(
        name, dtype, List.of((long) count), MemorySegment.ofArray(new byte[8 * count]));
  }

  /** A tied model in one file: T, a matrix, a buffer. */
  static Path tied(Path folder) throws IOException {
    return write(
        folder,
        """
        {"model_type": "toy", "tie_word_embeddings": true, "vocab_size": 5, "pad_token_id": 4}
        """,
        f32(INPUT, List.of(5L, 2L), T),
        f32("model.layer.weight", List.of(2L, 3L), 1, 2, 3, 4, 5, 6),
        ints("model.positions", 7));
  }

  /** As {@link #tied} with an output table and its bias. */
  static Path untied(Path folder) throws IOException {
    return write(
        folder,
        """
        {"model_type": "toy", "tie_word_embeddings": false, "vocab_size": 5}
        """,
        f32(INPUT, List.of(5L, 2L), T),
        f32(OUTPUT, List.of(5L, 2L), 10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
        f32("lm_head.bias", List.of(5L), 1, 2, 3, 4, 5),
        f32("model.layer.weight", List.of(2L, 3L), 1, 2, 3, 4, 5, 6));
  }

  static Path write(Path folder, String config, SafetensorsWriter.Tensor... tensors)
      throws IOException {
    Files.createDirectories(folder);
    SafetensorsWriter.write(
        folder.resolve("model.safetensors"), List.of(tensors), Map.of("format", "pt"));
    Files.writeString(folder.resolve("config.json"), config);
    tokenizer(folder);
    return folder;
  }

  /** A tied model in two files with an index; the table is in the second. */
  static Path sharded(Path folder) throws IOException {
    Files.createDirectories(folder);
    SafetensorsWriter.write(
        folder.resolve("model-00001-of-00002.safetensors"),
        List.of(f32("model.layer.weight", List.of(2L, 3L), 1, 2, 3, 4, 5, 6)),
        Map.of("format", "pt"));
    SafetensorsWriter.write(
        folder.resolve("model-00002-of-00002.safetensors"),
        List.of(bf16(INPUT, List.of(5L, 2L), T), f32("model.norm.weight", List.of(2L), 7, 8)),
        Map.of("format", "pt"));
    Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        """
        {
          "metadata": {
            "total_size": 52
          },
          "weight_map": {
            "model.layer.weight": "model-00001-of-00002.safetensors",
            "model.embed_tokens.weight": "model-00002-of-00002.safetensors",
            "model.norm.weight": "model-00002-of-00002.safetensors"
          }
        }
        """);
    Files.writeString(
        folder.resolve("config.json"),
        """
        {
          "text_config": {
            "vocab_size": 5,
            "rope_theta": 1e-05
          },
          "tie_word_embeddings": true
        }
        """);
    tokenizer(folder);
    return folder;
  }

  static void tokenizer(Path folder) throws IOException {
    List<String> entries = new ArrayList<>();
    for (int id = 0; id < WORDS.size(); id++) {
      entries.add("\"%s\": %d".formatted(WORDS.get(id), id));
    }
    Files.writeString(
        folder.resolve("tokenizer.json"),
        """
        {"version": "1.0", "added_tokens": [], "normalizer": null,
         "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
         "model": {"type": "WordLevel", "vocab": {%s}, "unk_token": "zero"}}
        """
            .formatted(String.join(", ", entries)));
  }

  /** Splits at spaces and looks words up, in the tokenizer that the folder has. */
  static Optional<TextSplitter> words(Path folder) throws IOException {
    Vocabulary vocabulary;
    try (Lexicon model = Models.open(folder)) {
      vocabulary = model.vocabulary().orElseThrow();
    }
    return Optional.of(
        new TextSplitter() {
          @Override
          public long[] split(String text) {
            return Arrays.stream(text.split(" "))
                .mapToLong(word -> vocabulary.id(word).orElse(0))
                .toArray();
          }

          @Override
          public OptionalInt unknown(Vocabulary words) {
            return OptionalInt.of(0);
          }
        });
  }

  /** Does an edit, reading the result back. */
  static Edited edit(Path model, Path target, Edit... edits) throws IOException {
    return edit(EditRequest.of(model, target, edits));
  }

  static Edited edit(EditRequest request) throws IOException {
    try (Workers workers = Workers.of(2);
        EditPlan plan = new Editor(workers, Planted::words).plan(request)) {
      return plan.write();
    }
  }

  /** Returns all rows of a model's input table. */
  static List<float[]> rows(Path model) throws IOException {
    try (Lexicon lexicon = Models.open(model)) {
      List<float[]> rows = new ArrayList<>();
      for (long id = 0; id < lexicon.input().table().rows(); id++) {
        rows.add(lexicon.input().table().row(id));
      }
      return rows;
    }
  }
}

package dev.rowan.formats;

import dev.rowan.formats.safetensors.RawSafetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A model folder in the shape of GPT-2's: 12 rows of width 4 with planted values, a byte-level BPE
 * tokenizer of 10 tokens (so two rows have none), no head, a config.
 *
 * <p>Row i is [i, i + 0.25, −i, 0.5]; every number is exact in f32, f16 and bf16.
 */
public final class GptFolder {
  /** The rows of the table. */
  public static final int ROWS = 12;

  /** Their width. */
  public static final int WIDTH = 4;

  /** The id of {@code " cat"}. */
  public static final int SPACE_CAT = 3;

  /** The id of {@code "cat"}. */
  public static final int CAT = 4;

  private static final List<String> TOKENS =
      List.of("!", "\\\"", "Ġthe", "Ġcat", "cat", "Ġdog", "Ċ", "ÃŃ", "Ł");

  private final Path folder;

  private GptFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes the folder, weights named {@code wte.weight} and {@code wpe.weight}. */
  public static GptFolder write(Path folder) throws IOException {
    Files.createDirectories(folder);
    GptFolder model = new GptFolder(folder);
    model.weights(List.of(new Entry("wte.weight", ROWS, 0), new Entry("wpe.weight", 3, 100)));
    model.config("{\"model_type\":\"gpt2\",\"vocab_size\":12,\"n_embd\":4}");
    model.tokenizer(tokenizerJson());
    return model;
  }

  /**
   * A tensor of WIDTH columns to write.
   *
   * @param first what row 0 counts from
   */
  public record Entry(String name, int rows, int first) {}

  /** Returns the folder. */
  public Path folder() {
    return folder;
  }

  /** Writes model.safetensors anew, float32. */
  public GptFolder weights(List<Entry> entries) throws IOException {
    return weights("model.safetensors", entries);
  }

  /** Writes a safetensors file of another name, float32. */
  public GptFolder weights(String file, List<Entry> entries) throws IOException {
    List<String> header = new ArrayList<>();
    List<Float> values = new ArrayList<>();
    for (Entry entry : entries) {
      long begin = 4L * values.size();
      for (int row = 0; row < entry.rows(); row++) {
        for (float value : plantedRow(entry.first() + row)) {
          values.add(value);
        }
      }
      String shape = "[%d,%d]".formatted(entry.rows(), WIDTH);
      header.add(RawSafetensors.entry(entry.name(), "F32", shape, begin, 4L * values.size()));
    }
    float[] data = new float[values.size()];
    for (int i = 0; i < data.length; i++) {
      data[i] = values.get(i);
    }
    RawSafetensors.write(
        folder.resolve(file), "{" + String.join(",", header) + "}", RawSafetensors.floats(data));
    return this;
  }

  /** Writes config.json anew. */
  public GptFolder config(String json) throws IOException {
    Files.writeString(folder.resolve("config.json"), json);
    return this;
  }

  /** Removes config.json. */
  public GptFolder withoutConfig() throws IOException {
    Files.delete(folder.resolve("config.json"));
    return this;
  }

  /** Writes tokenizer.json anew. */
  public GptFolder tokenizer(String json) throws IOException {
    Files.writeString(folder.resolve("tokenizer.json"), json);
    return this;
  }

  /** Returns row {@code i} as planted. */
  public static float[] plantedRow(int i) {
    return new float[] {i, i + 0.25f, -i, 0.5f};
  }

  /** Returns the tokenizer. */
  public static String tokenizerJson() {
    StringBuilder vocabulary = new StringBuilder();
    for (int i = 0; i < TOKENS.size(); i++) {
      vocabulary.append(i == 0 ? "" : ",");
      vocabulary.append('"').append(TOKENS.get(i)).append("\":").append(i);
    }
    return """
    {"version":"1.0",
     "added_tokens":[{"id":9,"content":"<|endoftext|>","special":true}],
     "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},
     "decoder":{"type":"ByteLevel"},
     "model":{"type":"BPE","vocab":{%s},"merges":["Ġ t","Ġt he",["c","at"]]}}
    """
        .formatted(vocabulary);
  }
}

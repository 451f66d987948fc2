package dev.rowan.checks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A folder with the shape of GPT-2's: a byte-level tokenizer.json, a config that says nothing of
 * tying, and a safetensors file with {@code wte.weight}, further weights and no head. Rows are
 * planted so that answers follow by hand.
 */
final class Gpt2Shape {
  /** Byte-level spellings; a token's place is its id. */
  static final List<String> TOKENS =
      List.of(
          "c",
          "a",
          "t",
          "n",
          "d",
          "o",
          "g",
          "m",
          "\u0120",
          "s", // 0..9
          "ca",
          "cat",
          "can",
          "\u0120c",
          "\u0120ca", // 10..14
          "\u0120cat",
          "\u0120can",
          "\u0120d",
          "\u0120do",
          "\u0120dog", // 15..19
          "man",
          "\u0120man",
          "<|endoftext|>"); // 20..22

  /** Each merge joins two tokens above into one above. */
  private static final List<String> MERGES =
      List.of(
          "c a", "ca t", "ca n", "\u0120 cat", "\u0120 can", "\u0120 d", "\u0120d o", "\u0120do g");

  static final int WIDTH = 4;

  /** Rows that are not (1, 0, 0, 0): near " cat" lies " dog" (cosine 0.8), then "cat" (0.6). */
  private static final Map<Integer, float[]> PLANTED =
      Map.of(
          15, new float[] {0, 5, 0, 0}, // " cat"
          19, new float[] {0, 4, 3, 0}, // " dog": 4·5 / (5·5)
          11, new float[] {0, 3, 0, 4}, // "cat": 3·5 / (5·5)
          16, new float[] {0, 0, 0, 2}, // " can"
          12, new float[] {0, 0, 1, 0}); // "can"

  private Gpt2Shape() {}

  /** Writes the folder and returns it. */
  static Path write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
    Files.writeString(
        folder.resolve("config.json"),
        "{\"model_type\": \"gpt2\", \"architectures\": [\"GPT2LMHeadModel\"], \"n_embd\": 4, \"vocab_size\": 23}");
    Files.write(folder.resolve("model.safetensors"), weights());
    return folder;
  }

  private static String tokenizer() {
    StringBuilder vocabulary = new StringBuilder();
    for (int id = 0; id < TOKENS.size() - 1; id++) {
      vocabulary.append(id == 0 ? "" : ", ").append("\"%s\": %d".formatted(TOKENS.get(id), id));
    }
    String merges = String.join(", ", MERGES.stream().map(m -> '"' + m + '"').toList());
    return """
    {"version": "1.0", "truncation": null, "padding": null,
     "added_tokens": [{"id": 22, "content": "<|endoftext|>", "single_word": false, "lstrip": false,
                       "rstrip": false, "normalized": true, "special": true}],
     "normalizer": null,
     "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true,
                       "use_regex": true},
     "post_processor": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": false,
                        "use_regex": true},
     "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true,
                 "use_regex": true},
     "model": {"type": "BPE", "dropout": null, "unk_token": null,
               "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
               "vocab": {%s}, "merges": [%s]}}
    """
        .formatted(vocabulary, merges);
  }

  private static byte[] weights() {
    int table = TOKENS.size() * WIDTH * 4;
    String json =
        ("{\"ln_f.weight\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]},"
                + "\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[16,%d]}}")
            .formatted(TOKENS.size(), WIDTH, 16 + table);
    byte[] header = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file =
        ByteBuffer.allocate(8 + header.length + 16 + table).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header).putFloat(1).putFloat(1).putFloat(1).putFloat(1);
    for (int id = 0; id < TOKENS.size(); id++) {
      for (float value : PLANTED.getOrDefault(id, new float[] {1, 0, 0, 0})) {
        file.putFloat(value);
      }
    }
    return file.array();
  }
}

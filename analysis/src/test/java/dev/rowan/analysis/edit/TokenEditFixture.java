package dev.rowan.analysis.edit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A model of byte pairs to edit, and texts to edit it by. */
abstract class TokenEditFixture extends EditFixture {
  static final String BPE =
      """
      {
        "version": "1.0",
        "padding": {"strategy": "BatchLongest", "pad_id": 7, "pad_token": "<end>"},
        "added_tokens": [
          {"id": 7, "content": "<end>", "special": true}
        ],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
        "post_processor": {
          "type": "TemplateProcessing",
          "special_tokens": {"<end>": {"id": "<end>", "ids": [7], "tokens": ["<end>"]},
                             "alien": {"id": "alien", "ids": [3], "tokens": ["alien"]}}
        },
        "decoder": {"type": "ByteLevel"},
        "model": {
          "type": "BPE",
          "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5, "ca": 6},
          "merges": [["a", "b"], ["b", "c"], ["ab", "c"], ["c", "a"]]
        }
      }
      """;

  static float[] ramp(int rows) {
    float[] values = new float[rows * 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return values;
  }

  Path bpeModel() throws IOException {
    Planted.write(
        model,
        """
        {"vocab_size": 9, "eos_token_id": [7, 8], "bos_token_id": 7}
        """,
        Planted.f32(Planted.INPUT, List.of(9L, 2L), ramp(9)));
    Files.writeString(model.resolve("tokenizer.json"), BPE);
    return model;
  }

  Path corpus(String text) throws IOException {
    return Files.writeString(folder.resolve("corpus.txt"), text);
  }

  Path donor() throws IOException {
    Path donor = folder.resolve("donor");
    // "trois" lies between "one" and "two" there, at cosines 0.8 and 0.6
    Planted.write(
        donor,
        "{\"vocab_size\": 4}",
        Planted.f32(Planted.INPUT, List.of(4L, 2L), 1, 0, 0.8f, 0.6f, 0, 1, -1, -1));
    Files.writeString(
        donor.resolve("tokenizer.json"),
        """
        {"pre_tokenizer": {"type": "Whitespace"},
         "model": {"type": "WordLevel", "vocab": {"one": 0, "trois": 1, "two": 2, "zero": 3},
          "unk_token": "zero"}}
        """);
    return donor;
  }
}

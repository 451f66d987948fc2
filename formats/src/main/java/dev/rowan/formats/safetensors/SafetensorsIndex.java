package dev.rowan.formats.safetensors;

import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A {@code model.safetensors.index.json}: which shard holds which tensor. Other fields, such as
 * {@code metadata.total_size}, are passed over.
 *
 * <pre>
 *   {"metadata": {"total_size": 123}, "weight_map": {"tensor": "model-00001-of-00002.safetensors"}}
 * </pre>
 *
 * @param shardOf tensor name → file name, both as written in the file and not to be trusted
 */
public record SafetensorsIndex(Map<String, String> shardOf) {

  /**
   * Reads an index; those of PyTorch checkpoints look the same.
   *
   * @throws dev.rowan.formats.file.FormatException if it is none
   */
  public static SafetensorsIndex read(Path path) throws IOException {
    Map<String, String> shardOf = new LinkedHashMap<>();
    boolean found = false;
    try (MappedFile file = MappedFile.open(path)) {
      JsonReader json = JsonReader.over(path, file.bytes(), 0);
      json.enterObject("the index");
      while (json.nextName()) {
        if (!json.name().equals("weight_map")) {
          json.nextValue();
          json.skip();
          continue;
        }
        found = true;
        json.enterObject("weight_map");
        while (json.nextName()) {
          String tensor = json.name();
          json.nextValue();
          String shard = json.text("the file of tensor \"%s\" in weight_map".formatted(tensor));
          if (shardOf.put(tensor, shard) != null) {
            throw json.wrong(
                "duplicate name: tensor \"%s\" occurs twice in weight_map".formatted(tensor));
          }
        }
      }
      if (found && shardOf.isEmpty()) {
        throw json.wrong(
            "\"weight_map\" is empty, so no weights are named; name the weights file or the model's"
                + " folder");
      }
      if (!found) {
        throw json.wrong(
            "there is no \"weight_map\", so this is not the index of a safetensors model; name the"
                + " weights file or the model's folder");
      }
      json.end();
    }
    return new SafetensorsIndex(Collections.unmodifiableMap(shardOf));
  }
}

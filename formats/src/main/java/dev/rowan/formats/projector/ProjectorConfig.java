package dev.rowan.formats.projector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.file.TextStart;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a config of the projector names, in either of its two spellings:
 *
 * <pre>
 *   {"embeddings": [{"tensorName": …, "tensorShape": [V, d], "tensorPath": …, "metadataPath": …}]}
 *   embeddings { tensor_name: "…" tensor_path: "…" metadata_path: "…" }
 * </pre>
 */
final class ProjectorConfig {
  private static final int LONGEST = 1 << 20;
  private static final Pattern BLOCK = Pattern.compile("embeddings\\s*:?\\s*\\{([^{}]*)\\}");
  private static final Pattern FIELD =
      Pattern.compile("(tensor_name|tensor_path|metadata_path)\\s*:\\s*(?:\"([^\"]*)\"|'([^']*)')");
  private static final Pattern SHAPE = Pattern.compile("tensor_shape\\s*:\\s*(\\d{1,18})");

  private ProjectorConfig() {}

  /**
   * A table that a config names.
   *
   * @param name what it is called
   * @param shape its rows and width, if the config says
   * @param numbers the file of its numbers
   * @param metadata the file of its tokens
   */
  record Entry(String name, List<Long> shape, String numbers, Optional<String> metadata) {}

  static List<Entry> read(Path path) throws IOException {
    try (MappedFile file = MappedFile.open(path)) {
      if (file.size() > LONGEST) {
        throw new FormatException(
            path, "has %,d bytes; configs have at most %,d".formatted(file.size(), LONGEST));
      }
      MemorySegment bytes = TextStart.after(file.bytes());
      String text = new String(bytes.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
      List<Entry> entries =
          text.stripLeading().startsWith("{") ? json(path, bytes) : proto(path, text);
      if (entries.isEmpty()) {
        throw new FormatException(path, "names no embeddings");
      }
      return entries;
    }
  }

  private static List<Entry> json(Path path, MemorySegment bytes) {
    List<Entry> entries = new ArrayList<>();
    JsonReader json = JsonReader.over(path, bytes, 0);
    json.enterObject("the config");
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      if (field.equals("embeddings") && json.isArray()) {
        while (json.nextValue()) {
          entries.add(entry(path, json));
        }
      } else {
        json.skip();
      }
    }
    json.end();
    return entries;
  }

  private static Entry entry(Path path, JsonReader json) {
    if (!json.isObject()) {
      throw json.wrong("an entry of \"embeddings\" should be an object");
    }
    String name = null;
    String numbers = null;
    String metadata = null;
    List<Long> shape = new ArrayList<>();
    while (json.nextName()) {
      String field = json.name();
      json.nextValue();
      switch (field) {
        case "tensorName" -> name = json.text(field);
        case "tensorPath" -> numbers = json.text(field);
        case "metadataPath" -> metadata = json.text(field);
        case "tensorShape" -> {
          if (!json.isArray()) {
            throw json.wrong("tensorShape should be an array");
          }
          while (json.nextValue()) {
            shape.add(json.whole("a dimension of tensorShape"));
          }
        }
        default -> json.skip();
      }
    }
    return entry(path, name, shape, numbers, metadata);
  }

  private static List<Entry> proto(Path path, String text) {
    List<Entry> entries = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(text);
    while (blocks.find()) {
      String name = null;
      String numbers = null;
      String metadata = null;
      Matcher fields = FIELD.matcher(blocks.group(1));
      while (fields.find()) {
        String value = fields.group(2) == null ? fields.group(3) : fields.group(2);
        switch (fields.group(1)) {
          case "tensor_name" -> name = value;
          case "tensor_path" -> numbers = value;
          default -> metadata = value;
        }
      }
      List<Long> shape = new ArrayList<>();
      Matcher dimensions = SHAPE.matcher(blocks.group(1));
      while (dimensions.find()) {
        shape.add(Long.valueOf(dimensions.group(1)));
      }
      entries.add(entry(path, name, shape, numbers, metadata));
    }
    return entries;
  }

  private static Entry entry(
      Path path,
      @Nullable String name,
      List<Long> shape,
      @Nullable String numbers,
      @Nullable String metadata) {
    if (numbers == null) {
      throw new FormatException(
          path, "names no file of numbers (tensorPath) for \"%s\"".formatted(name));
    }
    if (!shape.isEmpty() && (shape.size() != 2 || shape.get(0) < 1 || shape.get(1) < 1)) {
      throw new FormatException(path, "says shape " + shape + "; a table is rows × width");
    }
    return new Entry(
        name == null ? numbers : name, List.copyOf(shape), numbers, Optional.ofNullable(metadata));
  }
}

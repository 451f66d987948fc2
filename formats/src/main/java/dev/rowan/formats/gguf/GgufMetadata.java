package dev.rowan.formats.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.gguf.GgufValue.Items;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The settings of a GGUF file, by key. A key of another type than it should be is an error. */
final class GgufMetadata {
  /** The longest key that the format allows. */
  private static final int KEY_LIMIT = 65_535;

  /** The longest text that is made into a string; none of those that are asked for is longer. */
  private static final int TEXT_LIMIT = 1 << 20;

  private static final int DEEPEST = 8;

  private final Path path;
  private final MemorySegment file;
  private final ByteOrder order;
  private final Map<String, GgufValue> values = new LinkedHashMap<>();

  private GgufMetadata(Path path, MemorySegment file, ByteOrder order) {
    this.path = path;
    this.file = file;
    this.order = order;
  }

  /** Reads the keys and passes over the values that {@code cursor} stands in front of. */
  static GgufMetadata read(
      Path path, MemorySegment file, ByteOrder order, GgufCursor cursor, long count) {
    GgufMetadata metadata = new GgufMetadata(path, file, order);
    for (long i = 0; i < count; i++) {
      String key = cursor.text("key " + i, KEY_LIMIT);
      GgufValue value = value(cursor, key, type(cursor, key), 0);
      if (metadata.values.put(key, value) != null) {
        throw cursor.wrong("duplicate key: \"%s\" occurs twice".formatted(key));
      }
    }
    return metadata;
  }

  private static GgufType type(GgufCursor cursor, String key) {
    int type = cursor.i32();
    return GgufType.of(type)
        .orElseThrow(() ->
            cursor.wrong(
                "key \"%s\" has value type %s, which is not known; 0 to 12 are"
                    .formatted(key, Integer.toUnsignedString(type))));
  }

  private static GgufValue value(GgufCursor cursor, String key, GgufType type, int depth) {
    return switch (type) {
      case U8 -> new GgufValue.Whole(type, cursor.i8() & 0xFF);
      case I8 -> new GgufValue.Whole(type, cursor.i8());
      case U16 -> new GgufValue.Whole(type, cursor.i16() & 0xFFFF);
      case I16 -> new GgufValue.Whole(type, cursor.i16());
      case U32 -> new GgufValue.Whole(type, cursor.i32() & 0xFFFF_FFFFL);
      case I32 -> new GgufValue.Whole(type, cursor.i32());
      case U64, I64 -> new GgufValue.Whole(type, cursor.i64());
      case F32 -> new GgufValue.Real(cursor.f32());
      case F64 -> new GgufValue.Real(cursor.f64());
      case BOOL -> new GgufValue.Truth(cursor.i8() != 0);
      case STRING -> cursor.span("the value of \"" + key + "\"");
      case ARRAY -> array(cursor, key, depth);
    };
  }

  private static Items array(GgufCursor cursor, String key, int depth) {
    if (depth == DEEPEST) {
      throw cursor.wrong("key \"%s\" nests arrays deeper than %d".formatted(key, DEEPEST));
    }
    String what = "the array \"" + key + "\"";
    GgufType type = type(cursor, key);
    long count = cursor.i64();
    // before anything is walked: each item takes some bytes, so the file bounds their number
    if (count < 0 || count > cursor.left() / type.least()) {
      throw cursor.cutOff(what, count, type.least());
    }
    Items items = new Items(type, count, cursor.position());
    switch (type) {
      case STRING -> {
        String item = "an item of " + what;
        for (long i = 0; i < count; i++) {
          cursor.span(item);
        }
      }
      case ARRAY -> {
        for (long i = 0; i < count; i++) {
          array(cursor, key, depth + 1);
        }
      }
      case U8, I8, U16, I16, U32, I32, F32, BOOL, U64, I64, F64 ->
          cursor.skip(count, type.least(), what);
    }
    return items;
  }

  /** Returns a cursor that stands in front of an array's items. */
  GgufCursor items(Items items) {
    return new GgufCursor(path, file, order, items.at());
  }

  /** Returns the bytes of a text. */
  byte[] bytes(GgufValue.Text text) {
    return file.asSlice(text.at(), text.length()).toArray(JAVA_BYTE);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  Optional<String> text(String key) {
    GgufValue value = values.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof GgufValue.Text text)) {
      throw wrongType(key, value, "a string");
    }
    if (text.length() > TEXT_LIMIT) {
      throw new FormatException(
          path,
          text.at(),
          "key \"%s\" has a text of %,d bytes; at most %,d are read"
              .formatted(key, text.length(), TEXT_LIMIT));
    }
    return Optional.of(new String(bytes(text), StandardCharsets.UTF_8));
  }

  OptionalLong whole(String key) {
    GgufValue value = values.get(key);
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!(value instanceof GgufValue.Whole whole)) {
      throw wrongType(key, value, "a whole number");
    }
    return OptionalLong.of(whole.value());
  }

  OptionalDouble real(String key) {
    GgufValue value = values.get(key);
    return switch (value) {
      case null -> OptionalDouble.empty();
      case GgufValue.Real real -> OptionalDouble.of(real.value());
      case GgufValue.Whole whole -> OptionalDouble.of((double) whole.value());
      case GgufValue.Truth _, GgufValue.Text _, Items _ -> throw wrongType(key, value, "a number");
    };
  }

  Optional<Boolean> truth(String key) {
    GgufValue value = values.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof GgufValue.Truth truth)) {
      throw wrongType(key, value, "true or false");
    }
    return Optional.of(truth.value());
  }

  /** Returns the keys whose values are texts short enough to be read, in the file's order. */
  List<String> textKeys() {
    return values.entrySet().stream()
        .filter(
            entry -> entry.getValue() instanceof GgufValue.Text text && text.length() <= TEXT_LIMIT)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns an array whose items are of a type. */
  Optional<Items> items(String key, GgufType type) {
    GgufValue value = values.get(key);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Items items) || items.type() != type) {
      throw wrongType(key, value, "an array of " + type.label());
    }
    return Optional.of(items);
  }

  /** Returns the value as it is stored. */
  Optional<GgufValue> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  FormatException wrongType(String key, GgufValue value, String wanted) {
    return new FormatException(
        path, "key \"%s\" should be %s but is %s".formatted(key, wanted, value.what()));
  }

  FormatException wrong(String message) {
    return new FormatException(path, message);
  }
}

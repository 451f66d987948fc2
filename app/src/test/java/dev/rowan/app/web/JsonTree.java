package dev.rowan.app.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON into maps, lists and numbers, and holds a value against a schema. */
final class JsonTree {
  private JsonTree() {}

  static Object parse(String text) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      Object value = read(parser);
      if (value == null || parser.nextToken() != null) {
        throw new AssertionError("not one JSON value: " + text);
      }
      return value;
    }
  }

  private static @Nullable Object read(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, read(parser));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(read(parser));
        }
        yield elements;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("no JSON value: " + parser.currentToken());
    };
  }

  /** Returns a member deep inside: names, and places in lists. */
  static @Nullable Object at(@Nullable Object value, Object... way) {
    @Nullable Object now = value;
    for (Object step : way) {
      now =
          step instanceof Integer place
              ? ((List<?>) java.util.Objects.requireNonNull(now)).get(place)
              : ((Map<?, ?>) java.util.Objects.requireNonNull(now)).get(step);
    }
    return now;
  }

  /** Returns an object deep inside. */
  static Map<?, ?> object(@Nullable Object value, Object... way) {
    return (Map<?, ?>) java.util.Objects.requireNonNull(at(value, way));
  }

  /** Returns a number deep inside. */
  static double number(@Nullable Object value, Object... way) {
    return ((Number) java.util.Objects.requireNonNull(at(value, way))).doubleValue();
  }

  /** Adds where a value is not what its schema says. */
  static void check(
      @Nullable Object value, Map<?, ?> schema, Object document, String where, List<String> wrong) {
    if (schema.get("$ref") instanceof String reference) {
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      Object found = at(document, "components", "schemas", name);
      check(value, (Map<?, ?>) java.util.Objects.requireNonNull(found), document, where, wrong);
      return;
    }
    if (schema.get("anyOf") instanceof List<?> choices) {
      boolean fits = false;
      for (Object choice : choices) {
        List<String> here = new ArrayList<>();
        check(value, (Map<?, ?>) choice, document, where, here);
        fits |= here.isEmpty();
      }
      if (!fits) {
        wrong.add(where + " is none of " + choices + ": " + value);
      }
      return;
    }
    Object type = schema.get("type");
    List<?> types = type instanceof List<?> several ? several : List.of(String.valueOf(type));
    if (!types.contains(typeOf(value)) && !(types.contains("number") && value instanceof Long)) {
      wrong.add("%s is %s, not %s".formatted(where, typeOf(value), types));
      return;
    }
    if (value instanceof Map<?, ?> members) {
      Map<?, ?> properties = (Map<?, ?>) schema.get("properties");
      for (Object name : (List<?>) java.util.Objects.requireNonNull(schema.get("required"))) {
        if (!members.containsKey(name)) {
          wrong.add(where + " lacks " + name);
        }
      }
      members.forEach((name, member) -> {
        if (properties == null || !properties.containsKey(name)) {
          wrong.add(where + " has an unknown " + name);
        } else {
          check(member, (Map<?, ?>) properties.get(name), document, where + "." + name, wrong);
        }
      });
    }
    if (value instanceof List<?> elements) {
      for (Object element : elements) {
        check(
            element,
            (Map<?, ?>) java.util.Objects.requireNonNull(schema.get("items")),
            document,
            where + "[]",
            wrong);
      }
    }
  }

  private static String typeOf(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "object";
      case List<?> _ -> "array";
      case String _ -> "string";
      case Boolean _ -> "boolean";
      case Long _ -> "integer";
      default -> "number";
    };
  }
}

package dev.rowan.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JSON value, with just enough to look into it. */
record Json(Object value) {
  /** Stands for null. */
  private static final Object NOTHING = new Object();

  /** Parses text that must hold one value and nothing else. */
  static Json parse(String text) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      Json json = new Json(read(parser));
      assertThat(parser.nextToken()).as("nothing after the object in: %s", text).isNull();
      return json;
    }
  }

  private static Object read(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, read(parser));
        }
        yield members;
      }
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
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
      case VALUE_NULL -> NOTHING;
      default -> throw new AssertionError("no JSON value: " + token);
    };
  }

  /** Returns a member; fails if the object has none of that name. */
  Json at(String name) {
    assertThat(value).as("an object with \"%s\"", name).isInstanceOf(Map.class);
    Map<?, ?> members = (Map<?, ?>) value;
    assertThat(members.containsKey(name)).as("\"%s\" in %s", name, members.keySet()).isTrue();
    return new Json(Objects.requireNonNull(members.get(name)));
  }

  /** Returns an element. */
  Json at(int index) {
    return elements().get(index);
  }

  /** Returns the elements of an array. */
  List<Json> elements() {
    assertThat(value).isInstanceOf(List.class);
    return ((List<?>) value).stream().map(Json::new).toList();
  }

  /** Returns one member of each element, as text. */
  List<String> texts(String name) {
    return elements().stream().map(e -> e.at(name).text()).toList();
  }

  String text() {
    assertThat(value).isInstanceOf(String.class);
    return (String) value;
  }

  long whole() {
    assertThat(value).isInstanceOf(Long.class);
    return (Long) value;
  }

  double number() {
    assertThat(value).isInstanceOf(Number.class);
    return ((Number) value).doubleValue();
  }

  boolean truth() {
    assertThat(value).isInstanceOf(Boolean.class);
    return (Boolean) value;
  }

  boolean isNull() {
    return value.equals(NOTHING);
  }
}

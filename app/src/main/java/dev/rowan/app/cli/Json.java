package dev.rowan.app.cli;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes one JSON object. Numbers that JSON cannot say, NaN and the infinities, become null.
 *
 * <p>Not thread-safe.
 */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator generator;

  private Json(JsonGenerator generator) {
    this.generator = generator;
  }

  /** Writes the inside of an object or array. */
  interface Content {
    void write(Json json);
  }

  /** Returns an object as one line of text. */
  static String object(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      new Json(generator).item(content);
    }
    return text.toString();
  }

  /** Writes a member that is an object. */
  Json object(String name, Content content) {
    generator.writeName(name);
    return item(content);
  }

  /** Writes an element that is an object. */
  Json item(Content content) {
    generator.writeStartObject();
    content.write(this);
    generator.writeEndObject();
    return this;
  }

  /** Writes a member that is an array of objects, one an element. */
  <T> Json objects(String name, Iterable<T> elements, Element<T> each) {
    return array(name, json -> elements.forEach(e -> json.item(j -> each.write(j, e))));
  }

  /** Writes the inside of one element. */
  interface Element<T> {
    void write(Json json, T element);
  }

  /** Writes a member that is an array. */
  Json array(String name, Content content) {
    generator.writeName(name);
    generator.writeStartArray();
    content.write(this);
    generator.writeEndArray();
    return this;
  }

  /** Writes a member that is an array of numbers. */
  Json numbers(String name, float... values) {
    generator.writeName(name);
    return numbers(values);
  }

  /** Writes a member that is an array of numbers. */
  Json numbers(String name, double... values) {
    generator.writeName(name);
    generator.writeStartArray();
    for (double value : values) {
      if (Double.isFinite(value)) {
        generator.writeNumber(value);
      } else {
        generator.writeNull();
      }
    }
    generator.writeEndArray();
    return this;
  }

  /** Writes an element that is an array of numbers. */
  Json numbers(float... values) {
    generator.writeStartArray();
    for (float value : values) {
      if (Float.isFinite(value)) {
        generator.writeNumber(value);
      } else {
        generator.writeNull();
      }
    }
    generator.writeEndArray();
    return this;
  }

  /** Writes a member that is text. */
  Json text(String name, String value) {
    generator.writeStringProperty(name, value);
    return this;
  }

  /** Writes a member that is a whole number. */
  Json number(String name, long value) {
    generator.writeNumberProperty(name, value);
    return this;
  }

  /** Writes a member that is a number; null unless it is finite. */
  Json number(String name, double value) {
    generator.writeName(name);
    if (Double.isFinite(value)) {
      generator.writeNumber(value);
    } else {
      generator.writeNull();
    }
    return this;
  }

  /** Writes a setting that is kept as text: as a number if it is one. */
  Json setting(String name, String value) {
    if (value.matches("-?\\d{1,18}")) {
      return number(name, Long.parseLong(value));
    }
    return value.matches("-?\\d+(\\.\\d+)?(E-?\\d+)?")
        ? number(name, Double.parseDouble(value))
        : text(name, value);
  }

  /** Writes a member that is true or false. */
  Json truth(String name, boolean value) {
    generator.writeBooleanProperty(name, value);
    return this;
  }

  /** Writes a member that is null. */
  Json nothing(String name) {
    generator.writeNullProperty(name);
    return this;
  }

  /** Writes an element that is a whole number. */
  Json element(long value) {
    generator.writeNumber(value);
    return this;
  }

  /** Writes an element that is a number; null unless it is finite. */
  Json element(double value) {
    if (Double.isFinite(value)) {
      generator.writeNumber(value);
    } else {
      generator.writeNull();
    }
    return this;
  }

  /** Writes an element that is text. */
  Json element(String value) {
    generator.writeString(value);
    return this;
  }
}

package dev.rowan.app.web;

import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes records as JSON: each component is a member of its name. An empty optional is null, and so
 * are NaN and the infinities, which JSON cannot say; an enum is its name in lower case.
 */
final class RecordJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private RecordJson() {}

  /** Returns a record, or a map or list of them, as text. */
  static String of(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      write(generator, value);
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case Optional<?> optional -> write(out, optional.orElse(null));
      case OptionalLong optional -> write(out, optional.isPresent() ? optional.getAsLong() : null);
      case String text -> out.writeString(text);
      case Boolean truth -> out.writeBoolean(truth);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Double number -> number(out, number);
      case Float number -> number(out, number);
      case Enum<?> word -> out.writeString(word.name().toLowerCase(Locale.ROOT));
      case float[] numbers -> {
        out.writeStartArray();
        for (float number : numbers) {
          number(out, number);
        }
        out.writeEndArray();
      }
      case double[] numbers -> {
        out.writeStartArray();
        for (double number : numbers) {
          number(out, number);
        }
        out.writeEndArray();
      }
      case long[] numbers -> {
        out.writeStartArray();
        for (long number : numbers) {
          out.writeNumber(number);
        }
        out.writeEndArray();
      }
      case Iterable<?> elements -> {
        out.writeStartArray();
        elements.forEach(element -> write(out, element));
        out.writeEndArray();
      }
      case Map<?, ?> members -> {
        out.writeStartObject();
        members.forEach((name, member) -> {
          out.writeName(String.valueOf(name));
          write(out, member);
        });
        out.writeEndObject();
      }
      case Record parts -> {
        out.writeStartObject();
        for (RecordComponent component : parts.getClass().getRecordComponents()) {
          out.writeName(component.getName());
          write(out, component(parts, component));
        }
        out.writeEndObject();
      }
      default ->
          throw new IllegalStateException(
              "cannot write " + value.getClass().getName() + " as JSON");
    }
  }

  private static void number(JsonGenerator out, double number) {
    if (Double.isFinite(number)) {
      out.writeNumber(number);
    } else {
      out.writeNull();
    }
  }

  private static void number(JsonGenerator out, float number) {
    if (Float.isFinite(number)) {
      out.writeNumber(number);
    } else {
      out.writeNull();
    }
  }

  private static @Nullable Object component(Record parts, RecordComponent component) {
    try {
      var accessor = component.getAccessor();
      accessor.setAccessible(true); // answers are nested records of this package
      return accessor.invoke(parts);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }
}

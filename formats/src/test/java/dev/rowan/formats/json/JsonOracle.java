package dev.rowan.formats.json;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/** Renders what a JSON text holds, by our reader and by Jackson's, so that they can be compared. */
public final class JsonOracle {
  private static final String REFUSED = "refused";
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(TokenStreamFactory.Feature.CHARSET_DETECTION).build();

  private JsonOracle() {}

  /** Returns what our reader makes of a text that should be one object or array. */
  public static String ours(byte[] text) {
    StringBuilder out = new StringBuilder();
    try {
      JsonReader json = JsonReader.over(Path.of("x.json"), MemorySegment.ofArray(text), 0);
      json.nextValue();
      value(json, out);
      json.end();
      return out.toString();
    } catch (FormatException _) {
      return REFUSED;
    }
  }

  private static void value(JsonReader json, StringBuilder out) {
    if (json.isObject()) {
      out.append('{');
      while (json.nextName()) {
        out.append(json.name()).append('=');
        json.nextValue();
        value(json, out);
      }
      out.append('}');
    } else if (json.isArray()) {
      out.append('[');
      while (json.nextValue()) {
        value(json, out);
      }
      out.append(']');
    } else if (json.isText()) {
      out.append('"').append(json.text("it")).append('"');
    } else if (json.isWhole()) {
      String number;
      try {
        number = Long.toString(json.whole("it"));
      } catch (FormatException _) {
        number = "large";
      }
      out.append(number).append(' ');
    } else {
      out.append(json.isTrue() ? "true " : json.isFalse() ? "false " : "other ");
    }
  }

  /** Returns what Jackson makes of a text that should be one object or array. */
  public static String theirs(byte[] text) {
    StringBuilder out = new StringBuilder();
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      int depth = 0;
      do {
        JsonToken token = json.nextToken();
        if (token == null) {
          return REFUSED;
        }
        switch (token) {
          case START_OBJECT -> out.append('{');
          case END_OBJECT -> out.append('}');
          case START_ARRAY -> out.append('[');
          case END_ARRAY -> out.append(']');
          case PROPERTY_NAME -> out.append(json.currentName()).append('=');
          case VALUE_STRING -> out.append('"').append(json.getString()).append('"');
          case VALUE_NUMBER_INT -> {
            JsonParser.NumberType type = json.getNumberType();
            out.append(
                type == JsonParser.NumberType.BIG_INTEGER ? "large " : json.getLongValue() + " ");
          }
          case VALUE_TRUE -> out.append("true ");
          case VALUE_FALSE -> out.append("false ");
          case VALUE_NULL, VALUE_NUMBER_FLOAT -> out.append("other ");
          case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> throw new AssertionError(token);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      } while (depth > 0);
      return json.nextToken() == null ? out.toString() : REFUSED;
    } catch (JacksonException _) {
      return REFUSED;
    }
  }
}

package dev.rowan.formats.json;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A JSON text as a whole, so that a few of its values can be changed and all others written back as
 * they were: members keep their order and numbers their digits.
 *
 * <p>Objects and arrays can be changed in place. Not for several threads at once.
 */
public sealed interface JsonTree {

  /**
   * An object.
   *
   * @param members by name, in the order of the text; may be changed
   */
  record Members(Map<String, JsonTree> members) implements JsonTree {
    /** Returns an object without members. */
    public static Members empty() {
      return new Members(new LinkedHashMap<>());
    }

    /** Returns a member, if there is one of that name. */
    public Optional<JsonTree> find(String name) {
      return Optional.ofNullable(members.get(name));
    }

    /** Returns a member that is an object. */
    public Optional<Members> object(String name) {
      return members.get(name) instanceof Members object ? Optional.of(object) : Optional.empty();
    }

    /** Returns a member that is an array. */
    public Optional<Elements> array(String name) {
      return members.get(name) instanceof Elements array ? Optional.of(array) : Optional.empty();
    }

    /** Returns a member that is a string. */
    public Optional<String> text(String name) {
      return members.get(name) instanceof Text(String text) ? Optional.of(text) : Optional.empty();
    }

    /** Returns a member that is a whole number of 64 bits. */
    public OptionalLong whole(String name) {
      return members.get(name) instanceof Literal literal ? literal.whole() : OptionalLong.empty();
    }

    /** Sets a member; a new one goes to the end. */
    public Members put(String name, JsonTree value) {
      members.put(name, value);
      return this;
    }
  }

  /**
   * An array.
   *
   * @param elements in order; may be changed
   */
  record Elements(List<JsonTree> elements) implements JsonTree {}

  /** A string. */
  record Text(String text) implements JsonTree {}

  /**
   * A number, {@code true}, {@code false} or {@code null}.
   *
   * @param characters as they stand in the text
   */
  record Literal(String characters) implements JsonTree {
    /** Nothing. */
    public static final Literal NULL = new Literal("null");

    /** Returns a whole number. */
    public static Literal of(long number) {
      return new Literal(Long.toString(number));
    }

    /** Returns true or false. */
    public static Literal truth(boolean value) {
      return new Literal(Boolean.toString(value));
    }

    /** Returns the number, if this is a whole one of 64 bits. */
    public OptionalLong whole() {
      boolean digits = characters.matches("-?\\d{1,19}");
      try {
        return digits ? OptionalLong.of(Long.parseLong(characters)) : OptionalLong.empty();
      } catch (NumberFormatException _) {
        return OptionalLong.empty(); // beyond 64 bits
      }
    }
  }

  /**
   * Reads a text whose root is an object. Memory: some hundred bytes a value.
   *
   * @param path the file, for messages
   * @throws FormatException if it is not JSON, not an object, or an object names a member twice
   */
  static Members read(Path path, MemorySegment bytes) {
    JsonReader json = JsonReader.over(path, bytes, 0);
    json.nextValue();
    if (!json.isObject()) {
      throw json.wrong("the text should be an object");
    }
    Members root = members(json);
    json.end();
    return root;
  }

  private static Members members(JsonReader json) {
    Map<String, JsonTree> members = new LinkedHashMap<>();
    while (json.nextName()) {
      String name = json.name();
      json.nextValue();
      if (members.put(name, value(json)) != null) {
        throw json.wrong("duplicate name: \"%s\" occurs twice in one object".formatted(name));
      }
    }
    return new Members(members);
  }

  private static JsonTree value(JsonReader json) {
    if (json.isObject()) {
      return members(json);
    }
    if (json.isArray()) {
      List<JsonTree> elements = new ArrayList<>();
      while (json.nextValue()) {
        elements.add(value(json));
      }
      return new Elements(elements);
    }
    return json.isText() ? new Text(json.text("a value")) : new Literal(json.verbatim("a value"));
  }

  /** How a text is laid out. */
  enum Layout {
    /** On one line, as small as can be. */
    COMPACT,
    /** A line for each value, indented by two spaces a level, as Python's and Rust's writers do. */
    INDENTED;

    /** Returns the layout of a text: indented if a line ends after its first brace. */
    public static Layout of(byte[] text) {
      for (int i = 0; i < Math.min(text.length, 64); i++) {
        if (text[i] == '\n' || text[i] == '\r') {
          return INDENTED;
        }
        if (text[i] == '"') {
          return COMPACT;
        }
      }
      return COMPACT;
    }
  }

  /** Returns the text as UTF-8, without a line end behind it. */
  default byte[] text(Layout layout) {
    StringBuilder out = new StringBuilder();
    write(this, out, layout, 0);
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(JsonTree value, StringBuilder out, Layout layout, int level) {
    switch (value) {
      case Literal(String characters) -> out.append(characters);
      case Text(String text) -> quote(text, out);
      case Elements(List<JsonTree> elements) -> {
        out.append('[');
        String comma = "";
        for (JsonTree element : elements) {
          out.append(comma);
          line(out, layout, level + 1);
          write(element, out, layout, level + 1);
          comma = ",";
        }
        close(out, ']', layout, elements.isEmpty(), level);
      }
      case Members(Map<String, JsonTree> members) -> {
        out.append('{');
        String comma = "";
        for (var member : members.entrySet()) {
          out.append(comma);
          line(out, layout, level + 1);
          quote(member.getKey(), out);
          out.append(layout == Layout.INDENTED ? ": " : ":");
          write(member.getValue(), out, layout, level + 1);
          comma = ",";
        }
        close(out, '}', layout, members.isEmpty(), level);
      }
    }
  }

  private static void close(
      StringBuilder out, char bracket, Layout layout, boolean isEmpty, int level) {
    if (!isEmpty) {
      line(out, layout, level);
    }
    out.append(bracket);
  }

  private static void line(StringBuilder out, Layout layout, int level) {
    if (layout == Layout.INDENTED) {
      out.append('\n').append("  ".repeat(level));
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}

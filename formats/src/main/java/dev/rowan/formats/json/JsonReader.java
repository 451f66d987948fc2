package dev.rowan.formats.json;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Walks JSON (RFC 8259, UTF-8) from front to back; whatever is wrong becomes a {@link
 * FormatException} that names the byte. Memory is bounded by the longest string, nesting by 500.
 *
 * <p>Duplicate names pass through; whoever collects names must look for them. Not for several
 * threads at once.
 */
public final class JsonReader implements AutoCloseable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          // names in our files are data, mostly seen once: sharing them across files gains nothing,
          // and a table of them must not be a way to make us fail
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(100_000_000)
                  .maxNameLength(1_000_000)
                  .build())
          .build();

  private final Path path;
  private final long start;
  private final JsonParser parser;

  private JsonReader(Path path, long start, JsonParser parser) {
    this.path = path;
    this.start = start;
    this.parser = parser;
  }

  /**
   * Returns a reader in front of the first value.
   *
   * @param path the file, for messages
   * @param bytes the JSON text and nothing else
   * @param start the byte of the file at which {@code bytes} starts, for messages
   */
  public static JsonReader over(Path path, MemorySegment bytes, long start) {
    try {
      return new JsonReader(
          path, start, FACTORY.createParser(ObjectReadContext.empty(), new SegmentInput(bytes)));
    } catch (JacksonException e) {
      throw new FormatException(path, start, "is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Steps into the object that comes next.
   *
   * @param what what the object is, for messages
   */
  public void enterObject(String what) {
    expect(next(), JsonToken.START_OBJECT, what);
  }

  /** Steps to the next name in this object; false at its end. */
  public boolean nextName() {
    return next() == JsonToken.PROPERTY_NAME; // otherwise END_OBJECT: the parser sees to that
  }

  /** Returns the name last stepped to. */
  public String name() {
    return parser.currentName();
  }

  /** Steps to the next value: after a name, or in an array, where it returns false at the end. */
  public boolean nextValue() {
    return next() != JsonToken.END_ARRAY;
  }

  /** Returns whether the value stepped to is an object; its names come next. */
  public boolean isObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  /** Returns whether the value stepped to is an array; its values come next. */
  public boolean isArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /** Returns whether the value stepped to is a string. */
  public boolean isText() {
    return parser.currentToken() == JsonToken.VALUE_STRING;
  }

  /** Returns whether the value stepped to is a whole number. */
  public boolean isWhole() {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT;
  }

  /** Returns whether the value stepped to is true. */
  public boolean isTrue() {
    return parser.currentToken() == JsonToken.VALUE_TRUE;
  }

  /** Returns whether the value stepped to is false. */
  public boolean isFalse() {
    return parser.currentToken() == JsonToken.VALUE_FALSE;
  }

  /**
   * Returns the text stepped to.
   *
   * @param what what the value is, for messages
   */
  public String text(String what) {
    expect(parser.currentToken(), JsonToken.VALUE_STRING, what);
    try {
      return parser.getString();
    } catch (JacksonException e) {
      throw broken(e);
    }
  }

  /**
   * Returns the whole number stepped to.
   *
   * @param what what the value is, for messages
   */
  public long whole(String what) {
    expect(parser.currentToken(), JsonToken.VALUE_NUMBER_INT, what);
    try {
      return parser.getLongValue();
    } catch (JacksonException e) {
      throw wrong("%s lies outside 64 bits".formatted(what));
    }
  }

  /** Skips the value stepped to, with all that is in it. */
  public void skip() {
    try {
      parser.skipChildren();
    } catch (JacksonException e) {
      throw broken(e);
    }
  }

  /** Checks that nothing but white space is left. */
  public void end() {
    if (step() != null) {
      throw wrong("more JSON follows where the text should end");
    }
  }

  /** Returns an exception about the value stepped to. */
  public FormatException wrong(String message) {
    return new FormatException(path, offset(), message);
  }

  private long offset() {
    return start + Math.max(0, parser.currentTokenLocation().getByteOffset());
  }

  private void expect(@Nullable JsonToken found, JsonToken wanted, String what) {
    if (found != wanted) {
      throw wrong("%s should be %s but is %s".formatted(what, nameOf(wanted), nameOf(found)));
    }
  }

  private JsonToken next() {
    JsonToken token = step();
    if (token == null) {
      throw new FormatException(
          path, offset(), "the JSON text ends too early; the file looks cut off");
    }
    return token;
  }

  private @Nullable JsonToken step() {
    try {
      return parser.nextToken();
    } catch (JacksonException e) {
      throw broken(e);
    }
  }

  private FormatException broken(JacksonException e) {
    long offset = start + Math.max(0, parser.currentLocation().getByteOffset());
    String reason = e.getOriginalMessage().lines().findFirst().orElse("no reason given");
    return new FormatException(path, offset, "is not valid JSON: " + reason, e);
  }

  private static String nameOf(@Nullable JsonToken token) {
    return switch (token) {
      case null -> "nothing";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a number with a fraction";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NULL -> "null";
      case END_ARRAY, END_OBJECT -> "missing";
      case PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          token.name().toLowerCase(Locale.ROOT);
    };
  }

  /** Gives buffers back. */
  @Override
  public void close() {
    parser.close();
  }
}

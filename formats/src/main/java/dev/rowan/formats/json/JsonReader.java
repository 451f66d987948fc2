package dev.rowan.formats.json;

import dev.rowan.formats.file.FormatException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Walks JSON (RFC 8259, UTF-8) from front to back, over bytes of any number; whatever is wrong
 * becomes a {@link FormatException} that names the byte. Memory is bounded by the longest string,
 * nesting by 500 levels.
 *
 * <p>A hand-written reader, because model files are opened by programs that have just started: on a
 * cold JVM this reads a vocabulary of 30,000 tokens several times faster than a general library,
 * whose code must be loaded and compiled first. Deviations from the standard: {@code NaN}, {@code
 * Infinity} and {@code -Infinity} pass as numbers with a fraction, since Python writes them; half a
 * surrogate pair reads as U+FFFD; what is skipped is only checked for its strings and brackets.
 * Duplicate names pass through; whoever collects names must look for them.
 *
 * <p>Not for several threads at once.
 */
public final class JsonReader {
  private static final int MAX_DEPTH = 500;

  private enum Kind {
    NOTHING,
    OBJECT,
    ARRAY,
    TEXT,
    WHOLE,
    FRACTION,
    TRUE,
    FALSE,
    NULL
  }

  private final JsonBytes in;
  private final JsonText text;
  private final boolean[] inObject = new boolean[MAX_DEPTH];
  private int depth;
  private boolean first = true; // nothing has been read yet in this object or array
  private boolean afterName;
  private Kind kind = Kind.NOTHING;
  private long number;
  private boolean overflow;
  private long valueStart;

  private JsonReader(JsonBytes in) {
    this.in = in;
    this.text = new JsonText(in);
  }

  /**
   * Returns a reader in front of the first value.
   *
   * @param path the file, for messages
   * @param bytes the JSON text and nothing else
   * @param start the byte of the file at which {@code bytes} starts, for messages
   */
  public static JsonReader over(Path path, MemorySegment bytes, long start) {
    return new JsonReader(new JsonBytes(path, bytes, start));
  }

  /**
   * Steps into the object that comes next.
   *
   * @param what what the object is, for messages
   */
  public void enterObject(String what) {
    nextValue();
    expect(Kind.OBJECT, what);
  }

  /** Steps to the next name in this object; false at its end, which is then passed. */
  public boolean nextName() {
    int b = in.peekPastSpace();
    if (b == '}') {
      leave();
      return false;
    }
    passComma(b, "',' or '}'");
    if (in.peekPastSpace() != '"') {
      throw in.unexpected("a name in quotes");
    }
    in.at++;
    text.read();
    afterName = true;
    return true;
  }

  /** Returns the name last stepped to; to be called before the next step. */
  public String name() {
    return text.text();
  }

  /** Returns the name last stepped to as UTF-8, unchecked; to be called before the next step. */
  public byte[] nameBytes() {
    return text.bytes();
  }

  /**
   * Steps to the next value: after a name, or in an array, where it returns false at the end, which
   * is then passed.
   */
  public boolean nextValue() {
    if (afterName) {
      afterName = false;
      if (in.peekPastSpace() != ':') {
        throw in.unexpected("':'");
      }
      in.at++;
      in.peekPastSpace();
    } else {
      int b = in.peekPastSpace();
      if (depth > 0) {
        if (b == ']') {
          leave();
          return false;
        }
        passComma(b, "',' or ']'");
        in.peekPastSpace();
      }
    }
    readValue();
    return true;
  }

  private void passComma(int b, String wanted) {
    if (!first) {
      if (b != ',') {
        throw in.unexpected(wanted);
      }
      in.at++;
    }
    first = false;
  }

  private void readValue() {
    int b = in.peek();
    valueStart = in.position();
    switch (b) {
      case '{', '[' -> enter(b == '{');
      case '"' -> {
        in.at++;
        text.read();
        kind = Kind.TEXT;
      }
      case 't' -> word("true", Kind.TRUE);
      case 'f' -> word("false", Kind.FALSE);
      case 'n' -> word("null", Kind.NULL);
      case 'N' -> word("NaN", Kind.FRACTION);
      case 'I' -> word("Infinity", Kind.FRACTION);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> readNumber();
      default -> {
        if (b == '<' && depth == 0) {
          throw in.wrong("starts with '<' as web pages do, not JSON; download it again");
        }
        throw in.unexpected("a value");
      }
    }
  }

  private void enter(boolean object) {
    in.at++;
    if (depth == MAX_DEPTH) {
      throw in.wrong("nests deeper than %d levels".formatted(MAX_DEPTH));
    }
    inObject[depth++] = object;
    first = true;
    kind = object ? Kind.OBJECT : Kind.ARRAY;
  }

  private void leave() {
    in.at++;
    depth--;
    first = false;
    kind = Kind.NOTHING;
  }

  private void word(String word, Kind found) {
    for (int i = 0; i < word.length(); i++) {
      if (in.peek() != word.charAt(i)) {
        throw in.unexpected('"' + word + '"');
      }
      in.at++;
    }
    kind = found;
  }

  private void readNumber() {
    boolean negative = in.peek() == '-';
    if (negative) {
      in.at++;
      if (in.peek() == 'I') {
        word("Infinity", Kind.FRACTION);
        return;
      }
    }
    kind = Kind.WHOLE;
    number = 0;
    overflow = false;
    if (in.peek() == '0') {
      in.at++; // and no digit may follow
    } else {
      digits(negative);
    }
    if (in.peek() == '.') {
      in.at++;
      kind = Kind.FRACTION;
      digits(false);
    }
    if (in.peek() == 'e' || in.peek() == 'E') {
      in.at++;
      kind = Kind.FRACTION;
      if (in.peek() == '+' || in.peek() == '-') {
        in.at++;
      }
      digits(false);
    }
  }

  private void digits(boolean negative) {
    int b = in.peek();
    if (b < '0' || b > '9') {
      throw in.unexpected("a digit");
    }
    while (b >= '0' && b <= '9') {
      int digit = negative ? '0' - b : b - '0';
      long high = Math.multiplyHigh(number, 10);
      long product = number * 10;
      long sum = product + digit;
      // the product must fit, and adding away from zero must not come round
      overflow |= high != product >> 63 || (negative ? sum > product : sum < product);
      number = sum;
      in.at++;
      b = in.peek();
    }
  }

  /** Returns whether the value stepped to is an object; its names come next. */
  public boolean isObject() {
    return kind == Kind.OBJECT;
  }

  /** Returns whether the value stepped to is an array; its values come next. */
  public boolean isArray() {
    return kind == Kind.ARRAY;
  }

  /** Returns whether the value stepped to is a string. */
  public boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Returns whether the value stepped to is a whole number. */
  public boolean isWhole() {
    return kind == Kind.WHOLE;
  }

  /** Returns whether the value stepped to is true. */
  public boolean isTrue() {
    return kind == Kind.TRUE;
  }

  /** Returns whether the value stepped to is false. */
  public boolean isFalse() {
    return kind == Kind.FALSE;
  }

  /**
   * Returns the text stepped to; to be called before the next step.
   *
   * @param what what the value is, for messages
   */
  public String text(String what) {
    expect(Kind.TEXT, what);
    return text.text();
  }

  /**
   * Returns the text stepped to as UTF-8, unchecked; to be called before the next step.
   *
   * @param what what the value is, for messages
   */
  public byte[] textBytes(String what) {
    expect(Kind.TEXT, what);
    return text.bytes();
  }

  /**
   * Returns the whole number stepped to.
   *
   * @param what what the value is, for messages
   */
  public long whole(String what) {
    expect(Kind.WHOLE, what);
    if (overflow) {
      throw in.wrong(what + " lies outside 64 bits");
    }
    return number;
  }

  /**
   * Returns the characters of the value stepped to, which is a number, {@code true}, {@code false}
   * or {@code null}; to be called before the next step.
   *
   * @param what what the value is, for messages
   */
  public String verbatim(String what) {
    if (kind == Kind.OBJECT || kind == Kind.ARRAY || kind == Kind.TEXT || kind == Kind.NOTHING) {
      throw in.wrong("%s should be a plain value but is %s".formatted(what, nameOf(kind)));
    }
    return in.characters(valueStart, in.position());
  }

  /** Skips the value stepped to, with all that is in it. */
  public void skip() {
    if (kind != Kind.OBJECT && kind != Kind.ARRAY) {
      return;
    }
    int outside = depth - 1;
    while (depth > outside) {
      int b = in.peek();
      switch (b) {
        case -1 -> throw in.cutOff();
        case '{', '[' -> enter(b == '{');
        case '}', ']' -> {
          if (inObject[depth - 1] != (b == '}')) {
            throw in.unexpected(b == '}' ? "']'" : "'}'");
          }
          leave();
        }
        case '"' -> {
          in.at++;
          text.skip();
        }
        default -> in.at++;
      }
    }
  }

  /** Checks that nothing but white space is left. */
  public void end() {
    if (in.peekPastSpace() >= 0) {
      throw in.wrong("more JSON follows where the text should end");
    }
  }

  /** Returns an exception about the value stepped to. */
  public FormatException wrong(String message) {
    return in.wrong(message);
  }

  private void expect(Kind wanted, String what) {
    if (kind != wanted) {
      throw in.wrong("%s should be %s but is %s".formatted(what, nameOf(wanted), nameOf(kind)));
    }
  }

  private static String nameOf(Kind kind) {
    return switch (kind) {
      case NOTHING -> "missing";
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case TEXT -> "a string";
      case WHOLE -> "a whole number";
      case FRACTION -> "a number with a fraction";
      case TRUE, FALSE, NULL -> kind.name().toLowerCase(Locale.ROOT);
    };
  }
}

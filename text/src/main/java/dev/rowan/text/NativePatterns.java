package dev.rowan.text;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.MappedFile;
import dev.rowan.formats.json.JsonReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The regular expressions of a {@code tokenizer.json}, looked at before native code runs them: one
 * that is nested too deep, or that repeats what itself repeats, lets it end the whole process. No
 * published tokenizer needs such ones. What grows more slowly with the text is not looked for.
 */
final class NativePatterns {
  private static final int DEEPEST = 100;
  private static final int LONGEST = 1 << 16;
  private static final int MOST_SHOWN = 60;

  private final Path file;
  private final String pattern;
  private final Deque<Boolean> outer = new ArrayDeque<>(); // whether groups around repeat anything
  private boolean repeats; // whether the group at hand does

  private NativePatterns(Path file, String pattern) {
    this.file = file;
    this.pattern = pattern;
  }

  /**
   * Checks all of a file.
   *
   * @throws FormatException if one must not be run, or the file is no JSON
   */
  static void refuse(Path file) throws IOException {
    try (MappedFile mapped = MappedFile.open(file)) {
      JsonReader json = JsonReader.over(file, mapped.bytes(), 0);
      if (json.nextValue()) {
        walk(json, file);
      }
    }
  }

  private static void walk(JsonReader json, Path file) {
    if (json.isObject()) {
      while (json.nextName()) {
        String name = json.name();
        json.nextValue();
        switch (name) {
          case "vocab", "merges" -> json.skip(); // large, and without patterns
          case "Regex" -> {
            if (json.isText()) {
              new NativePatterns(file, json.text(name)).check();
            } else {
              walk(json, file);
            }
          }
          default -> walk(json, file);
        }
      }
    } else if (json.isArray()) {
      while (json.nextValue()) {
        walk(json, file);
      }
    }
  }

  private void check() {
    if (pattern.length() > LONGEST) {
      throw wrong("has more than %,d characters".formatted(LONGEST));
    }
    int at = 0;
    while (at < pattern.length()) {
      switch (pattern.charAt(at)) {
        case '\\' -> at += 2;
        case '[' -> at = behindClass(at);
        case '(' -> {
          if (outer.size() == DEEPEST) {
            throw wrong("nests groups deeper than %d".formatted(DEEPEST));
          }
          outer.push(repeats);
          repeats = false;
          at++;
        }
        case ')' -> at = behindGroup(at);
        default -> {
          repeats |= isUnbounded(at);
          at = Math.max(at + 1, behindQuantifier(at));
        }
      }
    }
  }

  private int behindGroup(int at) {
    boolean inside = repeats;
    boolean again = isUnbounded(at + 1);
    if (inside && again) {
      throw wrong("repeats what itself repeats, over which it can take for ever");
    }
    repeats = inside || again || (!outer.isEmpty() && outer.pop());
    return behindQuantifier(at + 1);
  }

  /** Returns whether a quantifier without a limit stands there, and not one that never yields. */
  private boolean isUnbounded(int at) {
    int end = behindQuantifier(at);
    boolean yields = end == at + 1 || !pattern.startsWith("+", end - 1); // a+, not a++
    return end > at && yields;
  }

  /**
   * Returns where what repeats without a limit ends, with a + behind it; its start if none does.
   */
  private int behindQuantifier(int at) {
    int end = at;
    if (pattern.startsWith("+", at) || pattern.startsWith("*", at)) {
      end = at + 1;
    } else if (pattern.startsWith("{", at)) {
      int close = pattern.indexOf('}', at);
      if (close > 0 && pattern.substring(at, close).matches("\\{\\d+,")) {
        end = close + 1;
      }
    }
    return end > at && pattern.startsWith("+", end) ? end + 1 : end;
  }

  private int behindClass(int at) {
    int depth = 0;
    int i = at;
    while (i < pattern.length()) {
      switch (pattern.charAt(i)) {
        case '\\' -> i++;
        case '[' -> depth++;
        case ']' -> depth--;
        default -> {}
      }
      i++;
      if (depth == 0) {
        return i;
      }
    }
    return i;
  }

  private FormatException wrong(String what) {
    String shown = pattern.length() > MOST_SHOWN ? pattern.substring(0, MOST_SHOWN) + "…" : pattern;
    return new FormatException(
        file,
        "its pattern \"%s\" %s; such a one is not run, since it can end the whole program"
            .formatted(shown, what));
  }
}

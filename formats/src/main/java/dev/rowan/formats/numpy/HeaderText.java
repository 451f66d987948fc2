package dev.rowan.formats.numpy;

import dev.rowan.formats.file.FormatException;
import dev.rowan.formats.file.UnsupportedFormatException;
import dev.rowan.formats.tensor.Dtype;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the Python dictionary of a header: three keys in any order, of which one has a text, one a
 * truth value and one a tuple of whole numbers. Nothing else of Python is understood.
 */
final class HeaderText {
  private final Path path;
  private final String what;
  private final String text;
  private final long start;
  private int at;

  HeaderText(Path path, String what, String text, long start) {
    this.path = path;
    this.what = what;
    this.text = text;
    this.start = start;
  }

  NpyHeader header(long dataStart) {
    Optional<Dtype> dtype = Optional.empty();
    Optional<Boolean> fortranOrder = Optional.empty();
    Optional<List<Long>> shape = Optional.empty();
    expect('{');
    while (!accept('}')) {
      String key = quoted();
      expect(':');
      switch (key) {
        case "descr" -> dtype = once(key, dtype, dtype());
        case "fortran_order" -> fortranOrder = once(key, fortranOrder, truth());
        case "shape" -> shape = once(key, shape, shape());
        default -> throw wrong("has the unknown key \"%s\"".formatted(key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (peek() != 0) {
      throw wrong("goes on behind its end");
    }
    if (dtype.isEmpty() || fortranOrder.isEmpty() || shape.isEmpty()) {
      throw wrong("lacks one of descr, fortran_order and shape");
    }
    return new NpyHeader(dtype.get(), fortranOrder.get(), shape.get(), dataStart);
  }

  private <T> Optional<T> once(String key, Optional<T> before, T value) {
    if (before.isPresent()) {
      throw wrong("has the key \"%s\" twice".formatted(key));
    }
    return Optional.of(value);
  }

  private Dtype dtype() {
    if (peek() == '[') {
      throw new UnsupportedFormatException(
          path,
          "%s is a structured array, of several fields a place; save one field alone"
              .formatted(what));
    }
    String descr = quoted();
    return NpyDtypes.of(descr)
        .orElseThrow(() -> wrong("has the descr \"%s\", which is none".formatted(descr)));
  }

  private boolean truth() {
    if (acceptWord("True")) {
      return true;
    }
    if (acceptWord("False")) {
      return false;
    }
    throw wrong("has a fortran_order that is neither True nor False");
  }

  private List<Long> shape() {
    List<Long> shape = new ArrayList<>();
    expect('(');
    while (!accept(')')) {
      shape.add(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    if (shape.size() > 64) {
      throw wrong("has %,d dimensions; NumPy has 64 at most".formatted(shape.size()));
    }
    return shape;
  }

  private long number() {
    peek();
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(from, at);
    acceptWord("L"); // as Python 2 writes long numbers
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      FormatException wrong =
          wrong(
              "has a dimension that is no whole number of 0 or more%s"
                  .formatted(digits.isEmpty() ? "" : " below 2^63: " + digits));
      wrong.initCause(e);
      throw wrong;
    }
  }

  private String quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"') {
      throw wrong("should have a text in quotes");
    }
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw wrong("has a text without an end");
    }
    String quoted = text.substring(at + 1, end);
    at = end + 1;
    return quoted;
  }

  /** Returns the next character that is no space, 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at == text.length() ? 0 : text.charAt(at);
  }

  private boolean accept(char wanted) {
    boolean found = peek() == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private boolean acceptWord(String wanted) {
    peek();
    boolean found = text.startsWith(wanted, at);
    at += found ? wanted.length() : 0;
    return found;
  }

  private void expect(char wanted) {
    if (!accept(wanted)) {
      throw wrong("should have '%c'".formatted(wanted));
    }
  }

  private FormatException wrong(String how) {
    return new FormatException(
        path, start + at, "the header of %s %s; it looks damaged".formatted(what, how));
  }
}

package dev.rowan.app.web;

import java.util.List;

/**
 * A query parameter: what it may be. The same definition checks requests and describes them.
 *
 * @param name its name
 * @param about one sentence for the reader of the API
 * @param kind what it holds
 * @param most how often it may be given
 * @param needed whether it must be given
 */
record Parameter(String name, String about, Kind kind, int most, boolean needed) {

  /** What a parameter holds. */
  sealed interface Kind {
    /** Text of at most {@code length} characters. */
    record Text(int length) implements Kind {}

    /** A whole number. */
    record Whole(long usual, long least, long most) implements Kind {}

    /** One of some words, the first by default. */
    record Choice(List<String> words) implements Kind {}

    /** True or false, false by default. */
    record Truth() implements Kind {}
  }

  static Parameter text(String name, int length, String about) {
    return new Parameter(name, about, new Kind.Text(length), 1, true);
  }

  static Parameter texts(String name, int most, int length, String about) {
    return new Parameter(name, about, new Kind.Text(length), most, true);
  }

  static Parameter whole(String name, long usual, long least, long most, String about) {
    return new Parameter(name, about, new Kind.Whole(usual, least, most), 1, false);
  }

  static Parameter choice(String name, List<String> words, String about) {
    return new Parameter(name, about, new Kind.Choice(words), 1, false);
  }

  static Parameter truth(String name, String about) {
    return new Parameter(name, about, new Kind.Truth(), 1, false);
  }

  /** Returns the same parameter, which may be left away. */
  Parameter optional() {
    return new Parameter(name, about, kind, most, false);
  }
}

package dev.rowan.formats.pytorch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pickle holds. Values may hold themselves, by way of lists and dictionaries: whoever walks
 * them bounds the depth, and nothing compares or prints them as a whole.
 */
sealed interface PickleValue {

  /** None, and objects whose contents do not matter. */
  enum Plain implements PickleValue {
    NONE,
    OPAQUE
  }

  /** True or false. */
  enum Truth implements PickleValue {
    FALSE,
    TRUE
  }

  /** A whole number of at most 64 bits. */
  record Whole(long value) implements PickleValue {}

  /** A whole number of more bits, little-endian two's complement. */
  record Big(String hex) implements PickleValue {}

  /** A number with a fraction. */
  record Real(double value) implements PickleValue {}

  /** A text. */
  record Text(String value) implements PickleValue {}

  /** The name of a Python class or function, all that is ever known of it. */
  record Global(String module, String name) implements PickleValue {
    String full() {
      return module + "." + name;
    }
  }

  /** A list, or a set. */
  final class Items implements PickleValue {
    private final List<PickleValue> values = new ArrayList<>(0);

    List<PickleValue> values() {
      return values;
    }
  }

  /** A tuple. */
  final class Tuple implements PickleValue {
    private final List<PickleValue> values;

    Tuple(List<PickleValue> values) {
      this.values = List.copyOf(values);
    }

    List<PickleValue> values() {
      return values;
    }
  }

  /**
   * A dictionary, in the order of its writing; of a text that is put twice the later value counts.
   */
  final class Dict implements PickleValue {
    private final List<PickleValue> keys = new ArrayList<>(0);
    private final List<PickleValue> values = new ArrayList<>(0);
    private final Map<String, Integer> places = new HashMap<>();

    void put(PickleValue key, PickleValue value) {
      if (key instanceof Text(String text)) {
        Integer place = places.putIfAbsent(text, keys.size());
        if (place != null) {
          values.set(place, value);
          return;
        }
      }
      keys.add(key);
      values.add(value);
    }

    List<PickleValue> keys() {
      return keys;
    }

    List<PickleValue> values() {
      return values;
    }
  }

  /** A storage. */
  record Stored(TorchStorage storage) implements PickleValue {}

  /** A tensor. */
  record Tensor(TorchTensor tensor) implements PickleValue {}
}

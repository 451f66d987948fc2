package dev.rowan.app.web;

import dev.rowan.app.answers.Shown;
import dev.rowan.app.web.Parameter.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parameters of a request, checked against what its endpoint takes. */
final class Question {
  private final Map<String, Parameter> known;
  private final Map<String, List<String>> given;

  private Question(Map<String, Parameter> known, Map<String, List<String>> given) {
    this.known = known;
    this.given = given;
  }

  /**
   * Checks parameters.
   *
   * @throws Refusal if one is unknown, missing, given too often, too long or out of range
   */
  static Question of(List<Parameter> parameters, Map<String, List<String>> given) {
    Map<String, Parameter> known = new LinkedHashMap<>();
    parameters.forEach(p -> known.put(p.name(), p));
    given.forEach((name, values) -> {
      Parameter parameter = known.get(name);
      if (parameter == null) {
        throw refused(
            "there is no parameter %s here; there are %s"
                .formatted(Shown.quoted(clipped(name)), String.join(", ", known.keySet())));
      }
      if (values.size() > parameter.most()) {
        throw refused(
            "%s is given %,d times; it takes %,d at most"
                .formatted(name, values.size(), parameter.most()));
      }
      values.forEach(value -> check(parameter, value));
    });
    for (Parameter parameter : parameters) {
      if (parameter.needed() && !given.containsKey(parameter.name())) {
        throw refused(
            "the parameter %s is missing: %s".formatted(parameter.name(), parameter.about()));
      }
    }
    return new Question(known, given);
  }

  private static void check(Parameter parameter, String value) {
    switch (parameter.kind()) {
      case Kind.Text(int length) -> {
        if (value.length() > length) {
          throw refused(
              "%s has %,d characters; it takes %,d at most"
                  .formatted(parameter.name(), value.length(), length));
        }
      }
      case Kind.Whole(_, long least, long most) -> {
        long number;
        try {
          number = Long.parseLong(value);
        } catch (NumberFormatException _) {
          throw refused(
              "%s is %s; it takes a whole number in [%d, %d]"
                  .formatted(parameter.name(), Shown.quoted(clipped(value)), least, most));
        }
        if (number < least || number > most) {
          throw refused(
              "%s is %d; it takes a whole number in [%d, %d]"
                  .formatted(parameter.name(), number, least, most));
        }
      }
      case Kind.Choice(List<String> words) -> {
        if (!words.contains(value)) {
          throw refused(
              "%s is %s; it takes one of %s"
                  .formatted(
                      parameter.name(), Shown.quoted(clipped(value)), String.join(", ", words)));
        }
      }
      case Kind.Truth() -> {
        if (!value.equals("true") && !value.equals("false")) {
          throw refused(
              "%s is %s; it takes true or false"
                  .formatted(parameter.name(), Shown.quoted(clipped(value))));
        }
      }
    }
  }

  private static Refusal refused(String message) {
    return new Refusal(400, message);
  }

  private static String clipped(String value) {
    return value.length() <= 40 ? value : value.substring(0, 40) + "…";
  }

  /** Returns every value of a text, in order. */
  List<String> texts(String name) {
    return given.getOrDefault(name, List.of());
  }

  /** Returns a text that is needed. */
  String text(String name) {
    return texts(name).getFirst();
  }

  /** Returns a text that may be left away. */
  Optional<String> optionalText(String name) {
    return texts(name).stream().findFirst();
  }

  /** Returns a whole number. */
  long whole(String name) {
    List<String> values = texts(name);
    if (values.isEmpty()) {
      return parameter(name).kind() instanceof Kind.Whole whole ? whole.usual() : 0;
    }
    return Long.parseLong(values.getFirst());
  }

  /** Returns a word. */
  String choice(String name) {
    List<String> values = texts(name);
    if (values.isEmpty()) {
      return parameter(name).kind() instanceof Kind.Choice choice ? choice.words().getFirst() : "";
    }
    return values.getFirst();
  }

  /** Returns true or false. */
  boolean truth(String name) {
    return texts(name).stream().anyMatch("true"::equals);
  }

  private Parameter parameter(String name) {
    Parameter parameter = known.get(name);
    if (parameter == null) {
      throw new IllegalStateException("the endpoint does not declare " + name);
    }
    return parameter;
  }

  @Override
  public String toString() {
    return given.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(" "));
  }
}

package dev.rowan.app.cli;

import dev.rowan.core.OutOfRange;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with what was typed, in the words that it was typed in. */
final class Misuse {
  /** Settings that an option has another name for than the library. */
  private static final Map<String, List<String>> OPTIONS =
      Map.of(
          "context", List.of("--history"),
          "grams", List.of("--subwords"),
          "neighbours", List.of("--init", "-k"),
          "top", List.of("-k"));

  /** The parser keeps the values that are there, and how many, in its message alone. */
  private static final Pattern TOO_FEW =
      Pattern.compile("at least (\\d+) values, but only (\\d+) were specified: \\[(.*)]");

  private Misuse() {}

  /** Returns what to say of arguments that picocli does not take. */
  static String message(ParameterException e) {
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unmatched(unmatched);
      case MissingParameterException missing -> missing(missing);
      case OverwrittenOptionException twice ->
          names(twice.getOverwritten()) + " is given more than once; leave one away";
      default -> {
        ArgSpec argument = e.getArgSpec();
        String value = e.getValue();
        yield argument == null || value == null ? sentence(e) : wrong(argument, value);
      }
    };
  }

  /**
   * Returns a failure as what was typed: a number out of range by its option, all others as they
   * are.
   */
  static Throwable inWordsOf(ParseResult typed, Throwable failure) {
    if (!(failure instanceof OutOfRange range)) {
      return failure;
    }
    List<String> names = OPTIONS.getOrDefault(range.name(), List.of(option(range.name())));
    return Stream.of(typed.subcommand(), typed) // what stands behind the verb holds
        .filter(Objects::nonNull)
        .flatMap(part -> names.stream().map(part::matchedOption))
        .filter(Objects::nonNull)
        .findFirst()
        .<Throwable>map(option -> {
          UseException use =
              new UseException(
                  "%s %s: it takes %s"
                      .formatted(
                          names(option),
                          Visible.message(option.originalStringValues().getLast()),
                          range.range()));
          use.initCause(range);
          return use;
        })
        .orElse(failure);
  }

  private static String option(String name) {
    return (name.length() == 1 ? "-" : "--") + name.replace(' ', '-');
  }

  private static String names(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? String.join("/", option.names())
        : argument.paramLabel();
  }

  private static String sentence(ParameterException e) {
    String message = e.getMessage();
    return message == null
        ? "the arguments cannot be understood"
        : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String missing(MissingParameterException e) {
    String sentence = sentence(e);
    Matcher few = TOO_FEW.matcher(sentence);
    if (!few.find()) {
      return sentence + taken(e);
    }
    ArgSpec argument = e.getMissing().getFirst();
    return "%s %s: it takes %s%s, not %s"
        .formatted(
            names(argument),
            Visible.message(few.group(3)),
            few.group(1),
            argument.arity().isVariable() ? " or more" : "",
            few.group(2));
  }

  /** Says which option took the words that are missing elsewhere. */
  private static String taken(MissingParameterException e) {
    Optional<ArgSpec> place = e.getMissing().stream().filter(ArgSpec::isPositional).findFirst();
    if (place.isEmpty()) {
      return "";
    }
    return e.getCommandLine().getCommandSpec().options().stream()
        .filter(option -> option.arity().isVariable() && !option.stringValues().isEmpty())
        .findFirst()
        .map(option ->
            "; %s takes all words behind it, up to the next option (%s): put %s before %s"
                .formatted(
                    names(option),
                    option.stringValues().stream()
                        .map(Visible::quoted)
                        .collect(Collectors.joining(", ")),
                    place.get().paramLabel(),
                    names(option)))
        .orElse("");
  }

  private static String wrong(ArgSpec argument, String value) {
    return "%s %s: it takes %s"
        .formatted(names(argument), Visible.quoted(value), takes(argument, value));
  }

  private static String takes(ArgSpec argument, String value) {
    Class<?> type = argument.auxiliaryTypes()[0];
    if (type.isEnum()) {
      return listed(Arrays.stream(type.getEnumConstants()).map(Object::toString).toList());
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == double.class || type == Double.class) {
      return "a number" + suchAs(argument);
    }
    boolean isInt = type == int.class || type == Integer.class;
    if (!isInt && type != long.class && type != Long.class) {
      return "another form of it";
    }
    return value.matches("[+-]?\\d+")
        ? String.format(Locale.ROOT, "%,d at most", isInt ? Integer.MAX_VALUE : Long.MAX_VALUE)
        : "a whole number" + suchAs(argument);
  }

  private static String suchAs(ArgSpec argument) {
    @Nullable Object usual = argument.initialValue();
    return usual instanceof Number ? ", such as " + usual : "";
  }

  private static String listed(List<String> names) {
    return names.size() == 1
        ? names.getFirst()
        : String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String word = e.getUnmatched().getFirst();
    boolean noVerb = e.getCommandLine().getParent() == null && !word.startsWith("-");
    String what =
        word.startsWith("-") ? "option" : noVerb ? "verb" : "place for a further argument";
    List<String> near = noVerb ? RowanCommand.verbsLike(word) : e.getSuggestions();
    return "there is no %s %s%s"
        .formatted(
            what,
            Visible.quoted(word),
            near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?");
  }
}

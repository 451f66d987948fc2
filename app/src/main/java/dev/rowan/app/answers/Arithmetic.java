package dev.rowan.app.answers;

import dev.rowan.core.Expression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An expression such as {@code king - man + woman} or {@code 0.5*king + 0.5*queen}, as typed.
 *
 * @param inputs the words of its terms, in order
 * @param start the first term's token, for people
 * @param title the expression with the tokens that its words were taken for
 * @param remark how words were taken, where a spelling had to be chosen
 */
public record Arithmetic(
    Expression expression,
    List<Input> inputs,
    String start,
    String title,
    Optional<String> remark) {
  private static final Pattern WEIGHTED = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\*(.+)");

  /** Copies the list. */
  public Arithmetic {
    inputs = List.copyOf(inputs);
  }

  /**
   * A word of the expression.
   *
   * @param id its row; empty for a word that has none
   * @param respelled how, if its row is that of another case or of no accents
   * @param ngrams how many n-grams the vector of a word without a row is the mean of; 0 otherwise
   */
  public record Input(
      String token, OptionalLong id, double weight, Optional<String> respelled, int ngrams) {
    /** Returns a word that stands alone. */
    public static Input of(Asking.Point word) {
      return of(word, 1);
    }

    private static Input of(Asking.Point word, double weight) {
      return new Input(
          word.tokens().getFirst(), word.id(), weight, word.respelled(), word.ngrams());
    }
  }

  /** Returns the rows among the terms, in order. */
  public List<Long> ids() {
    return inputs.stream().flatMap(input -> input.id().stream().boxed()).toList();
  }

  /** A word with its factor. */
  private record Term(double weight, String word) {}

  /**
   * Reads an expression.
   *
   * @param words one argument that holds everything, or words and operators as arguments of their
   *     own, so that a word may begin with a space
   * @param asking finds the rows
   */
  public static Arithmetic of(List<String> words, Asking asking, Asked asked) throws IOException {
    List<Term> terms =
        terms(words.size() == 1 ? List.of(words.getFirst().strip().split("\\s+", -1)) : words);
    List<Expression.Term> rows = new ArrayList<>();
    List<Input> inputs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    StringBuilder title = new StringBuilder();
    for (Term term : terms) {
      Optional<Asking.Point> composed = asking.composed(term.word());
      if (composed.isPresent()) {
        Asking.Point word = composed.get();
        rows.add(new Expression.WordTerm(word.query(), term.weight()));
        inputs.add(Input.of(word, term.weight()));
        names.add(Shown.token(term.word()));
        word.remark().ifPresent(remarks::add);
        append(title, term.weight(), word.title());
        continue;
      }
      Asking.Named row = asking.named(term.word());
      asking.checkFinite(row.id());
      rows.add(new Expression.RowTerm(row.id(), term.weight()));
      inputs.add(
          new Input(
              asked.text(row.id()), OptionalLong.of(row.id()), term.weight(), row.respelled(), 0));
      names.add(asked.only(row.id()));
      row.choice().ifPresent(remarks::add);
      append(title, term.weight(), "%s #%d".formatted(asked.name(row.id()), row.id()));
    }
    return new Arithmetic(
        new Expression(rows),
        inputs,
        names.getFirst(),
        title.toString(),
        remarks.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", remarks)));
  }

  private static void append(StringBuilder title, double weight, String name) {
    if (title.isEmpty()) {
      title.append(weight < 0 ? "−" : "");
    } else {
      title.append(weight < 0 ? " − " : " + ");
    }
    double size = Math.abs(weight);
    title.append(size == 1 ? "" : size + "·").append(name);
  }

  private static List<Term> terms(List<String> words) {
    List<Term> terms = new ArrayList<>();
    Optional<Integer> sign = Optional.of(1);
    for (String word : words) {
      Optional<Integer> operator = operator(word);
      if (operator.isPresent()) {
        if (sign.isPresent() && !terms.isEmpty()) {
          throw new IllegalArgumentException(
              "two operators in a row before %s; write A - B + C".formatted(Shown.quoted(word)));
        }
        sign = operator;
        continue;
      }
      if (sign.isEmpty()) {
        throw new IllegalArgumentException(
            "there is no + or - before %s; write A - B + C, each part on its own"
                .formatted(Shown.quoted(word)));
      }
      terms.add(term(sign.get(), word));
      sign = Optional.empty();
    }
    if (terms.isEmpty() || sign.isPresent()) {
      throw new IllegalArgumentException("the expression ends without a token; write A - B + C");
    }
    return terms;
  }

  private static Term term(int sign, String word) {
    Matcher weighted = WEIGHTED.matcher(word);
    return weighted.matches()
        ? new Term(sign * Double.parseDouble(weighted.group(1)), weighted.group(2))
        : new Term(sign, word);
  }

  private static Optional<Integer> operator(String word) {
    return switch (word) {
      case "+" -> Optional.of(1);
      case "-", "−", "–" -> Optional.of(-1); // also the minus and the dash that editors put in
      default -> Optional.empty();
    };
  }
}

package dev.rowan.app.web;

import dev.rowan.app.web.ServedModel.Token;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Tokenizer;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The vocabulary: a text in tokens, the tokens of rows, tokens that begin like this. */
final class TokenEndpoints {
  private static final int MOST_TEXT = 20_000;
  private static final int MOST_NAMES = 2000;
  private static final int MOST_MATCHES = 12;

  private final ServedModels models;

  TokenEndpoints(ServedModels models) {
    this.models = models;
  }

  /** A text in tokens. */
  record Tokens(List<Long> ids, List<String> tokens) {}

  /** The tokens of consecutive rows. */
  record Names(long from, List<String> tokens) {}

  /** Tokens that begin like what was typed so far. */
  record Matches(List<Token> matches) {}

  List<Endpoint> all() {
    return List.of(
        Endpoint.json(
            Api.ROOT + "tokens",
            "A text in the model's tokens.",
            Tokens.class,
            this::tokens,
            Api.model(),
            Parameter.text("text", MOST_TEXT, "The text."),
            Parameter.truth("special", "Add the special tokens that frame a text.")),
        Endpoint.json(
            Api.ROOT + "names",
            "The tokens of consecutive rows.",
            Names.class,
            this::names,
            Api.model(),
            Parameter.whole("from", 0, 0, Long.MAX_VALUE, "The first row."),
            Parameter.whole("count", 64, 1, MOST_NAMES, "How many.")),
        Endpoint.json(
            Api.ROOT + "complete",
            "Tokens that begin like what was typed, in id order, exact ones first.",
            Matches.class,
            this::complete,
            Api.model(),
            Parameter.text("text", 100, "What was typed so far.")));
  }

  private Tokens tokens(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Tokenizer tokenizer =
        served
            .tokenizer()
            .orElseThrow(() ->
                new Refusal(
                    404,
                    "the model has no tokenizer and there is none beside it; name one with --tokenizer"));
    long[] ids =
        tokenizer.encode(
            question.text("text"),
            question.truth("special") ? SpecialTokens.ADD : SpecialTokens.OMIT);
    List<String> tokens = new ArrayList<>();
    for (long id : ids) {
      tokens.add(served.asked().text(id));
    }
    return new Tokens(Arrays.stream(ids).boxed().toList(), tokens);
  }

  private Names names(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Table table = served.table().table();
    long from = LookupEndpoints.from(question, table);
    long end = from + Math.min(question.whole("count"), table.rows() - from);
    List<String> tokens = new ArrayList<>();
    for (long id = from; id < end; id++) {
      tokens.add(served.asked().text(id));
    }
    return new Names(from, tokens);
  }

  private Matches complete(Question question) throws IOException {
    ServedModel served = models.model(question.optionalText("model"));
    Optional<Vocabulary> vocabulary = served.lexicon().vocabulary();
    List<Token> matches = new ArrayList<>();
    String typed = plain(question.text("text"));
    if (vocabulary.isEmpty() || typed.isEmpty()) {
      return new Matches(matches);
    }
    List<Token> longer = new ArrayList<>();
    long end = Math.min(served.table().table().rows(), vocabulary.get().size());
    for (long id = 0; id < end && matches.size() < MOST_MATCHES; id++) {
      if (vocabulary.get().has(id)) {
        String text = vocabulary.get().text(id);
        String token = plain(text);
        if (token.equals(typed)) {
          matches.add(new Token(text, id));
        } else if (longer.size() < MOST_MATCHES && token.startsWith(typed)) {
          longer.add(new Token(text, id));
        }
      }
    }
    longer.stream().limit(MOST_MATCHES - matches.size()).forEach(matches::add);
    return new Matches(matches);
  }

  /** Returns a token without the marks of where it stands in a word. */
  private static String plain(String token) {
    String text = token.strip();
    text = text.startsWith("▁") ? text.substring(1) : text;
    text = text.startsWith("##") && text.length() > 2 ? text.substring(2) : text;
    return text.toLowerCase(Locale.ROOT);
  }
}

package dev.rowan.app.cli;

import dev.rowan.app.answers.Asked;
import dev.rowan.app.cli.Ink.Style;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerModel;
import dev.rowan.text.Tokenizer;
import dev.rowan.text.Tokenizer.SpecialTokens;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Text to ids. */
@Command(
    name = "tokens",
    description = "Split text into the model's tokens and show their ids.",
    footerHeading = "%nExamples:%n",
    footer = {"  rowan tokens \"The cat sat\"", "  rowan tokens --special \"The cat sat\""})
final class TokensCommand implements Verb {
  @Mixin HelpOption help = new HelpOption();

  @Parameters(
      paramLabel = "TEXT",
      arity = "1..*",
      description = "Text; words are joined by spaces.")
  List<String> words = List.of();

  @Option(
      names = "--special",
      description = "Add the special tokens that the model frames its text with.")
  boolean special;

  /**
   * Returns a remark on words that word vectors do not have: there is no token to stand for them.
   */
  private Optional<String> leftOut(Session session, Tokenizer tokenizer) throws IOException {
    Optional<Vocabulary> vocabulary = session.lexicon().vocabulary();
    boolean listed =
        session
            .tokenizerSource()
            .map(source ->
                source instanceof FoundTokenizer.Model(var model)
                    && model instanceof TokenizerModel.WordList)
            .orElse(true);
    if (vocabulary.isEmpty() || !listed || tokenizer.unknown(vocabulary.get()).isPresent()) {
      return Optional.empty();
    }
    List<String> unknown =
        Arrays.stream(String.join(" ", words).strip().split("(?U)\\s+"))
            .filter(word -> !word.isEmpty() && vocabulary.get().id(word).isEmpty())
            .distinct()
            .toList();
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "not in the vocabulary, and left out: "
                + unknown.stream().map(Visible::quoted).collect(Collectors.joining(", ")));
  }

  @Override
  public void run(Session session) throws IOException {
    Tokenizer tokenizer =
        session
            .tokenizer()
            .orElseThrow(() ->
                new UseException(
                    "the model has no tokenizer and there is none beside it; name one with --tokenizer"));
    long[] ids =
        tokenizer.encode(String.join(" ", words), special ? SpecialTokens.ADD : SpecialTokens.OMIT);
    leftOut(session, tokenizer).ifPresent(session::remark);
    Asked asked = session.asked();
    session.answer(
        json ->
            json.array("ids", j -> Arrays.stream(ids).forEach(j::element))
                .array("tokens", j -> Arrays.stream(ids).forEach(id -> j.element(asked.text(id)))),
        page -> {
          page.heading(ids.length == 1 ? "1 token" : ids.length + " tokens");
          Grid grid = new Grid();
          for (long id : ids) {
            grid.row(Grid.left(asked.name(id), Style.TOKEN), Grid.right("#" + id, Style.FAINT));
          }
          page.grid(grid);
        });
  }
}

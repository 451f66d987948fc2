package dev.rowan.app.cli;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.FoundTokenizer;
import dev.rowan.formats.tokenizer.TokenizerFile;
import dev.rowan.text.Tokenizer;
import dev.rowan.text.Tokenizers;
import dev.rowan.train.corpus.Corpus;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Form;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What text to read, and which of its words count. */
final class CorpusOptions {
  /** What happens to bytes that are not UTF-8. */
  enum BadUtf8 {
    replace,
    drop,
    refuse
  }

  @Parameters(
      paramLabel = "TEXT",
      arity = "1..*",
      description = "Files, plain or gzip; folders of such; - for stdin.")
  List<String> texts = List.of();

  @Option(
      names = "--min-count",
      paramLabel = "N",
      description = "Words that come less often get no row (${DEFAULT-VALUE}).")
  long minCount = WordRules.DEFAULT.minCount();

  @Option(
      names = "--max-vocab",
      paramLabel = "N",
      description = "At most so many words get a row, the most frequent ones.")
  @Nullable Integer maxVocabulary;

  @Option(names = "--lower", description = "Lower-case the text.")
  boolean lower;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "Lines are JSON objects, and this member of each is the text.")
  @Nullable String field;

  @Option(
      names = "--bad-utf8",
      paramLabel = "replace|drop|refuse",
      description = "What happens to words that are not UTF-8 (${DEFAULT-VALUE}).")
  BadUtf8 badUtf8 = BadUtf8.replace;

  @Option(
      names = "--read-vocab",
      paramLabel = "FILE",
      description = "Take the words and their counts from a file, as --save-vocab writes it.")
  @Nullable Path readVocabulary;

  @Option(
      names = "--save-vocab",
      paramLabel = "FILE",
      description = "Write the words and their counts, as word2vec does.")
  @Nullable Path saveVocabulary;

  /** Returns the corpus; with {@code --tokenizer}, of a tokenizer's tokens. */
  Corpus corpus(Session session) throws IOException {
    return new Corpus(places(), form(session), rules());
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (String text : texts) {
      places.add(
          text.equals("-") ? new Place.Stream("stdin", System.in) : new Place.Files(Path.of(text)));
    }
    return places;
  }

  private Form form(Session session) throws IOException {
    Path tokenizer = session.globals().tokenizer;
    String member = field;
    if (tokenizer != null && member != null) {
      throw new UseException("--field and --tokenizer do not go together; extract the text first");
    }
    if (tokenizer != null) {
      TokenizerFile file = TokenizerFile.of(tokenizer);
      FoundTokenizer found = file.found();
      Tokenizer splitter = Tokenizers.open(found);
      Vocabulary vocabulary = file.vocabulary();
      return new Form.Tokens(splitter, vocabulary, String.valueOf(tokenizer.getFileName()));
    }
    return member == null ? new Form.Words() : new Form.JsonLines(member);
  }

  private WordRules rules() throws IOException {
    Integer most = maxVocabulary;
    WordRules rules =
        WordRules.DEFAULT
            .withMinCount(minCount)
            .withLetters(lower ? Letters.LOWERED : Letters.KEPT)
            .withBroken(
                switch (badUtf8) {
                  case replace -> Broken.REPLACED;
                  case drop -> Broken.DROPPED;
                  case refuse -> Broken.REFUSED;
                });
    if (most != null) {
      rules = rules.withMaxWords(most);
    }
    Path counted = readVocabulary;
    return counted == null ? rules : rules.withCounted(CountedVocabulary.read(counted));
  }
}

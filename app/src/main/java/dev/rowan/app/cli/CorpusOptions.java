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
import dev.rowan.train.corpus.Corpus.Limits;
import dev.rowan.train.corpus.Corpus.PhraseRules;
import dev.rowan.train.corpus.Corpus.Place;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.CountedVocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      description = "Files, plain, gzip or zstd; folders of such; - for stdin.")
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
      names = "--max-documents",
      paramLabel = "N",
      description = "Read so many documents at most: lines, or with --field JSON objects.")
  @Nullable Long maxDocuments;

  @Option(
      names = "--max-words",
      paramLabel = "N",
      description = "Read so many words of the text at most, those without a row counted too.")
  @Nullable Long maxWords;

  @Option(
      names = "--phrases",
      paramLabel = "PASSES",
      arity = "0..1",
      fallbackValue = "1",
      preprocessor = NumberOrNothing.class,
      description =
          "Make words that come together one word, joined by _, as word2phrase does; so many times"
              + " (1 if not said).")
  @Nullable Integer phrases;

  @Option(
      names = "--phrase-threshold",
      paramLabel = "S",
      description = "Pairs that score above S are phrases; higher for fewer (100).")
  @Nullable Double phraseThreshold;

  @Option(
      names = "--phrase-min-count",
      paramLabel = "N",
      description = "Words and pairs that come less often make no phrase (5).")
  @Nullable Long phraseMinCount;

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
    Long documents = maxDocuments;
    Long words = maxWords;
    Limits limits =
        new Limits(
            documents == null ? Long.MAX_VALUE : documents, words == null ? Long.MAX_VALUE : words);
    return new Corpus(places(), form(session), rules(), limits);
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
    Optional<PhraseRules> joined = phraseRules();
    if (joined.isPresent()) {
      rules = rules.withPhrases(joined.get());
    }
    Path counted = readVocabulary;
    return counted == null ? rules : rules.withCounted(CountedVocabulary.read(counted));
  }

  private Optional<PhraseRules> phraseRules() {
    Integer passes = phrases;
    Double threshold = phraseThreshold;
    Long least = phraseMinCount;
    if (passes == null) {
      if (threshold != null || least != null) {
        throw new UseException(
            "--phrase-threshold and --phrase-min-count go with --phrases; add it");
      }
      return Optional.empty();
    }
    return Optional.of(
        new PhraseRules(
            passes,
            threshold == null ? PhraseRules.DEFAULT.threshold() : threshold,
            least == null ? PhraseRules.DEFAULT.minCount() : least));
  }

  /** Returns every option of the text by name, for the table's metadata. */
  Map<String, String> notes(Session session) {
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("texts", String.join(" ", texts));
    notes.put("min-count", String.valueOf(minCount));
    note(notes, "max-vocab", maxVocabulary);
    note(notes, "max-documents", maxDocuments);
    note(notes, "max-words", maxWords);
    phraseRules()
        .ifPresent(rules -> {
          notes.put("phrases", String.valueOf(rules.passes()));
          notes.put("phrase-threshold", String.valueOf(rules.threshold()));
          notes.put("phrase-min-count", String.valueOf(rules.minCount()));
        });
    notes.put("letters", lower ? "lowered" : "kept");
    notes.put("bad-utf8", badUtf8.name());
    note(notes, "field", field);
    note(notes, "read-vocab", readVocabulary);
    note(notes, "tokenizer", session.globals().tokenizer);
    return notes;
  }

  private static void note(Map<String, String> notes, String name, @Nullable Object value) {
    if (value != null) {
      notes.put(name, value.toString());
    }
  }
}

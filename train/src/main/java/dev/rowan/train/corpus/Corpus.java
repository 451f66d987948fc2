package dev.rowan.train.corpus;

import dev.rowan.core.Counted;
import dev.rowan.core.OutOfRange;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Tokenizer;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What to learn from, and which of its words count.
 *
 * @param places where the text is
 * @param form how a line is read
 * @param words which words are kept
 * @param limits how much is read
 */
public record Corpus(List<Place> places, Form form, WordRules words, Limits limits) {

  /** Copies the places. */
  public Corpus {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("there is no text; name a file, a folder or - for stdin");
    }
  }

  /** Describes a corpus that is read to its end. */
  public Corpus(List<Place> places, Form form, WordRules words) {
    this(places, form, words, Limits.NONE);
  }

  /** Returns a corpus of files and folders of plain text. */
  public static Corpus ofFiles(Path... paths) {
    return new Corpus(
        java.util.Arrays.stream(paths).<Place>map(Place.Files::new).toList(),
        new Form.Words(),
        WordRules.DEFAULT);
  }

  /** Returns what to call the text: its first place, and how many more there are. */
  public String name() {
    String first =
        switch (places.getFirst()) {
          case Place.Files(Path path) -> path.toString();
          case Place.Stream(String stream, _) -> stream;
        };
    int more = places.size() - 1;
    return more == 0 ? first : first + " and " + Counted.of(more, "other");
  }

  /** Returns this corpus with other rules for words. */
  public Corpus with(WordRules words) {
    return new Corpus(places, form, words, limits);
  }

  /** Returns this corpus with another form of lines. */
  public Corpus with(Form form) {
    return new Corpus(places, form, words, limits);
  }

  /** Returns this corpus with other limits. */
  public Corpus with(Limits limits) {
    return new Corpus(places, form, words, limits);
  }

  /**
   * How much is read, from the start on, whatever the number of threads.
   *
   * @param documents lines with words in them, or JSON objects with words in their text; 1 or more
   * @param words words of the text, those without a row too; of a tokenizer, tokens; 1 or more
   */
  public record Limits(long documents, long words) {
    /** Everything. */
    public static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Checks the ranges. */
    public Limits {
      OutOfRange.atLeast("max documents", documents, 1);
      OutOfRange.atLeast("max words", words, 1);
    }
  }

  /** Where text is. */
  public sealed interface Place {
    /**
     * A file, plain, gzip or zstd as its first bytes tell, or a folder: all files in it and below,
     * in the order of their names, but no hidden ones and none that its first bytes show to be no
     * text.
     */
    record Files(Path path) implements Place {}

    /** A stream, plain, gzip or zstd, read once. */
    record Stream(String name, InputStream in) implements Place {}
  }

  /** How a line is read. */
  public sealed interface Form {
    /** Words between white space; a line feed ends a sentence. */
    record Words() implements Form {}

    /** A line is a JSON object, one member of which is text; a line feed in it ends a sentence. */
    record JsonLines(String field) implements Form {}

    /**
     * A line is split by a model's tokenizer; row i becomes that of its token i, seen or not, so
     * that the table fits the tokenizer.
     *
     * @param name what to call it in the table's metadata
     */
    record Tokens(Tokenizer tokenizer, Vocabulary vocabulary, String name) implements Form {}
  }

  /**
   * Which words are kept.
   *
   * @param minCount words that come less often get no row, 1 or more
   * @param maxWords at most so many words get a row, the most frequent ones
   * @param letters whether capitals count
   * @param broken what happens to bytes that are not UTF-8
   * @param counted a vocabulary to use instead of counting
   * @param phrases how words that come together become one
   */
  public record WordRules(
      long minCount,
      int maxWords,
      Letters letters,
      Broken broken,
      Optional<CountedVocabulary> counted,
      Optional<PhraseRules> phrases) {
    /** Words that come five times or more, as written. */
    public static final WordRules DEFAULT =
        new WordRules(
            5,
            Integer.MAX_VALUE,
            Letters.KEPT,
            Broken.REPLACED,
            Optional.empty(),
            Optional.empty());

    /** Checks the ranges. */
    public WordRules {
      OutOfRange.atLeast("min count", minCount, 1);
      OutOfRange.atLeast("max vocab", maxWords, 2);
    }

    /** Returns these rules with another least count. */
    public WordRules withMinCount(long minCount) {
      return new WordRules(minCount, maxWords, letters, broken, counted, phrases);
    }

    /** Returns these rules with another most words. */
    public WordRules withMaxWords(int maxWords) {
      return new WordRules(minCount, maxWords, letters, broken, counted, phrases);
    }

    /** Returns these rules with another treatment of capitals. */
    public WordRules withLetters(Letters letters) {
      return new WordRules(minCount, maxWords, letters, broken, counted, phrases);
    }

    /** Returns these rules with another treatment of bytes that are not UTF-8. */
    public WordRules withBroken(Broken broken) {
      return new WordRules(minCount, maxWords, letters, broken, counted, phrases);
    }

    /** Returns these rules with a vocabulary counted before. */
    public WordRules withCounted(CountedVocabulary counted) {
      return new WordRules(minCount, maxWords, letters, broken, Optional.of(counted), phrases);
    }

    /** Returns these rules with phrases. */
    public WordRules withPhrases(PhraseRules phrases) {
      return new WordRules(minCount, maxWords, letters, broken, counted, Optional.of(phrases));
    }
  }

  /**
   * Words that come together more often than chance tells become one word, joined by {@code _}, as
   * word2phrase does it (Mikolov et al. 2013b, eq. 6): a and b, one behind the other in a sentence,
   * where (count(ab) − minCount) / (count(a) · count(b)) × words of the text is above the
   * threshold. A sentence is gone through from its start, and a word belongs to one pair only; a
   * further pass joins what the one before has joined, so that two passes make phrases of up to
   * four words.
   *
   * <p>Pairs are counted exactly, in bounded memory.
   *
   * @param passes 1 to 10
   * @param threshold 0 or more; higher for fewer phrases
   * @param minCount words and pairs that come less often are no part of phrases, 1 or more
   */
  public record PhraseRules(int passes, double threshold, long minCount) {
    /** word2phrase's: one pass, a threshold of 100, pairs that come five times or more. */
    public static final PhraseRules DEFAULT = new PhraseRules(1, 100, 5);

    /** Checks the ranges. */
    public PhraseRules {
      OutOfRange.check("phrases", passes, 1, 10);
      OutOfRange.check(
          threshold >= 0 && threshold < Double.POSITIVE_INFINITY,
          "phrase threshold",
          threshold,
          "0 or more");
      OutOfRange.atLeast("phrase min count", minCount, 1);
    }
  }

  /** Whether capitals count. */
  public enum Letters {
    /** Words stay as they are written. */
    KEPT,
    /** Words are lower-cased, by Unicode's rules for no language in particular. */
    LOWERED
  }

  /** What happens to bytes that are not UTF-8. */
  public enum Broken {
    /**
     * They become U+FFFD. A text of which more than a tenth is broken is refused: it is none, or in
     * another encoding.
     */
    REPLACED,
    /** The word is left out. */
    DROPPED,
    /** Reading stops with an error. */
    REFUSED
  }
}

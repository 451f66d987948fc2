package dev.rowan.train.corpus;

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
 */
public record Corpus(List<Place> places, Form form, WordRules words) {

  /** Copies the places. */
  public Corpus {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("there is no text; name a file, a folder or - for stdin");
    }
  }

  /** Returns a corpus of files and folders of plain text. */
  public static Corpus ofFiles(Path... paths) {
    return new Corpus(
        java.util.Arrays.stream(paths).<Place>map(Place.Files::new).toList(),
        new Form.Words(),
        WordRules.DEFAULT);
  }

  /** Returns this corpus with other rules for words. */
  public Corpus with(WordRules words) {
    return new Corpus(places, form, words);
  }

  /** Returns this corpus with another form of lines. */
  public Corpus with(Form form) {
    return new Corpus(places, form, words);
  }

  /** Where text is. */
  public sealed interface Place {
    /**
     * A file, plain or gzip as its first bytes tell, or a folder: all files in it and below, in the
     * order of their names, but no hidden ones.
     */
    record Files(Path path) implements Place {}

    /** A stream, read once. */
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
   */
  public record WordRules(
      long minCount,
      int maxWords,
      Letters letters,
      Broken broken,
      Optional<CountedVocabulary> counted) {
    /** Words that come five times or more, as written. */
    public static final WordRules DEFAULT =
        new WordRules(5, Integer.MAX_VALUE, Letters.KEPT, Broken.REPLACED, Optional.empty());

    /** Checks the ranges. */
    public WordRules {
      if (minCount < 1) {
        throw new IllegalArgumentException("min count is " + minCount + "; 1 is the least");
      }
      if (maxWords < 2) {
        throw new IllegalArgumentException(
            "at most %d words are to be kept; 2 is the least".formatted(maxWords));
      }
    }

    /** Returns these rules with another least count. */
    public WordRules withMinCount(long minCount) {
      return new WordRules(minCount, maxWords, letters, broken, counted);
    }

    /** Returns these rules with another most words. */
    public WordRules withMaxWords(int maxWords) {
      return new WordRules(minCount, maxWords, letters, broken, counted);
    }

    /** Returns these rules with another treatment of capitals. */
    public WordRules withLetters(Letters letters) {
      return new WordRules(minCount, maxWords, letters, broken, counted);
    }

    /** Returns these rules with another treatment of bytes that are not UTF-8. */
    public WordRules withBroken(Broken broken) {
      return new WordRules(minCount, maxWords, letters, broken, counted);
    }

    /** Returns these rules with a vocabulary counted before. */
    public WordRules withCounted(CountedVocabulary counted) {
      return new WordRules(minCount, maxWords, letters, broken, Optional.of(counted));
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
    /** They become U+FFFD. */
    REPLACED,
    /** The word is left out. */
    DROPPED,
    /** Reading stops with an error. */
    REFUSED
  }
}

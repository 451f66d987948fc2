package dev.rowan.analysis.eval;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What a file of an evaluation asks. */
public sealed interface TestSet {

  /** Returns its name: that of the file. */
  String name();

  /** Returns how many lines were neither blank, comment or heading nor what they should be. */
  int skippedLines();

  /** Returns every word in it. */
  Stream<String> words();

  /**
   * Pairs of words that people gave a similarity.
   *
   * @param name of the file
   * @param pairs in its order
   * @param skippedLines lines that are no pair
   */
  record WordPairs(String name, List<Pair> pairs, int skippedLines) implements TestSet {
    /** Copies the pairs. */
    public WordPairs {
      pairs = List.copyOf(pairs);
    }

    @Override
    public Stream<String> words() {
      return pairs.stream().flatMap(pair -> Stream.of(pair.first(), pair.second()));
    }
  }

  /**
   * A line of {@link WordPairs}.
   *
   * @param first a word
   * @param second a word
   * @param score what people said
   */
  record Pair(String first, String second, double score) {}

  /**
   * Analogy questions.
   *
   * @param name of the file or folder
   * @param form how they were written
   * @param sections in their order
   * @param skippedLines lines that are no question
   */
  record Analogies(String name, Form form, List<Section> sections, int skippedLines)
      implements TestSet {
    /** Copies the sections. */
    public Analogies {
      sections = List.copyOf(sections);
    }

    @Override
    public Stream<String> words() {
      return sections.stream()
          .flatMap(section -> section.questions().stream())
          .flatMap(q -> Stream.concat(Stream.of(q.a(), q.b(), q.c()), q.expected().stream()));
    }
  }

  /**
   * The questions of one relation.
   *
   * @param name of the relation
   * @param pairs its distinct pairs
   * @param questions made of them
   */
  record Section(String name, List<RelationPair> pairs, List<Question> questions) {
    /** Copies the lists. */
    public Section {
      pairs = List.copyOf(pairs);
      questions = List.copyOf(questions);
    }
  }

  /**
   * Two words that stand in a relation.
   *
   * @param from such as a country
   * @param to such as its capital
   */
  record RelationPair(String from, String to) {}

  /**
   * a is to b as c is to one of {@code expected}.
   *
   * @param expected one word, or several that are all right
   */
  record Question(String a, String b, String c, List<String> expected) {
    /** Copies the words. */
    public Question {
      expected = List.copyOf(expected);
    }
  }

  /** How analogy questions are written. */
  enum Form {
    /** Lines {@code a b c d} under headings {@code : section} (word2vec's questions-words.txt). */
    GOOGLE,
    /**
     * Lines {@code word<TAB>answer/answer/…}, a file a relation (BATS, Gladkova et al. 2016): each
     * pair asks about each other one.
     */
    BATS
  }

  /** What a file holds. */
  enum Kind {
    /** Lines {@code word word score}. */
    PAIRS,
    /** See {@link Form#GOOGLE}. */
    GOOGLE,
    /** See {@link Form#BATS}. */
    BATS
  }

  /**
   * How to read a file.
   *
   * @param kind what it holds; empty to find out
   * @param separator the character between the fields of a pair; empty for the usual ones (gensim's
   *     rules: a tab)
   */
  record Reading(Optional<Kind> kind, OptionalInt separator) {
    /** Returns the settings that find everything out. */
    public static Reading automatic() {
      return new Reading(Optional.empty(), OptionalInt.empty());
    }
  }

  /**
   * Reads a file, or a folder of BATS files.
   *
   * @throws dev.rowan.formats.file.FormatException if it is no text in UTF-8, or nothing in it can
   *     be used
   * @throws IOException if it cannot be read
   */
  static TestSet read(Path path, EvalRules.Policy policy, Reading reading) throws IOException {
    return new TestSetReader(policy, reading).read(path);
  }
}

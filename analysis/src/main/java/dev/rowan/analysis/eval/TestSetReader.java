package dev.rowan.analysis.eval;

import dev.rowan.analysis.eval.TestSet.Analogies;
import dev.rowan.analysis.eval.TestSet.Form;
import dev.rowan.analysis.eval.TestSet.Kind;
import dev.rowan.analysis.eval.TestSet.Pair;
import dev.rowan.analysis.eval.TestSet.Question;
import dev.rowan.analysis.eval.TestSet.Reading;
import dev.rowan.analysis.eval.TestSet.RelationPair;
import dev.rowan.analysis.eval.TestSet.Section;
import dev.rowan.analysis.eval.TestSet.WordPairs;
import dev.rowan.formats.file.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** Reads test sets in the forms that are in use. */
final class TestSetReader {
  /** Lines that decide what a file holds. */
  private static final int SAMPLE = 50;

  /** Questions made of one BATS file at most; a file of the set has 50 pairs and makes 2,450. */
  private static final long MOST_QUESTIONS = 200_000;

  /** Files of a folder at most. */
  private static final int MOST_FILES = 1000;

  private final EvalRules.Policy policy;
  private final Reading reading;

  TestSetReader(EvalRules.Policy policy, Reading reading) {
    this.policy = policy;
    this.reading = reading;
  }

  TestSet read(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return folder(path);
    }
    List<String> lines = TextLines.read(path);
    Kind kind = reading.kind().orElseGet(() -> kind(path, lines));
    return switch (kind) {
      case PAIRS -> pairs(path, lines);
      case GOOGLE -> google(path, lines);
      case BATS -> {
        List<Section> sections = new ArrayList<>();
        int skipped = bats(name(path), lines, sections);
        if (sections.isEmpty()) {
          throw new FormatException(
              path, "there is no line of two fields; a BATS file has lines word<TAB>answer");
        }
        yield new Analogies(name(path), Form.BATS, sections, skipped);
      }
    };
  }

  private static String name(Path path) {
    Path name = path.toAbsolutePath().normalize().getFileName();
    return (name == null ? path : name).toString();
  }

  private static boolean isComment(String line) {
    return line.isBlank() || line.startsWith("#");
  }

  /** Finds out from the first lines what a file holds: what most of them look like. */
  private Kind kind(Path path, List<String> lines) {
    Map<Kind, Integer> votes = new EnumMap<>(Kind.class);
    lines.stream()
        .filter(line -> !isComment(line))
        .limit(SAMPLE)
        .forEach(line -> looksLike(line).ifPresent(kind -> votes.merge(kind, 1, Integer::sum)));
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow(() ->
            new FormatException(
                path,
                "no line looks like a pair with a score (word word 7.5), an analogy (a b c d) or a"
                    + " pair of a relation (word<TAB>answer); look at the file, or say what it is"))
        .getKey();
  }

  private Optional<Kind> looksLike(String line) {
    int fields = PairLine.fields(line, reading.separator()).size();
    if (line.startsWith(":") || (fields == 4 && !hasScore(line))) {
      return Optional.of(Kind.GOOGLE);
    }
    if (hasScore(line)) {
      return Optional.of(Kind.PAIRS);
    }
    return fields == 2 ? Optional.of(Kind.BATS) : Optional.empty();
  }

  private boolean hasScore(String line) {
    return PairLine.freely(line, reading.separator()).isPresent();
  }

  private WordPairs pairs(Path path, List<String> lines) {
    List<Pair> pairs = new ArrayList<>();
    int skipped = 0;
    boolean first = true;
    boolean strict = policy == EvalRules.Policy.GENSIM;
    for (String line : lines) {
      if (strict ? line.startsWith("#") : isComment(line)) {
        continue;
      }
      Optional<Pair> pair =
          strict
              ? PairLine.strictly(line, (char) reading.separator().orElse('\t'))
              : PairLine.freely(line, reading.separator());
      if (pair.isPresent()) {
        pairs.add(pair.get());
      } else if (!line.isBlank() && (strict || !first)) {
        skipped++; // a first line without a score is the heading
      }
      first = false;
    }
    if (pairs.isEmpty()) {
      throw new FormatException(
          path,
          strict
              ? "there is no line of two words and a number apart by a tab, which gensim's rules ask"
                  + " for; name another separator with --delimiter, or use --policy rowan"
              : "there is no line of two words and a number");
    }
    return new WordPairs(name(path), pairs, skipped);
  }

  private Analogies google(Path path, List<String> lines) {
    List<Section> sections = new ArrayList<>();
    List<Question> questions = new ArrayList<>();
    Set<RelationPair> pairs = new LinkedHashSet<>();
    Optional<String> section = Optional.empty();
    int skipped = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean heading =
          policy == EvalRules.Policy.GENSIM ? line.startsWith(": ") : line.startsWith(":");
      if (heading) {
        section.ifPresent(name -> sections.add(new Section(name, List.copyOf(pairs), questions)));
        section = Optional.of(line.replaceFirst("^[: ]+", "").strip());
        questions.clear();
        pairs.clear();
        continue;
      }
      if (section.isEmpty()) {
        if (policy == EvalRules.Policy.GENSIM) {
          throw new FormatException(
              path,
              "line %d comes before any section, which gensim's rules refuse; put \": name\" above"
                      .formatted(i + 1)
                  + " it");
        }
        section = line.isBlank() ? section : Optional.of(name(path));
      }
      List<String> fields = TextLines.fields(line);
      if (fields.size() != 4) {
        skipped += line.isBlank() ? 0 : 1;
        continue;
      }
      questions.add(
          new Question(fields.get(0), fields.get(1), fields.get(2), List.of(fields.get(3))));
      pairs.add(new RelationPair(fields.get(0), fields.get(1)));
      pairs.add(new RelationPair(fields.get(2), fields.get(3)));
    }
    section.ifPresent(name -> sections.add(new Section(name, List.copyOf(pairs), questions)));
    if (sections.stream().allMatch(s -> s.questions().isEmpty())) {
      throw new FormatException(path, "there is no line of four words");
    }
    return new Analogies(name(path), Form.GOOGLE, sections, skipped);
  }

  private Analogies folder(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder, 4)) {
      files =
          walk.filter(p -> p.toString().endsWith(".txt") && Files.isRegularFile(p))
              .sorted()
              .limit(MOST_FILES + 1L)
              .toList();
    }
    if (files.isEmpty() || files.size() > MOST_FILES) {
      throw new FormatException(
          folder,
          files.isEmpty()
              ? "the folder holds no .txt file; a BATS folder has one a relation"
              : "more than %,d .txt files; name the folder of the test set".formatted(MOST_FILES));
    }
    List<Section> sections = new ArrayList<>();
    int skipped = 0;
    for (Path file : files) {
      List<String> lines = TextLines.read(file);
      skipped += bats(name(file).replaceFirst("\\.txt$", ""), lines, sections);
    }
    if (sections.isEmpty()) {
      throw new FormatException(
          folder, "no file has lines word<TAB>answer, which BATS files consist of");
    }
    return new Analogies(name(folder), Form.BATS, sections, skipped);
  }

  /** Adds the section of one BATS file, if it has a pair; returns how many lines are none. */
  private static int bats(String name, List<String> lines, List<Section> sections) {
    List<RelationPair> pairs = new ArrayList<>();
    List<List<String>> answers = new ArrayList<>();
    int skipped = 0;
    for (String line : lines) {
      if (isComment(line)) {
        continue;
      }
      List<String> fields = PairLine.fields(line, OptionalInt.empty());
      List<String> right =
          fields.size() == 2
              ? Stream.of(fields.get(1).split("/", -1)).filter(w -> !w.isEmpty()).toList()
              : List.of();
      if (right.isEmpty()) {
        skipped++;
        continue;
      }
      pairs.add(new RelationPair(fields.get(0), right.getFirst()));
      answers.add(right);
    }
    if (!pairs.isEmpty()) {
      sections.add(new Section(name, pairs, questions(pairs, answers)));
    }
    return skipped;
  }

  /**
   * Asks about each pair with each other one; of a list too long for that, with the pairs that
   * follow it.
   */
  private static List<Question> questions(List<RelationPair> pairs, List<List<String>> answers) {
    int n = pairs.size();
    int others = (int) Math.min(n - 1, Math.max(1, MOST_QUESTIONS / n));
    List<Question> questions = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int step = 1; step <= others; step++) {
        int j = (i + step) % n;
        RelationPair known = pairs.get(i);
        questions.add(new Question(known.from(), known.to(), pairs.get(j).from(), answers.get(j)));
      }
    }
    return questions;
  }
}

package dev.rowan.analysis.eval;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Table;
import dev.rowan.core.Vocabulary;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The rows of the words of a test set under some rules.
 *
 * <p>Immutable and safe for any number of threads.
 */
final class WordRows {
  private final Vocabulary vocabulary;
  private final EvalRules rules;
  private final long limit;
  private final Map<String, Found> found = new HashMap<>();

  /**
   * A row and how well its token fits: 0 the word itself, 1 without its leading space, 2 and 3 the
   * same with another case.
   */
  private record Found(long row, int fit) {}

  private WordRows(Vocabulary vocabulary, EvalRules rules, long limit) {
    this.vocabulary = vocabulary;
    this.rules = rules;
    this.limit = limit;
  }

  /**
   * Looks words up. A word whose row is not finite counts as unknown: it has no cosine.
   *
   * @param words as the test set writes them
   * @throws IllegalArgumentException if the lexicon has no vocabulary
   */
  static WordRows of(Lexicon lexicon, Table table, EvalRules rules, Collection<String> words) {
    Vocabulary vocabulary =
        lexicon
            .vocabulary()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "this table has no vocabulary, so words have no rows; name one with"
                        + " --tokenizer"));
    WordRows rows =
        new WordRows(vocabulary, rules, rules.limit(Math.min(table.rows(), vocabulary.size())));
    rows.find(table, words);
    return rows;
  }

  private void find(Table table, Collection<String> words) {
    Map<String, Map<String, Found>> wanted = new HashMap<>(); // by form
    for (String word : words) {
      wanted.computeIfAbsent(form(word), _ -> new HashMap<>()).put(word, new Found(-1, 9));
    }
    float[] row = new float[table.width()];
    for (long id = 0; id < limit; id++) {
      if (!vocabulary.has(id)) {
        continue;
      }
      String text = vocabulary.text(id);
      String bare = bare(text, id);
      Map<String, Found> same = wanted.get(fold(bare));
      if (same == null) {
        continue;
      }
      boolean spaced = !bare.equals(text) || !writesSpaces();
      for (Map.Entry<String, Found> entry : same.entrySet()) {
        int fit = fit(entry.getKey(), bare, spaced);
        if (fit < entry.getValue().fit()) {
          entry.setValue(new Found(id, fit));
        }
      }
    }
    for (Map<String, Found> same : wanted.values()) {
      same.forEach((word, hit) -> {
        if (hit.row() >= 0 && isFinite(table, hit.row(), row)) {
          found.put(word, hit);
        }
      });
    }
  }

  private int fit(String word, String bare, boolean spaced) {
    if (rules.policy() != EvalRules.Policy.ROWAN) {
      return 0; // the lowest row of a form wins
    }
    return (bare.equals(word) ? 0 : 2) + (spaced ? 0 : 1);
  }

  private static boolean isFinite(Table table, long id, float[] row) {
    table.copyRow(id, row, 0);
    for (float value : row) {
      if (!Float.isFinite(value)) {
        return false;
      }
    }
    return true;
  }

  private boolean writesSpaces() {
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL, SENTENCEPIECE -> true;
      case WORDPIECE, PLAIN -> false;
    };
  }

  /** Returns a token without the space that our rules do not count as part of a word. */
  private String bare(String text, long id) {
    if (rules.policy() != EvalRules.Policy.ROWAN || vocabulary.isAdded(id) || text.length() < 2) {
      return text;
    }
    return switch (vocabulary.spelling()) {
      case BYTE_LEVEL -> text.charAt(0) == ' ' ? text.substring(1) : text;
      case SENTENCEPIECE -> text.charAt(0) == '\u2581' ? text.substring(1) : text;
      case WORDPIECE, PLAIN -> text;
    };
  }

  /** Returns the form of a word, which equal words share. */
  String form(String word) {
    return fold(word);
  }

  /** Returns the form of a row's token. */
  String form(long id) {
    return fold(bare(vocabulary.text(id), id));
  }

  private String fold(String text) {
    if (rules.spelling() == EvalRules.Spelling.EXACT) {
      return text;
    }
    return switch (rules.policy()) {
      case ROWAN, GENSIM -> text.toUpperCase(Locale.ROOT);
      case WORD2VEC -> asciiUpper(text);
    };
  }

  private static String asciiUpper(String text) {
    StringBuilder upper = new StringBuilder(text);
    for (int i = 0; i < upper.length(); i++) {
      char c = upper.charAt(i);
      if (c >= 'a' && c <= 'z') {
        upper.setCharAt(i, (char) (c - 'a' + 'A'));
      }
    }
    return upper.toString();
  }

  /** Returns how many rows count, as words and as answers. */
  long limit() {
    return limit;
  }

  /** Returns the row of a word of the test set. */
  OptionalLong row(String word) {
    Found hit = found.get(word);
    return hit == null ? OptionalLong.empty() : OptionalLong.of(hit.row());
  }
}

package dev.rowan.text;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.text.Resolution.Candidate;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The spellings that a typed word can have in a vocabulary, likeliest first. */
final class Spellings {
  private static final Pattern ACCENTS = Pattern.compile("\\p{Mn}+");
  private static final char SENTENCEPIECE_SPACE = '\u2581';
  private static final char BYTE_LEVEL_SPACE = '\u0120';

  private Spellings() {}

  /** Returns the tokens of a vocabulary that a word can mean, likeliest first, each id once. */
  static List<Candidate> candidates(Vocabulary vocabulary, String typed) {
    Map<String, Form> forms = forms(vocabulary.spelling(), typed);
    List<Candidate> found = new ArrayList<>();
    Set<Integer> seen = new LinkedHashSet<>();
    forms.forEach((stored, form) ->
        vocabulary
            .id(stored)
            .ifPresent(id -> {
              if (seen.add(id)) {
                found.add(new Candidate(id, form));
              }
            }));
    return found;
  }

  private static Map<String, Form> forms(Spelling spelling, String typed) {
    Map<String, Form> forms = new LinkedHashMap<>();
    switch (spelling) {
      case BYTE_LEVEL -> {
        if (typed.indexOf(BYTE_LEVEL_SPACE) == 0) {
          forms.put(typed, Form.EXACT);
        }
        spaced(forms, typed, Spelling::byteLevel);
      }
      case SENTENCEPIECE -> {
        if (typed.indexOf(SENTENCEPIECE_SPACE) == 0) {
          forms.put(typed, Form.EXACT);
        }
        spaced(forms, typed, text -> text.replace(' ', SENTENCEPIECE_SPACE));
      }
      case WORDPIECE -> {
        forms.put(typed, typed.startsWith("##") ? Form.EXACT : Form.BARE);
        others(forms, typed);
        forms.putIfAbsent("##" + typed, Form.CONTINUATION);
        for (String other : otherCases(typed)) {
          forms.putIfAbsent("##" + other, Form.CONTINUATION);
        }
        for (String other : withoutAccents(typed)) {
          forms.putIfAbsent("##" + other, Form.CONTINUATION);
        }
      }
      case PLAIN -> {
        forms.put(typed, Form.EXACT);
        others(forms, typed);
      }
    }
    return forms;
  }

  private static void others(Map<String, Form> forms, String typed) {
    for (String other : otherCases(typed)) {
      forms.putIfAbsent(other, Form.OTHER_CASE);
    }
    for (String other : withoutAccents(typed)) {
      forms.putIfAbsent(other, Form.OTHER_ACCENTS);
    }
  }

  /** How text is written down in a vocabulary that spells spaces. */
  private interface Writer {
    String stored(String text);
  }

  /**
   * Adds the forms of a vocabulary that spells spaces. A word typed with a space in front means
   * that token; without one, the form with a space still goes first, since that is what the word is
   * in running text. Then the string as the vocabulary stores it, as a byte alone is written.
   */
  private static void spaced(Map<String, Form> forms, String typed, Writer writer) {
    boolean leading = typed.startsWith(" ");
    String word = leading ? typed.substring(1) : typed;
    String space = writer.stored(" ");
    forms.putIfAbsent(space + writer.stored(word), leading ? Form.EXACT : Form.SPACE);
    forms.putIfAbsent(writer.stored(word), Form.BARE);
    forms.putIfAbsent(typed, Form.EXACT);
    for (String other : otherCases(word)) {
      forms.putIfAbsent(space + writer.stored(other), Form.SPACE_OTHER_CASE);
    }
    for (String other : otherCases(word)) {
      forms.putIfAbsent(writer.stored(other), Form.OTHER_CASE);
    }
    for (String other : withoutAccents(word)) {
      forms.putIfAbsent(space + writer.stored(other), Form.SPACE_OTHER_ACCENTS);
    }
    for (String other : withoutAccents(word)) {
      forms.putIfAbsent(writer.stored(other), Form.OTHER_ACCENTS);
    }
  }

  /** Returns a word in lower case, titled and in upper case, but for the word itself. */
  private static Set<String> otherCases(String word) {
    Set<String> cases = new LinkedHashSet<>();
    String lower = word.toLowerCase(Locale.ROOT);
    cases.add(lower);
    if (!lower.isEmpty()) {
      int first = lower.offsetByCodePoints(0, 1);
      cases.add(lower.substring(0, first).toUpperCase(Locale.ROOT) + lower.substring(first));
    }
    cases.add(word.toUpperCase(Locale.ROOT));
    cases.remove(word);
    return cases;
  }

  /** Returns a word and its other cases without accents, as uncased models read it. */
  private static Set<String> withoutAccents(String word) {
    Set<String> plain = new LinkedHashSet<>();
    plain.add(withoutMarks(word));
    otherCases(word).forEach(other -> plain.add(withoutMarks(other)));
    return plain;
  }

  private static String withoutMarks(String text) {
    return ACCENTS.matcher(Normalizer.normalize(text, Normalizer.Form.NFD)).replaceAll("");
  }

  /** Returns what a token says once marks of space and continuation are off, in lower case. */
  static String word(Vocabulary vocabulary, long id) {
    String text = vocabulary.text(id);
    int from = 0;
    switch (vocabulary.spelling()) {
      case WORDPIECE -> from = text.startsWith("##") ? 2 : 0;
      case SENTENCEPIECE -> from = text.indexOf(SENTENCEPIECE_SPACE) == 0 ? 1 : 0;
      case BYTE_LEVEL -> from = text.startsWith(" ") ? 1 : 0;
      case PLAIN -> {}
    }
    return text.substring(from).toLowerCase(Locale.ROOT);
  }

  /** Returns whether a token begins a word in running text. */
  static boolean startsWord(Vocabulary vocabulary, long id) {
    String text = vocabulary.text(id);
    return switch (vocabulary.spelling()) {
      case WORDPIECE -> !text.startsWith("##");
      case SENTENCEPIECE -> text.indexOf(SENTENCEPIECE_SPACE) == 0;
      case BYTE_LEVEL -> text.startsWith(" ");
      case PLAIN -> true;
    };
  }
}

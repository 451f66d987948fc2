package dev.rowan.text;

import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.Spaces;
import dev.rowan.formats.tokenizer.TokenizerModel.TextRules;
import java.util.Arrays;

/**
 * What SentencePiece does to text before it chooses pieces: replacements, spaces at the ends and in
 * runs, {@code ▁} for a space (google/sentencepiece, normalizer.cc). Immutable.
 */
final class PieceText {
  private static final byte[] SPACE = {(byte) 0xE2, (byte) 0x96, (byte) 0x81}; // ▁

  private final Charsmap charsmap;
  private final TextRules rules;
  private final Trie userDefined; // never replaced within

  PieceText(TextRules rules, Trie userDefined) {
    this.charsmap = Charsmap.of(rules.charsmap());
    this.rules = rules;
    this.userDefined = userDefined;
  }

  /** Text on its way: a growing buffer. */
  private static final class Output {
    byte[] bytes;
    int size;

    Output(int capacity) {
      bytes = new byte[capacity];
    }

    void add(byte b) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * size + 16);
      }
      bytes[size++] = b;
    }

    void addSpace() {
      add(SPACE[0]);
      add(SPACE[1]);
      add(SPACE[2]);
    }

    boolean endsWithSpace() {
      return size >= 3 && Arrays.equals(bytes, size - 3, size, SPACE, 0, 3);
    }
  }

  /** Returns whether a ▁ stands at a place of prepared text, which may lie outside of it. */
  static boolean isSpace(byte[] text, int at) {
    return at >= 0
        && at + 3 <= text.length
        && text[at] == SPACE[0]
        && text[at + 1] == SPACE[1]
        && text[at + 2] == SPACE[2];
  }

  /** Returns the stretch of a text, UTF-16, that pieces are chosen for. */
  byte[] prepare(char[] text, int from, int to) {
    return prepare(Utf8.bytes(text, from, to), rules.lead() == Lead.SPACE_BEFORE);
  }

  private byte[] prepare(byte[] text, boolean led) {
    boolean collapse = rules.spaces() == Spaces.COLLAPSED;
    int at = collapse ? afterSpaces(text) : 0;
    if (at == text.length) {
      return new byte[0];
    }
    Output output = new Output(text.length + text.length / 2 + 8);
    if (led) {
      output.addSpace();
    }
    boolean spaceBefore = collapse;
    while (at < text.length) {
      int user = userDefined.isEmpty() ? at : userDefined.longest(text, at, text.length);
      long found = user > at ? -1 : charsmap.longest(text, at, text.length);
      if (found == -1) {
        int end = user > at ? user : Math.min(text.length, at + Utf8.length(text[at]));
        spaceBefore = add(output, text, at, end, spaceBefore);
        at = end;
      } else {
        int start = (int) found;
        spaceBefore = addReplacement(output, start, spaceBefore);
        at += (int) (found >>> 32);
      }
      spaceBefore &= collapse;
    }
    while (collapse && output.endsWithSpace()) {
      output.size -= 3;
    }
    if (rules.lead() == Lead.SPACE_AFTER) {
      output.addSpace();
    }
    return Arrays.copyOf(output.bytes, output.size);
  }

  /** Returns where the text goes on after everything at its start that becomes one space. */
  private int afterSpaces(byte[] text) {
    int at = 0;
    while (at < text.length) {
      if (!userDefined.isEmpty() && userDefined.longest(text, at, text.length) > at) {
        int end = userDefined.longest(text, at, text.length);
        if (end - at == 1 && text[at] == ' ') {
          at = end;
          continue;
        }
        return at;
      }
      long found = charsmap.longest(text, at, text.length);
      if (found == -1) {
        if (text[at] != ' ') {
          return at;
        }
        at++;
      } else {
        int start = (int) found;
        if (charsmap.end(start) - start != 1 || charsmap.octet(start) != ' ') {
          return at;
        }
        at += (int) (found >>> 32);
      }
    }
    return at;
  }

  /** Adds text and returns whether a space was the last that was added. */
  private static boolean add(Output output, byte[] text, int from, int to, boolean spaceBefore) {
    int at = from;
    while (spaceBefore && at < to && text[at] == ' ') {
      at++;
    }
    for (int i = at; i < to; i++) {
      addOctet(output, text[i]);
    }
    return at < to ? text[to - 1] == ' ' : spaceBefore;
  }

  private boolean addReplacement(Output output, int start, boolean spaceBefore) {
    int to = charsmap.end(start);
    int at = start;
    while (spaceBefore && at < to && charsmap.octet(at) == ' ') {
      at++;
    }
    for (int i = at; i < to; i++) {
      addOctet(output, charsmap.octet(i));
    }
    return at < to ? charsmap.octet(to - 1) == ' ' : spaceBefore;
  }

  private static void addOctet(Output output, byte b) {
    if (b == ' ') {
      output.addSpace();
    } else {
      output.add(b);
    }
  }
}

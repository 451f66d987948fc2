package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Finds added tokens in text as they are written: at each place the longest, from the left.
 * Immutable.
 */
final class Fragments {

  /** Splits a stretch of text that holds no added token. */
  interface Body {
    /**
     * Adds the ids of a stretch.
     *
     * @param text well-formed UTF-16
     */
    void encode(char[] text, int from, int to, Ints ids);
  }

  private final Trie added = new Trie();
  private final BitSet starts = new BitSet(); // first characters, to pass over text quickly

  Fragments(Vocabulary vocabulary, Markers markers) {
    for (int id : markers.inText()) {
      String token = new String(vocabulary.bytes(id), StandardCharsets.UTF_8);
      if (!token.isEmpty()) {
        added.add(token, id);
        starts.set(token.charAt(0));
      }
    }
  }

  /** Splits text: added tokens here, what lies between them with {@code body}. */
  void encode(char[] text, Body body, Ints ids) {
    if (added.isEmpty()) {
      encodeStretch(text, 0, text.length, body, ids);
      return;
    }
    int stretch = 0;
    int at = 0;
    while (at < text.length) {
      int end = starts.get(text[at]) ? longest(text, at) : at;
      if (end == at) {
        at++;
        continue;
      }
      encodeStretch(text, stretch, at, body, ids);
      ids.add(id(text, at, end));
      at = end;
      stretch = end;
    }
    encodeStretch(text, stretch, text.length, body, ids);
  }

  private static void encodeStretch(char[] text, int from, int to, Body body, Ints ids) {
    if (from < to) {
      body.encode(text, from, to, ids);
    }
  }

  private int longest(char[] text, int from) {
    int node = Trie.ROOT;
    int end = from;
    for (int i = from; i < text.length; i++) {
      node = added.child(node, text[i]);
      if (node == Trie.NONE) {
        break;
      }
      if (added.id(node) != Trie.NONE) {
        end = i + 1;
      }
    }
    return end;
  }

  private int id(char[] text, int from, int to) {
    int node = Trie.ROOT;
    for (int i = from; i < to; i++) {
      node = added.child(node, text[i]);
    }
    return added.id(node);
  }
}

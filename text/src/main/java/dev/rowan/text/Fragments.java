package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.Markers;
import dev.rowan.formats.tokenizer.TokenizerModel.Trim;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  private final Map<Integer, Trim> trims;

  Fragments(Vocabulary vocabulary, Markers markers) {
    trims = markers.trims();
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
      int end = end(text, at);
      if (end == at) {
        at++;
        continue;
      }
      int id = id(text, at, end);
      Trim trim = trims.get(id);
      encodeStretch(text, stretch, trimsBefore(trim) ? trimmed(text, stretch, at) : at, body, ids);
      ids.add(id);
      at = end;
      stretch = trimsBehind(trim) ? afterSpace(text, end) : end;
    }
    encodeStretch(text, stretch, text.length, body, ids);
  }

  private static void encodeStretch(char[] text, int from, int to, Body body, Ints ids) {
    if (from < to) {
      body.encode(text, from, to, ids);
    }
  }

  /** Returns where the added token that starts at a place ends; the place itself if none does. */
  int end(char[] text, int at) {
    return starts.get(text[at]) ? longest(text, at) : at;
  }

  private static boolean trimsBefore(@Nullable Trim trim) {
    return trim == Trim.BEFORE || trim == Trim.AROUND;
  }

  private static boolean trimsBehind(@Nullable Trim trim) {
    return trim == Trim.BEHIND || trim == Trim.AROUND;
  }

  /** Returns where a stretch ends without the white space at its end. */
  private static int trimmed(char[] text, int from, int to) {
    int end = to;
    while (end > from && Characters.isPythonSpace(text[end - 1])) {
      end--;
    }
    return end;
  }

  private static int afterSpace(char[] text, int from) {
    int at = from;
    while (at < text.length && Characters.isPythonSpace(text[at])) {
      at++;
    }
    return at;
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

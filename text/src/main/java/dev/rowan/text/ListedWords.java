package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.WordList;
import java.util.Arrays;
import java.util.OptionalInt;

/** A list of words: text is cut at white space, each word looked up as it is. */
final class ListedWords implements ModelTokenizer.Algorithm {
  private final Vocabulary words;
  private final OptionalInt unknown;

  ListedWords(WordList model) {
    words = model.vocabulary();
    unknown = model.unknown();
  }

  @Override
  public Fragments.Body run() {
    return this::encode;
  }

  private void encode(char[] text, int from, int to, Ints ids) {
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && !Characters.isSpace(text[end])) {
        end++;
      }
      if (end > at) {
        OptionalInt id = words.id(new String(Arrays.copyOfRange(text, at, end)));
        (id.isPresent() ? id : unknown).ifPresent(ids::add);
      }
      at = end + 1;
    }
  }
}

package dev.rowan.text;

import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.LetterCase;
import dev.rowan.formats.tokenizer.TokenizerModel.WordPiece;
import java.util.Arrays;

/**
 * BERT's WordPiece: each word is covered from the left by the longest token there is; a word that
 * cannot be covered, or that has more than 100 characters, is the unknown token (google-research/
 * bert, tokenization.py).
 */
final class WordPieces implements ModelTokenizer.Algorithm {
  private static final int LONGEST_WORD = 100;

  private final BertText rules;
  private final Trie starts = new Trie();
  private final Trie continuations = new Trie();
  private final WordPiece model;

  WordPieces(WordPiece model) {
    this.model = model;
    rules = new BertText(model.letterCase() == LetterCase.LOWERED);
    Vocabulary vocabulary = model.vocabulary();
    for (int id = 0; id < vocabulary.size(); id++) {
      if (!vocabulary.has(id)) {
        continue;
      }
      byte[] token = vocabulary.bytes(id);
      if (token.length > 2 && token[0] == '#' && token[1] == '#') {
        continuations.add(Arrays.copyOfRange(token, 2, token.length), id);
      } else if (token.length > 0) {
        starts.add(token, id);
      }
    }
  }

  @Override
  public Fragments.Body run() {
    return (text, from, to, ids) ->
        rules.words(text, from, to, (word, length) -> cover(word, length, ids));
  }

  private void cover(byte[] word, int length, Ints ids) {
    int characters = 0;
    for (int i = 0; i < length; i++) {
      characters += (word[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    Ints covered = new Ints();
    int at = characters > LONGEST_WORD ? length : 0;
    boolean whole = characters <= LONGEST_WORD;
    while (at < length && whole) {
      Trie tokens = at == 0 ? starts : continuations;
      int end = tokens.longest(word, at, length);
      whole = end > at;
      if (whole) {
        covered.add(tokens.id(tokens.walk(Trie.ROOT, word, at, end)));
        at = end;
      }
    }
    if (!whole) {
      model.unknown().ifPresent(ids::add);
      return;
    }
    for (int i = 0; i < covered.size(); i++) {
      ids.add(covered.get(i));
    }
  }
}

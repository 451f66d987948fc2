package dev.rowan.text;

import dev.rowan.core.Spelling;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.tokenizer.TokenizerModel.ByteLevelBpe;
import dev.rowan.formats.tokenizer.TokenizerModel.Form;
import dev.rowan.formats.tokenizer.TokenizerModel.Lead;
import dev.rowan.formats.tokenizer.TokenizerModel.WholeWord;
import java.nio.CharBuffer;
import java.text.Normalizer;
import java.util.Arrays;

/** Byte-level BPE. A byte that has no token is left out, as in the tokenizers library. */
final class ByteBpe implements ModelTokenizer.Algorithm {
  private static final int NO_TOKEN = -1;

  private final WordCutter cutter;
  private final PairTable pairs;
  private final int[] tokenOfByte = new int[256];
  private final Trie words; // empty where whole words are not looked up
  private final Lead lead;
  private final Form form;

  ByteBpe(ByteLevelBpe model) {
    Vocabulary vocabulary = model.vocabulary();
    cutter = WordCutter.of(model.split());
    lead = model.lead();
    form = model.form();
    Arrays.fill(tokenOfByte, NO_TOKEN);
    boolean needsWords = model.merges().isEmpty() || model.wholeWord() == WholeWord.TAKEN;
    Trie all = new Trie();
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.has(id) && !vocabulary.isAdded(id)) {
        byte[] bytes = Spelling.bytesOfByteLevel(vocabulary.stored(id));
        if (bytes.length == 1 && tokenOfByte[bytes[0] & 0xFF] == NO_TOKEN) {
          tokenOfByte[bytes[0] & 0xFF] = id;
        }
        if (needsWords) {
          all.add(bytes, id);
        }
      }
    }
    pairs =
        model.merges().isPresent()
            ? PairTable.of(model.merges().get())
            : PairTable.ofConcatenations(vocabulary, all);
    words = model.wholeWord() == WholeWord.TAKEN ? all : new Trie();
  }

  @Override
  public Fragments.Body run() {
    return new Run();
  }

  private final class Run implements Fragments.Body {
    private final Joining joining = new Joining(pairs);
    private final Ints ends = new Ints();

    @Override
    public void encode(char[] text, int from, int to, Ints ids) {
      CharBuffer asked = CharBuffer.wrap(text, from, to - from);
      if (form == Form.NFC && !Normalizer.isNormalized(asked, Normalizer.Form.NFC)) {
        char[] composed = Normalizer.normalize(asked, Normalizer.Form.NFC).toCharArray();
        encodeLed(composed, 0, composed.length, ids);
      } else {
        encodeLed(text, from, to, ids);
      }
    }

    private void encodeLed(char[] text, int from, int to, Ints ids) {
      if (lead == Lead.SPACE_BEFORE && text[from] != ' ') {
        char[] led = new char[to - from + 1];
        led[0] = ' ';
        System.arraycopy(text, from, led, 1, to - from);
        encodeWords(led, 0, led.length, ids);
      } else {
        encodeWords(text, from, to, ids);
      }
    }

    private void encodeWords(char[] text, int from, int to, Ints ids) {
      ends.clear();
      cutter.cut(text, from, to, ends);
      int at = from;
      for (int i = 0; i < ends.size(); i++) {
        int end = ends.get(i);
        int whole = words.isEmpty() ? Trie.NONE : word(text, at, end);
        if (whole == Trie.NONE) {
          joining.clear();
          symbols(text, at, end);
          joining.join(ids);
        } else {
          ids.add(whole);
        }
        at = end;
      }
    }

    private int word(char[] text, int from, int to) {
      int node = Trie.ROOT;
      for (int i = from; i < to && node != Trie.NONE; i++) {
        char c = text[i];
        if (c < 0x80) {
          node = words.child(node, c);
          continue;
        }
        int codePoint = Character.codePointAt(text, i, to);
        i += Character.charCount(codePoint) - 1;
        for (int shift = Utf8.firstShift(codePoint); shift >= 0 && node != Trie.NONE; shift -= 6) {
          node = words.child(node, Utf8.octet(codePoint, shift));
        }
      }
      return node == Trie.NONE ? Trie.NONE : words.id(node);
    }

    private void symbols(char[] text, int from, int to) {
      for (int i = from; i < to; i++) {
        char c = text[i];
        if (c < 0x80) {
          symbol(c);
          continue;
        }
        int codePoint = Character.codePointAt(text, i, to);
        i += Character.charCount(codePoint) - 1;
        for (int shift = Utf8.firstShift(codePoint); shift >= 0; shift -= 6) {
          symbol(Utf8.octet(codePoint, shift));
        }
      }
    }

    private void symbol(int octet) {
      int token = tokenOfByte[octet];
      if (token != NO_TOKEN) {
        joining.add(token);
      }
    }
  }
}

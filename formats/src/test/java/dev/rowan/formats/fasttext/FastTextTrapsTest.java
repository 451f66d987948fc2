package dev.rowan.formats.fasttext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Lexicon;
import dev.rowan.core.Vocabulary;
import dev.rowan.formats.Models;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Dictionaries and pruned n-grams that other readers stumble over; files are made here. */
class FastTextTrapsTest extends FastTextFixture {
  /** Up to the dictionary: 1 number a row, n-grams of one character in 10 buckets. */
  private static FastTextBytes front(int version, int kind) {
    return modern(version, 1, kind, 10, 1);
  }

  /** A matrix whose row i is i + 1. */
  private static FastTextBytes matrix(FastTextBytes out, int rows) {
    out.bytes(0).longs(rows, 1);
    for (int row = 0; row < rows; row++) {
      out.floats(row + 1);
    }
    return out;
  }

  /** Korean and French models have such words: bytes differ, what they decode to does not. */
  @Test
  void wordsThatLookAlikeOnceDecodedKeepTheirRows() throws IOException {
    FastTextBytes out = front(12, 2).ints(2, 2, 0).longs(100).longs(-1);
    out.bytes('a', 0xE3, 0x83, 0).longs(1).bytes(0);
    out.bytes('a', 0xE3, 0x82, 0).longs(1).bytes(0);
    matrix(matrix(out, 12), 2);
    try (Lexicon model = Models.open(file(out.toBytes()))) {
      Vocabulary words = model.vocabulary().orElseThrow();
      assertThat(model.input().table().rows()).isEqualTo(2);
      assertThat(words.text(0)).isEqualTo(words.text(1));
      assertThat(words.id(new byte[] {'a', (byte) 0xE3, (byte) 0x83})).hasValue(0);
      assertThat(words.id(new byte[] {'a', (byte) 0xE3, (byte) 0x82})).hasValue(1);
    }
  }

  @Test
  void supervisedModelsHaveSubwordsSinceVersion12() throws IOException {
    FastTextBytes out = front(12, 3).ints(2, 1, 1).longs(100).longs(-1);
    out.entry("a", 0).entry("__label__x", 1);
    matrix(matrix(out, 11), 1);
    try (Lexicon model = Models.open(file(out.toBytes()))) {
      assertThat(model.input().table().rows()).isEqualTo(1);
      // row 1, and n-gram "a" in bucket 0 behind the one word: (1 + 2) / 2
      assertThat(model.input().table().row(0)).containsExactly(1.5f);
    }
  }

  /** Quantised, one code of one byte a row, with the centroid of code c at c. */
  private static FastTextBytes quantised(FastTextBytes out, int... codes) {
    out.bytes(1).bytes(0).longs(codes.length, 1).ints(codes.length).bytes(codes).ints(1, 1, 1, 1);
    for (int c = 0; c < 256; c++) {
      out.floats(c);
    }
    return out;
  }

  @Test
  void nothingIsLeftOfTheGramsWhereThePrunedListIsEmpty() throws IOException {
    FastTextBytes out = front(12, 2).ints(1, 1, 0).longs(100).longs(0).entry("a", 0);
    matrix(quantised(out, 7), 1);
    try (Lexicon model = Models.open(file(out.toBytes()))) {
      assertThat(model.input().table().row(0)).containsExactly(7);
      // an unseen word has no n-gram left: no vector, and never one of zeros
      if (model.subwords().isPresent()) {
        assertThat(model.subwords().get().vectorOf("aa")).isEmpty();
      }
    }
  }

  /** gensim reads the flag of a quantised matrix and goes on as if it were not set. */
  @Test
  void quantisedModelsWithLabelsAreRead() throws IOException {
    FastTextBytes out = front(12, 3).ints(2, 1, 1).longs(100).longs(1);
    out.entry("a", 0).entry("__label__x", 1).ints(0, 0);
    matrix(quantised(out, 5, 8), 1);
    try (Lexicon model = Models.open(file(out.toBytes()))) {
      assertThat(model.input().table().rows()).isEqualTo(1);
      assertThat(model.input().table().row(0)).containsExactly(6.5f);
      assertThat(model.notes()).anyMatch(note -> note.contains("1 label"));
    }
  }
}

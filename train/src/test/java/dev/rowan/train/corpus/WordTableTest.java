package dev.rowan.train.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordTableTest {
  private static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String word(WordTable table, int id) {
    return new String(table.word(id), StandardCharsets.ISO_8859_1);
  }

  // a word and others that differ from it in one byte, wherever that stands, or in their length
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 1024, 5000})
  void tellsWordsApartThatDifferInAByte(int length) {
    WordTable table = new WordTable();
    List<String> words = new ArrayList<>(List.of("w".repeat(length), "w".repeat(length + 1)));
    for (int i = 0; i < Math.min(length, 40); i++) {
      StringBuilder other = new StringBuilder("w".repeat(length));
      other.setCharAt(length - 1 - i, '\u00F7'); // w with its top bit set
      words.add(other.toString());
    }
    for (int id = 0; id < words.size(); id++) {
      assertThat(table.add(bytes(words.get(id)), 3)).isEqualTo(id);
    }
    assertThat(table.size()).isEqualTo(words.size());
    for (int id = 0; id < words.size(); id++) {
      assertThat(table.add(bytes(words.get(id)), 4)).isEqualTo(id);
      assertThat(table.count(id)).isEqualTo(7);
      assertThat(word(table, id)).isEqualTo(words.get(id));
    }
  }

  @Test
  void numbersWordsInTheOrderInWhichTheyCome() {
    Random random = new Random(3);
    Map<String, Long> expected = new LinkedHashMap<>();
    WordTable table = new WordTable();
    for (int i = 0; i < 300_000; i++) {
      String word = Integer.toString(random.nextInt(150_000), 36).repeat(1 + random.nextInt(6));
      expected.merge(word, 2L, Long::sum);
      table.add(bytes(word), 2);
    }
    assertThat(table.size()).isEqualTo(expected.size());
    int id = 0;
    for (Map.Entry<String, Long> entry : expected.entrySet()) {
      if (!word(table, id).equals(entry.getKey()) || table.count(id) != entry.getValue()) {
        assertThat(word(table, id) + table.count(id)).isEqualTo(entry.toString());
      }
      id++;
    }
  }

  @Test
  void takesShortWordsFromAnotherTable() {
    WordTable one = new WordTable();
    WordTable two = new WordTable();
    one.add(bytes("cat"), 5);
    two.add(bytes("sixteen-letters!"), 2);
    two.add(bytes("cat"), 1);
    assertThat(one.addShort(two, 0)).isEqualTo(1);
    assertThat(one.addShort(two, 1)).isZero();
    assertThat(one.count(0)).isEqualTo(6);
    assertThat(one.count(1)).isEqualTo(2);
    assertThat(word(one, 1)).isEqualTo("sixteen-letters!");
  }

  @Test
  void knowsWhichWordsArePlain() {
    WordTable table = new WordTable();
    String plain = "@[`{~az09\u007F!";
    for (char c = '!'; c <= 0xFF; c++) {
      for (String word : List.of("" + c, "abcdefgh" + c, "abcdefghijklmno" + c)) {
        int id = table.add(bytes(word), 1);
        boolean ascii = c < 0x80;
        assertThat(table.isAscii(id)).as(word).isEqualTo(ascii);
        assertThat(table.isPlain(id)).as(word).isEqualTo(ascii && !(c >= 'A' && c <= 'Z'));
      }
    }
    assertThat(table.isPlain(table.add(bytes(plain), 1))).isTrue();
    assertThat(table.isAscii(table.add(bytes("of-seventeen-byte"), 1))).isFalse();
  }

  @Test
  void beginningsStandInTheOrderOfBytes() {
    WordTable table = new WordTable();
    List<String> words =
        new ArrayList<>(
            List.of("a", "aa", "a\u00FF", "\u00FF", "b", "abcdefgh", "abcdefghi", "Z".repeat(20)));
    for (String word : words) {
      table.add(bytes(word), 1);
    }
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < words.size(); id++) {
      ids.add(id);
    }
    ids.sort((a, b) -> Long.compareUnsigned(table.beginning(a), table.beginning(b)));
    words.sort(Comparator.comparing(WordTableTest::bytes, Arrays::compareUnsigned));
    assertThat(ids.stream().map(id -> word(table, id))).containsExactlyElementsOf(words);
  }
}

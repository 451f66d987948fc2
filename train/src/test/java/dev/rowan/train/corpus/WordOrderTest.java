package dev.rowan.train.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordOrderTest {
  // by the JDK's own sort; few counts and few letters, so that many words tie far into their bytes
  @Test
  void isThatOfCountsAndThenOfBytes() {
    Random random = new Random(7);
    WordTable words = new WordTable();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder word = new StringBuilder();
      int length = 1 + random.nextInt(24);
      for (int c = 0; c < length; c++) {
        word.append(random.nextInt(9) == 0 ? '\u00FF' : random.nextInt(5) == 0 ? 'b' : 'a');
      }
      long count = random.nextInt(50) == 0 ? random.nextLong(1L << 50) : 1;
      words.add(word.toString().getBytes(StandardCharsets.ISO_8859_1), count);
    }
    for (int least = 1; least <= 2; least++) {
      List<Integer> expected = new ArrayList<>();
      for (int id = 0; id < words.size(); id++) {
        if (words.count(id) >= least) {
          expected.add(id);
        }
      }
      expected.sort(
          Comparator.comparingLong((Integer id) -> -words.count(id))
              .thenComparing(words::word, Arrays::compareUnsigned));
      assertThat(WordOrder.of(words, least))
          .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  @Test
  void ofNoWordsIsEmpty() {
    WordTable words = new WordTable();
    assertThat(WordOrder.of(words, 1)).isEmpty();
    words.add(new byte[] {'a'}, 1);
    assertThat(WordOrder.of(words, 2)).isEmpty();
  }
}

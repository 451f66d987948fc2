package dev.rowan.train.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordScannerTest {
  private static final String END = "\n";

  /** Words that start before {@code end}, and ends of sentences, byte by byte. */
  private static List<String> plain(byte[] text, int start, int end, int stop) {
    List<String> found = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = start; i <= stop; i++) {
      int b = i < stop ? text[i] & 0xFF : ' ';
      if (b > ' ') {
        if (word.isEmpty() && i >= end) {
          break;
        }
        word.append((char) b);
        continue;
      }
      if (!word.isEmpty() && word.length() <= WordScanner.MOST_BYTES) {
        found.add(word.toString());
      }
      word.setLength(0);
      if (b == '\n' && !found.isEmpty() && !found.getLast().equals(END)) {
        found.add(END);
      }
    }
    return found;
  }

  private static List<String> scanned(WordScanner scanner) {
    List<String> found = new ArrayList<>();
    for (int id : scanner.ids()) {
      found.add(id < 0 ? END : new String(scanner.words().word(id), StandardCharsets.ISO_8859_1));
    }
    return found;
  }

  /** Text of blanks and other bytes, most words being of up to {@code most} bytes. */
  private static byte[] text(Random random, int stop, int most) {
    byte[] text = new byte[stop + WordScanner.PADDING];
    Arrays.fill(text, (byte) ' ');
    int at = 0;
    while (at < stop) {
      if (random.nextInt(4) == 0) {
        text[at++] = (byte) "\n\t\r \0\n".charAt(random.nextInt(6));
      }
      int length = random.nextInt(100) == 0 ? random.nextInt(3000) : random.nextInt(most + 1);
      int kinds = 1 + random.nextInt(3); // few, so that words come again
      for (int i = 0; i < length && at < stop; i++) {
        text[at++] = (byte) "a\u00FF!\u0080\u007Fz".charAt(random.nextInt(2 * kinds));
      }
      at++; // a blank
    }
    return text;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 9, 20, 40})
  void findsWhatAPlainReaderFinds(int most) {
    Random random = new Random(most);
    for (int round = 0; round < 300; round++) {
      int stop = random.nextInt(round % 10 == 0 ? 20_000 : 300);
      byte[] text = text(random, stop, most);
      int start = random.nextInt(stop + 1);
      int end = start + random.nextInt(stop - start + 1);
      WordScanner scanner = new WordScanner();
      scanner.scan(text, start, end, stop);
      assertThat(scanned(scanner)).as("round %d", round).isEqualTo(plain(text, start, end, stop));
    }
  }

  @Test
  void countsAsAPlainReaderDoes() {
    Random random = new Random(1);
    WordScanner scanner = new WordScanner();
    Map<String, Long> expected = new HashMap<>();
    for (int round = 0; round < 40; round++) {
      int stop = random.nextInt(60_000);
      byte[] text = text(random, stop, 30);
      scanner.clear();
      scanner.scan(text, 0, stop, stop);
      for (String word : plain(text, 0, stop, stop)) {
        if (!word.equals(END)) {
          expected.merge(word, 1L, Long::sum);
        }
      }
    }
    assertThat(scanner.words().size()).isEqualTo(expected.size()).isGreaterThan(30_000);
    for (int id = 0; id < scanner.words().size(); id++) {
      String word = new String(scanner.words().word(id), StandardCharsets.ISO_8859_1);
      assertThat(scanner.words().count(id)).as(word).isEqualTo(expected.get(word));
    }
  }

  // bytes behind the end of the text are none of it: a buffer is used again and again
  @Test
  void doesNotReadBehindTheEnd() {
    byte[] text = new byte[3 + WordScanner.PADDING + 100];
    Arrays.fill(text, (byte) '\n');
    Arrays.fill(text, 3, 3 + WordScanner.PADDING, (byte) ' ');
    System.arraycopy("a b".getBytes(StandardCharsets.US_ASCII), 0, text, 0, 3);
    WordScanner scanner = new WordScanner();
    scanner.scan(text, 0, 3, 3);
    assertThat(scanned(scanner)).containsExactly("a", "b");
  }
}

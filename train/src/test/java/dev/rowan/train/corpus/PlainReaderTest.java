package dev.rowan.train.corpus;

import static dev.rowan.train.corpus.CorpusFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.Workers;
import dev.rowan.train.corpus.Corpus.Broken;
import dev.rowan.train.corpus.Corpus.Letters;
import dev.rowan.train.corpus.Corpus.WordRules;
import dev.rowan.train.corpus.EncodedCorpus.ReadListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.StringTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fast reader beside a plain one. */
class PlainReaderTest {
  @TempDir Path folder;

  /** Text of two blocks, some words with capitals, some beyond ASCII, some no UTF-8. */
  private Path mixed() throws IOException {
    Random random = new Random(9);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < 4_400_000) {
      int number = (int) (3000 * random.nextDouble() * random.nextDouble() * random.nextDouble());
      String word = Integer.toString(number + 40, 36).repeat(1 + number % 7);
      word = number % 5 == 0 ? "\u00C9" + word : word;
      word = random.nextInt(4) == 0 ? word.toUpperCase(Locale.ROOT) : word;
      text.writeBytes(word.getBytes(StandardCharsets.UTF_8));
      if (number % 11 == 0) {
        text.write(0xC3); // the first of two bytes
      }
      text.write(random.nextInt(12) == 0 ? '\n' : ' ');
    }
    return Files.write(folder.resolve("mixed.txt"), text.toByteArray());
  }

  /** How often each word comes, its bytes as Latin-1, read by means of the JDK alone. */
  private static Map<String, Long> plainCounts(Path file) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    StringTokenizer words =
        new StringTokenizer(Files.readString(file, StandardCharsets.ISO_8859_1), " \n");
    while (words.hasMoreTokens()) {
      counts.merge(words.nextToken(), 1L, Long::sum);
    }
    return counts;
  }

  /** What rules make of such counts. */
  private static Map<String, Long> plainCounts(Map<String, Long> raw, WordRules rules) {
    Map<String, Long> counts = new HashMap<>();
    raw.forEach((bytes, count) -> {
      String word = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      if (!word.contains("\uFFFD") || rules.broken() != Broken.DROPPED) {
        boolean lowered = rules.letters() == Letters.LOWERED;
        counts.merge(lowered ? word.toLowerCase(Locale.ROOT) : word, count, Long::sum);
      }
    });
    counts.values().removeIf(count -> count < rules.minCount());
    return counts;
  }

  private static int hashOfIds(EncodedCorpus corpus) {
    int hash = 0;
    int[] ids = new int[corpus.mostIds()];
    for (int unit = 0; unit < corpus.units(); unit++) {
      hash = 31 * hash + Arrays.hashCode(Arrays.copyOf(ids, corpus.read(unit, ids)));
    }
    return hash;
  }

  @Test
  void countsAndNumbersAsAPlainReaderDoesForAnyNumberOfThreads() throws IOException {
    Path file = mixed();
    Map<String, Long> raw = plainCounts(file);
    for (WordRules rules :
        List.of(
            ALL,
            WordRules.DEFAULT.withMinCount(30).withLetters(Letters.LOWERED),
            ALL.withLetters(Letters.LOWERED).withBroken(Broken.DROPPED))) {
      Map<String, Long> expected = plainCounts(raw, rules);
      Corpus corpus = Corpus.ofFiles(file).with(rules);
      int hash = 0;
      for (int threads : new int[] {1, 3}) {
        try (Workers workers = Workers.of(threads);
            EncodedCorpus read = EncodedCorpus.read(corpus, workers, ReadListener.NONE)) {
          CountedVocabulary alone = CountedVocabulary.count(corpus, workers, ReadListener.NONE);
          for (CountedVocabulary words : List.of(read.vocabulary(), alone)) {
            Map<String, Long> counts = new HashMap<>();
            for (int id = 0; id < words.size(); id++) {
              counts.put(words.vocabulary().stored(id), words.count(id));
            }
            assertThat(counts).isEqualTo(expected);
            assertThat(words.counts()).isEqualTo(alone.counts());
          }
          if (threads > 1) {
            assertThat(hashOfIds(read)).isEqualTo(hash);
          }
          hash = hashOfIds(read);
        }
      }
    }
  }
}
